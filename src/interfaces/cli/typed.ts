/** How a person types a command of this program: a clone has it as `npx guild-hall` only. */

export type ProgramName = 'guild-hall' | 'npx guild-hall';

/** @param script what Node was told to run, as it was typed: `process.argv[1]` */
export function programNameOf(env: NodeJS.ProcessEnv, script: string): ProgramName {
  const isByNpm = (env['npm_lifecycle_event'] ?? '') !== '' || env['npm_command'] === 'exec';
  return isByNpm || /[\\/]node_modules[\\/]\.bin[\\/]/.test(script) ? 'npx guild-hall' : 'guild-hall';
}

/** The text with its command lines as the person has to type them. Paths such as `~/.guild-hall/x` are left alone. */
export function asTyped(text: string, program: ProgramName): string {
  if (program === 'guild-hall') return text;
  return text.replaceAll(/(?<![\w./-])(?<!npx )guild-hall(?= (?:[a-z<["…]|--))/g, program);
}
