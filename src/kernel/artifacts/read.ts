/** Artifacts on disk: one, all, and changes of one. Reading never fails the whole. */
import { open, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createLocks } from '../locks/locks.ts';
import { fail, HallError } from '../pure/errors.ts';
import { type ArtifactEdit, editArtifact } from './edit.ts';
import { type ArtifactDocument, maxYamlLength, parseArtifact, type Problem } from './parse.ts';
import { resolveInside } from './paths.ts';
import { hasErrorCode, writeAtomically } from './write.ts';

export interface ArtifactSummary {
  /** Relative to the project, with `/`: `.lore/notes/plan.md`. */
  readonly path: string;
  /** The field, else the first heading, else the file's name. */
  readonly title: string;
  readonly date: string | null;
  readonly status: string | null;
  readonly tags: readonly string[];
  readonly problems: readonly Problem[];
}

/** Of each file, so much is looked at for its summary: every frontmatter that is read at all, and more. */
const headBytes = 3 * maxYamlLength;
const readsAtOnce = 16;
const edits = createLocks();

/**
 * @param root the project's folder
 * @param path relative to it
 * @throws `not_found`; `invalid` or `forbidden` for a path that leads out
 */
export async function readArtifact(root: string, path: string): Promise<ArtifactDocument> {
  return documentOfBytes(await readBytes(await resolveInside(root, path), path), path);
}

/** Bytes of a file as an artifact. What is no UTF-8 becomes a problem. */
export function documentOfBytes(bytes: Buffer, path: string): ArtifactDocument {
  const { text, isText } = decode(bytes);
  const document = parseArtifact(text, path);
  return isText ? document : { ...document, problems: [...document.problems, notText(path, text)] };
}

/** True when the bytes are UTF-8, so that their text says all that is in them. */
export function isUtf8(bytes: Buffer): boolean {
  return decode(bytes).isText;
}

/**
 * Reads, edits and writes an artifact; edits of one file wait for each other, so that none is lost.
 * @returns the artifact as written
 * @throws as `readArtifact` and `editArtifact`; `conflict` for a file that is not UTF-8 text
 */
export async function updateArtifact(
  root: string,
  path: string,
  decide: ArtifactEdit | ((document: ArtifactDocument) => ArtifactEdit),
): Promise<ArtifactDocument> {
  // In the order of the calls, which finding the real file would shuffle; and one at a time for each real file.
  return await edits.with(`call:${join(root, path)}`, async () => {
    const file = await resolveInside(root, path);
    return await edits.with(`file:${file}`, async () => updateFile(file, path, decide));
  });
}

async function updateFile(
  file: string,
  path: string,
  decide: ArtifactEdit | ((document: ArtifactDocument) => ArtifactEdit),
): Promise<ArtifactDocument> {
  const { text, isText } = decode(await readBytes(file, path));
  if (!isText) {
    const { message } = notText(path, text);
    throw fail('conflict', `${path} was not changed: ${message}`, 'Save the file as UTF-8, then try again.', { path });
  }
  const edit = typeof decide === 'function' ? decide(parseArtifact(text, path)) : decide;
  const changed = editArtifact(text, edit);
  if (changed !== text) await writeAtomically(file, changed);
  return parseArtifact(changed, path);
}

/**
 * Every Markdown file below `under`, sorted by path. A file or folder that cannot be read is listed with the reason.
 * Symbolic links, and folders named `.git`, are left out.
 */
export async function listArtifacts(root: string, under = '.lore'): Promise<ArtifactSummary[]> {
  const { files, problems } = await listArtifactFiles(root, under);
  const summaries = problems.map((problem) => summaryOf(parseArtifact('', problem.file), problem.file, [problem]));
  for (let start = 0; start < files.length; start += readsAtOnce) {
    const batch = files.slice(start, start + readsAtOnce);
    summaries.push(...(await Promise.all(batch.map((path) => summarise(root, path)))));
  }
  return summaries.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Paths of every Markdown file below `under`, and what could not be looked into. Nothing is read. */
export async function listArtifactFiles(
  root: string,
  under = '.lore',
): Promise<{ files: string[]; problems: Problem[] }> {
  const files: string[] = [];
  const problems: Problem[] = [];
  const folders = [under];
  let top: string | undefined;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      top ??= await resolveInside(root, under);
      // What is entered below is no link, so the way to it leads nowhere else.
      for (const entry of await readdir(join(top, folder.slice(under.length)), { withFileTypes: true })) {
        const path = `${folder}/${entry.name}`;
        if (entry.isDirectory() && entry.name !== '.git') folders.push(path);
        else if (entry.isFile() && /\.md$/i.test(entry.name)) files.push(path);
      }
    } catch (error) {
      if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR')) problems.push(cannotRead(folder, error));
    }
  }
  return { files, problems };
}

async function summarise(root: string, path: string): Promise<ArtifactSummary> {
  return summaryOf(await readForList(root, path), path);
}

/** An artifact as a list needs it: never throws, and of a very long one only the beginning. */
export async function readForList(root: string, path: string): Promise<ArtifactDocument> {
  try {
    const { text, isText } = await readHead(join(root, path));
    const document = parseArtifact(text, path);
    return isText ? document : { ...document, problems: [...document.problems, notText(path, text)] };
  } catch (error) {
    return { ...parseArtifact('', path), problems: [cannotRead(path, error)] };
  }
}

export function summaryOf(
  document: ArtifactDocument,
  path: string,
  problems: readonly Problem[] = [],
): ArtifactSummary {
  const { title, date, status, tags } = document.frontmatter;
  // Cut first: a line may have millions of characters.
  const heading = /^# +(.{1,500})/m.exec(document.body)?.[1]?.replace(/[ #]+$/, '');
  return {
    path,
    title: textOf(title) ?? textOf(heading) ?? basename(path).replace(/\.md$/i, ''),
    date: textOf(date) ?? null,
    status: textOf(status) ?? null,
    tags: (Array.isArray(tags) ? tags : [tags]).flatMap((tag) => textOf(tag) ?? []),
    problems: [...document.problems, ...problems],
  };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

async function readBytes(file: string, path: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if (!hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) throw error;
    throw fail('not_found', `There is no artifact ${path}.`, 'See: guild-hall artifact list', { path }, error);
  }
}

async function readHead(file: string): Promise<{ text: string; isText: boolean }> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const buffer = Buffer.alloc(Math.min(size, headBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    // A character that is cut at the end of the head is no fault of the file.
    const whole = size > bytesRead ? buffer.lastIndexOf(10, bytesRead - 1) + 1 : bytesRead;
    return decode(buffer.subarray(0, whole));
  } finally {
    await handle.close();
  }
}

function decode(bytes: Buffer): { text: string; isText: boolean } {
  const text = bytes.toString('utf8');
  return { text, isText: !text.includes('\ufffd') || Buffer.from(text).equals(bytes) };
}

function notText(file: string, text: string): Problem {
  const before = text.slice(0, text.indexOf('\ufffd'));
  const line = before.split('\n').length;
  return { file, line, column: before.length - before.lastIndexOf('\n'), message: 'The file is not UTF-8 text here.' };
}

function cannotRead(file: string, error: unknown): Problem {
  const reason = error instanceof HallError || error instanceof Error ? error.message : String(error);
  return { file, line: 1, column: 1, message: `It cannot be read: ${reason}` };
}
