/** Small copies of the house, in which tests break one thing to see whether the check for it notices. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const houseRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A git tree with the given files (and copies of the named ones of the house); packages are the house's own. */
export function makeHouseCopy(files: Readonly<Record<string, string>>, copied: readonly string[] = []): string {
  const root = mkdtempSync(join(homedir(), 'house-'));
  for (const path of copied) cpSync(join(houseRoot, path), join(root, path), { recursive: true });
  symlinkSync(join(houseRoot, 'node_modules'), join(root, 'node_modules'));
  execFileSync('git', ['init', '-q'], { cwd: root });
  writeHouseFiles(root, { '.gitignore': 'node_modules\n', ...files });
  return root;
}

export function writeHouseFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
