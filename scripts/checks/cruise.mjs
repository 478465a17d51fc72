/**
 * dependency-cruiser that can read TSX: its swc reader asks for TypeScript without JSX, whatever the file is, and would
 * fail at the first tag. Takes the arguments of `depcruise`.
 */
import swc from '@swc/core';

const parseFileSync = swc.parseFileSync.bind(swc);
Object.assign(swc, {
  /** @param {string} file @param {import('@swc/core').ParseOptions & import('@swc/core').TsParserConfig} options */
  parseFileSync: (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') }),
});

const program = new URL('../../node_modules/dependency-cruiser/bin/dependency-cruise.mjs', import.meta.url);
await import(program.href);
