/** `npm run sample [-- <folder>]`: makes a git repository of the sample project and registers it with the hall. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = resolve(process.argv[2] ?? join(dirname(root), 'guild-hall-sample'));

/** @param {readonly string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();

function makeRepository() {
  cpSync(join(root, 'examples', 'sample-project'), folder, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  ensureSetting('user.name', 'Sample Person');
  ensureSetting('user.email', 'person@sample.invalid');
  git('add', '--all');
  git('-c', 'commit.gpgsign=false', 'commit', '--quiet', '--message', 'The sample project');
}

/**
 * Whoever has told git their name keeps it; the sample works for others too.
 * @param {string} key
 * @param {string} value
 */
function ensureSetting(key, value) {
  try {
    git('config', key);
  } catch {
    // git ends with 1 when a setting has no value.
    git('config', key, value);
  }
}

if (existsSync(folder)) {
  console.log(`${folder} is there already and is left as it is.`);
} else {
  makeRepository();
  console.log(`Made ${folder}, a git repository with one commit.`);
}
try {
  await ensureInstalled(root);
  execFileSync(process.execPath, [join(root, 'bin', 'guild-hall.js'), 'project', 'add', folder], { stdio: 'inherit' });
} catch {
  // The program has said why, and what to do.
  process.exitCode = 1;
}
