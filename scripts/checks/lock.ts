/** The lock file must install everywhere: no addresses of one registry, and the native parts of every platform we promise. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from './step.ts';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Linux names may carry a C library (`linux-x64-gnu`); the glibc one is the one that is needed. */
const platforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64'];

export const lockCheck: Check = {
  name: 'lock',
  holds: 'exact versions; a lock file without addresses and with the native parts of every platform',
  find: async (root) => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, LockedPackage>;
    };
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    return [
      ...findLoose(manifest),
      ...findUnlocked(manifest, lock.packages),
      ...findAddresses(lock.packages),
      ...findMissingPlatforms(lock.packages),
      ...findRegistrySettings(root),
    ];
  },
};

const allOf = (manifest: Manifest): [string, string][] =>
  Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });

const findLoose = (manifest: Manifest): string[] =>
  allOf(manifest)
    .filter(([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range))
    .map(([name, range]) => `package.json: ${name} is "${range}"; write the exact version`);

const findUnlocked = (manifest: Manifest, packages: Record<string, LockedPackage>): string[] =>
  allOf(manifest)
    .filter(([name, range]) => packages[`node_modules/${name}`]?.version !== range)
    .map(([name, range]) => `package-lock.json: ${name} is not locked at ${range}; run npm install`);

const findAddresses = (packages: Record<string, LockedPackage>): string[] =>
  Object.entries(packages)
    .filter(([, { resolved }]) => resolved !== undefined && /^https?:/.test(resolved))
    .map(([path]) => `package-lock.json: ${path} has an address; run npm install --omit-lockfile-registry-resolved`);

function findMissingPlatforms(packages: Record<string, LockedPackage>): string[] {
  return Object.entries(packages).flatMap(([path, { optionalDependencies }]) => {
    const native = Object.keys(optionalDependencies ?? {});
    return platforms.flatMap((platform) => {
      const part = native.find((name) => name.endsWith(platform) || name.endsWith(`${platform}-gnu`));
      if (part === undefined || packages[`node_modules/${part}`] !== undefined) return [];
      return [
        `package-lock.json: ${path} lacks ${part}, so it would not run on ${platform}; run node scripts/complete-lock.mjs`,
      ];
    });
  });
}

const findRegistrySettings = (root: string): string[] =>
  existsSync(join(root, '.npmrc')) && /registry/.test(readFileSync(join(root, '.npmrc'), 'utf8'))
    ? ['.npmrc: names a registry; that is a setting of the person, not of the project']
    : [];
