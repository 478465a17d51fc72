/**
 * Adds to package-lock.json the native parts that the registry used for writing it does not carry, so that the lock
 * installs on every platform. Such an entry has the exact version and no checksum. Run it after `npm install <package>`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const platforms = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
];

const path = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(path, 'utf8'));
const { packages } = lock;
let added = 0;

for (const owner of Object.keys(packages)) {
  const { optionalDependencies = {}, dev } = packages[owner];
  for (const { os, cpu } of platforms) {
    const name = Object.keys(optionalDependencies).find((part) => new RegExp(`${os}-${cpu}(-gnu)?$`).test(part));
    if (name === undefined || packages[`node_modules/${name}`] !== undefined) continue;
    const libc = name.endsWith('-gnu') ? { libc: ['glibc'] } : {};
    packages[`node_modules/${name}`] = {
      version: optionalDependencies[name],
      cpu: [cpu],
      ...(dev ? { dev: true } : {}),
      ...libc,
      optional: true,
      os: [os],
    };
    added += 1;
  }
}

const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} native parts added to package-lock.json`);
