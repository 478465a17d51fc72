/** Paths of artifacts as they come in through a door. */
import { createHash } from 'node:crypto';
import { fail, type HallError } from '../../kernel/pure/errors.ts';
import { isArtifactPath } from './rules.ts';

/** `.lore` or a path below it, in its one form. @throws HallError `invalid` */
export function requireLore(given: string): string {
  const path = given.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  if (path === '.lore' || path.startsWith('.lore/')) return path;
  throw fail(
    'invalid',
    `"${given.slice(0, 100)}" is not below .lore/, where artifacts live.`,
    'See: guild-hall artifact list',
  );
}

/** @throws HallError `invalid` for what is no Markdown file below `.lore/` */
export function requireArtifactPath(given: string): string {
  const path = requireLore(given);
  if (isArtifactPath(path)) return path;
  throw noArtifact(given);
}

export function noArtifact(path: string): HallError {
  return fail(
    'invalid',
    `"${path.slice(0, 100)}" is no artifact; those are Markdown files, which end in .md.`,
    'See: guild-hall artifact list',
  );
}

/** Git's own name for a file of these bytes, so that what an edit began with can be found again in the repository. */
export function revisionOf(bytes: Uint8Array): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
