/** What the program itself knows of councils: its modes, and the templates of their notes. No project changes it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../../kernel/pure/errors.ts';
import { parseModes, type Mode } from './rules/modes.ts';

/** Absolute: beside this file in the sources, found from above where the program is built. */
export const knowledgeFolder = findFolder();

export const registryPath = join(knowledgeFolder, 'modes.yaml');

export async function readModes(): Promise<readonly Mode[]> {
  // Only now: help and Tab know of this file, and read no YAML.
  const { parse } = await import('./lazy-yaml.ts');
  return parseModes(parse(await readFile(registryPath, 'utf8')));
}

/**
 * Absolute path of the template of the first mode with that bias; undefined where no mode has it. Whether the file is
 * there is not looked at.
 */
export async function templatePath(bias: string): Promise<string | undefined> {
  const mode = (await readModes()).find((each) => each.bias === bias);
  return mode === undefined ? undefined : join(knowledgeFolder, mode.templateRef);
}

function findFolder(): string {
  const inside = join('src', 'features', 'councils', 'knowledge');
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, inside, 'modes.yaml'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw fail('internal', 'The knowledge of councils cannot be found.', 'Install Guild Hall again.');
    folder = parent;
  }
  return join(folder, inside);
}
