/** Installs packages when the lock file is not the one that was installed last. Plain Node: it runs before anything is there. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const oldestNode = [20, 19];

/** Throws a sentence for people when Node is too old or npm fails.
 * @param {string} root */
export async function ensureInstalled(root) {
  requireNode();
  const stamp = join(root, 'node_modules', '.guild-hall-stamp');
  const wanted = stampOf(root);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log(
    'Installing packages. The first time takes a minute: the Agent SDK alone brings a program of about 430 MB.',
  );
  // Not `npm ci`: it refuses a lock whose native parts for other platforms this registry does not carry.
  const code = await run(root, 'npm', ['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']);
  if (code !== 0)
    throw new Error(
      `npm install ended with exit code ${code}. See its message above; then run the same command again.`,
    );
  writeFileSync(stamp, stampOf(root));
}

/** @param {string} root */
function stampOf(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return `${hash.digest('hex')} ${process.platform}-${process.arch} ${process.versions.modules}\n`;
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldMajor = 0, oldMinor = 0] = oldestNode;
  if (major > oldMajor || (major === oldMajor && minor >= oldMinor)) return;
  throw new Error(`Guild Hall needs Node ${oldestNode.join('.')} or newer; this is ${process.versions.node}.`);
}

/**
 * Runs a program with this terminal as its own and gives its exit code.
 * @param {string} root
 * @param {string} file
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>}
 */
export function run(root, file, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}
