/** What every agent sees of the machine itself, read-only: programs, libraries, and what they need of `/etc`. */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Mount } from './contract.ts';
import { isBelow } from './bubblewrap.ts';

const folders = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt', '/nix/store', '/gnu/store'];

/** A list of what is shown, since `/etc` is where a machine keeps its secrets, and the hall may run as root. */
const etc = `
  alternatives ld.so.cache ld.so.conf ld.so.conf.d ld-musl-x86_64.path static passwd group nsswitch.conf
  hosts host.conf hostname resolv.conf gai.conf services protocols localtime timezone os-release
  debian_version lsb-release redhat-release alpine-release locale.conf locale.alias default/locale
  mime.types magic ssl/certs ssl/cert.pem ssl/openssl.cnf ca-certificates ca-certificates.conf crypto-
  policies pki/tls/certs pki/tls/cert.pem pki/tls/openssl.cnf pki/ca-trust/extracted bash.bashrc profile
  profile.d inputrc terminfo fonts perl python3 java-17-openjdk
`
  .trim()
  .split(/\s+/)
  .map((name) => `/etc/${name}`);

/** @param kindOf what stands at a path of this machine; given only by tests */
export function systemMounts(kindOf: (path: string) => Link | 'folder' | undefined = lookAt): Mount[] {
  const shown = folders.flatMap((path): Mount[] => {
    const kind = kindOf(path);
    if (kind === undefined) return [];
    return kind === 'folder' ? [{ how: 'read', path }] : [{ how: 'link', path, leadsTo: kind.leadsTo }];
  });
  return [...shown, ...etc.map((path): Mount => ({ how: 'read', path, optional: true }))];
}

interface Link {
  readonly leadsTo: string;
}

function lookAt(path: string): Link | 'folder' | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  return facts.isSymbolicLink() ? { leadsTo: readlinkSync(path) } : 'folder';
}

/**
 * A program that is to run inside, with what lies beside it: the whole of `<prefix>/bin/<name>`, else its folder; only
 * the file itself where that would show a folder that is to stay hidden.
 * @param file absolute
 * @param hidden folders that must not be shown
 */
export function programMounts(file: string, hidden: readonly string[]): Mount[] {
  const real = realOf(file);
  return [...new Set([file, real])].flatMap((path): Mount[] => {
    if (folders.some((folder) => isBelow(folder, path))) return [];
    const folder = dirname(path);
    const above = dirname(folder);
    // Not a place of programs alone: keyrings, histories and much else of the person lie beside them.
    if (basename(folder) === 'bin' && basename(above) === '.local' && hidden.includes(dirname(above))) {
      return [
        { how: 'read', path: folder },
        { how: 'read', path: join(above, 'lib'), optional: true },
      ];
    }
    const choices = basename(folder) === 'bin' ? [dirname(folder), folder] : [folder];
    const chosen = choices.find((choice) => !wouldShow(choice, hidden));
    return [{ how: 'read', path: chosen ?? path }];
  });
}

function wouldShow(folder: string, hidden: readonly string[]): boolean {
  return folder === '/' || hidden.some((each) => each === folder || isBelow(folder, each));
}

/** Where a path really leads; the path itself where nothing is. */
export function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there, so nothing of it can be shown, nor started.
    return path;
  }
}
