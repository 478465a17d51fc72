/** `npm run bench -- <name>` and `npm run torture -- <name>`: runs `<folder>/<name>.ts` through tsx; without a name lists them. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [folder = 'bench', name, ...args] = process.argv.slice(2);
const scripts = existsSync(join(root, folder))
  ? readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  : [];
const names = scripts.map((file) => file.slice(0, -'.ts'.length));

if (name === undefined || !names.includes(name)) {
  const verb = folder.split('/').at(-1);
  if (name !== undefined) console.error(`There is no "${name}" in ${folder}/.`);
  console.log(
    names.length === 0
      ? `${folder}/ has no scripts yet.`
      : names.map((each) => `npm run ${verb} -- ${each}`).join('\n'),
  );
  process.exitCode = name === undefined ? 0 : 2;
} else {
  await ensureInstalled(root);
  const tsx = join(root, 'node_modules/.bin/tsx');
  const child = spawn(tsx, [join(root, folder, `${name}.ts`), ...args], { cwd: root, stdio: 'inherit' });
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1);
  });
}
