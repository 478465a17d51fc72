/** Where a council may write: one list, for the engine and for the helper `write-boundary`. */
import { lstat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import { haltLine } from '../rules/halt.ts';

export const notesFolder = '.gaia/artifacts/creative-artifacts/meeting-notes';
export const extractionsFolder = '.gaia/artifacts/creative-artifacts/meeting-scratchpad';
export const registryPath = '.gaia/state/action-items.yaml';

const name = String.raw`[A-Za-z0-9_][A-Za-z0-9_.-]*`;
const allowed: readonly RegExp[] = [
  new RegExp(String.raw`^\.gaia/artifacts/creative-artifacts/meeting-notes/meeting-[A-Za-z0-9_.-]+\.md$`, 'u'),
  new RegExp(
    String.raw`^\.gaia/artifacts/creative-artifacts/meeting-scratchpad/\d{4}-\d{2}/${name}/SP-[A-Za-z0-9_.-]+$`,
    'u',
  ),
  /^\.gaia\/state\/action-items\.yaml$/u,
  new RegExp(String.raw`^\.gaia/memory/${name}-sidecar/decisions/${name}\.md$`, 'u'),
  new RegExp(String.raw`^\.gaia/memory/meeting-sessions/${name}\.yaml$`, 'u'),
];

/** Why the path, taken as text alone, is none of a council's; undefined where it is one. Relative to the root. */
export function reasonAgainst(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (isAbsolute(path) || path.startsWith('/')) return 'is absolute';
  if (path.includes('..')) return 'has ".." in it';
  if (path.length > 1000) return 'is too long';
  return allowed.some((pattern) => pattern.test(path)) ? undefined : 'is not among the places of a council';
}

/** The canonical line of a refused write, the last thing that is printed. */
export function boundaryHalt(path: string, reason: string): string {
  return haltLine('WRITE-BOUNDARY-VIOLATION', `${path.slice(0, 300)} ${reason}`);
}

/**
 * The absolute path, after the real way to it was looked at: every folder on it that exists is one and no link, and at
 * its end stands nothing, or a file.
 * @param root absolute, as the hall knows it; `path` is relative to it
 * @throws `forbidden` with the canonical HALT line as its message
 */
export async function requireInside(root: string, path: string): Promise<string> {
  const reason = reasonAgainst(path) ?? (await reasonOnDisk(root, path));
  if (reason === undefined) return join(root, path);
  throw violation(path, reason);
}

/** True for what `requireInside` throws: such a council halts. */
export function isBoundaryViolation(error: unknown): boolean {
  return error instanceof HallError && error.details?.['condition'] === 'WRITE-BOUNDARY-VIOLATION';
}

async function reasonOnDisk(root: string, path: string): Promise<string | undefined> {
  const parts = path.split('/');
  for (const [at] of parts.entries()) {
    const part = parts.slice(0, at + 1).join('/');
    const isLast = at === parts.length - 1;
    const kind = await kindOf(join(root, part));
    if (kind === 'nothing') return undefined;
    if (kind === 'link') return `goes through the symbolic link ${part}`;
    if (kind !== (isLast ? 'file' : 'folder')) return isLast ? 'is no plain file' : `goes through ${part}, no folder`;
  }
  return undefined;
}

async function kindOf(path: string): Promise<'nothing' | 'link' | 'folder' | 'file' | 'other'> {
  try {
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) return 'link';
    if (facts.isDirectory()) return 'folder';
    return facts.isFile() ? 'file' : 'other';
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return 'nothing';
    if (hasErrorCode(error, 'ENAMETOOLONG', 'ELOOP')) return 'other';
    throw error;
  }
}

function violation(path: string, reason: string): HallError {
  return fail(
    'forbidden',
    boundaryHalt(path, reason),
    'A council writes its notes, memory entries, action items, extractions and session file, each in its own place. Replace the link by a folder, then resume.',
    { condition: 'WRITE-BOUNDARY-VIOLATION', path: path.slice(0, 1000), reason },
  );
}
