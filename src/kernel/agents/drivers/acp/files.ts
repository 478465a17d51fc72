/** Files that an agent reads and writes through the hall: below its session's root only, by real path, whatever links stand there. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { RequestError } from '@agentclientprotocol/sdk';
import type { OpenOptions } from '../../contract.ts';
import { decideToolCall, type GateRules } from '../claude/gate.ts';

/** Largest file that is read for an agent. */
const maxFileBytes = 10 * 1024 * 1024;

/** What the gate holds of the agent program's own file tools holds here. */
function rulesOf({ access, cwd }: OpenOptions): GateRules {
  const sandbox = { kind: 'none', hint: '', network: 'full' } as const;
  return { access, cwd, tools: new Set(['Read', 'Write']), sandbox };
}

export async function readForAgent(
  open_: OpenOptions,
  request: {
    readonly path: string;
    readonly line?: number | null | undefined;
    readonly limit?: number | null | undefined;
  },
): Promise<string> {
  await checkPath(open_, 'Read', request.path);
  const file = await openInside(open_, request.path, constants.O_RDONLY);
  try {
    const { size } = await file.stat();
    if (size > maxFileBytes) throw RequestError.invalidParams({ details: `${request.path} is larger than 10 MB.` });
    const text = await file.readFile('utf8');
    const { line, limit } = request;
    if ((line ?? null) === null && (limit ?? null) === null) return text;
    const first = Math.max(1, line ?? 1) - 1;
    return text
      .split('\n')
      .slice(first, limit === null || limit === undefined ? undefined : first + limit)
      .join('\n');
  } finally {
    await file.close();
  }
}

export async function writeForAgent(
  open_: OpenOptions,
  request: { readonly path: string; readonly content: string },
): Promise<void> {
  await checkPath(open_, 'Write', request.path);
  await mkdir(dirname(request.path), { recursive: true });
  // Looked at again: a folder may have been made, or exchanged for a link, in between.
  await checkPath(open_, 'Write', request.path);
  const file = await openInside(open_, request.path, constants.O_WRONLY | constants.O_CREAT);
  try {
    const bytes = Buffer.from(request.content, 'utf8');
    for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    await file.truncate(bytes.length);
  } finally {
    await file.close();
  }
}

async function checkPath(open_: OpenOptions, tool: 'Read' | 'Write', path: string): Promise<void> {
  if (!isAbsolute(path)) throw RequestError.invalidParams({ details: `${path} is not absolute.` });
  const answer = await decideToolCall(rulesOf(open_), tool, { file_path: path });
  if (!answer.allowed) throw RequestError.invalidParams({ details: answer.reason });
}

/** Opens what stands there now, and closes it again when it is not what the check saw. */
async function openInside({ access }: OpenOptions, path: string, flags: number): Promise<FileHandle> {
  const real = (flags & constants.O_CREAT) === 0 ? await realOrMissing(path) : path;
  const file = await open(real, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o644).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw RequestError.resourceNotFound(path);
    throw RequestError.invalidParams({ details: `${path} cannot be opened (${code ?? 'unknown trouble'}).` });
  });
  try {
    const [opened, root, now] = await Promise.all([file.stat(), realpath(access.root), realpath(real)]);
    const there = await stat(now);
    const inside = relative(root, now);
    const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
    if (!opened.isFile() || isOutside || there.ino !== opened.ino || there.dev !== opened.dev) {
      throw RequestError.invalidParams({ details: `${path} is no plain file below ${access.root}.` });
    }
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function realOrMissing(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    throw RequestError.resourceNotFound(path);
  }
}
