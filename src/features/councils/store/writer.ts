/** The one writer of councils: nothing of a council comes to the root's disk but through here. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createExclusively, writeAtomically } from '../../../kernel/artifacts/write.ts';
import { printOptions } from '../../../kernel/artifacts/yaml-text.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { isBoundaryViolation, requireInside } from './boundary.ts';
import { sessionsFolder } from './place.ts';
import { scrubCouncil, scrubTexts } from './scrub.ts';

/** Refusals are logged where there is a log. */
type WriterContext = Partial<LogContext>;

/** A session file is for its owner alone: it holds what was said before anybody looked it over. */
const sessionMode = 0o600;

export interface CouncilWrite {
  /** Each new value in it was scrubbed, and what stood there before keeps its bytes, whatever it looks like. */
  readonly isScrubbed?: boolean;
  /** Nothing stands there: what somebody put there meanwhile stays, and the answer is undefined. */
  readonly isNew?: boolean;
}

/**
 * Replaces the file as a whole: boundary, secrets taken out, one rename. Missing folders are made.
 * @param path relative to the root
 * @returns the absolute path; undefined where nothing was written
 * @throws `forbidden` with the HALT line for every other place
 */
export async function writeCouncilFile(
  ctx: WriterContext,
  root: string,
  path: string,
  text: string,
  write: CouncilWrite = {},
): Promise<string | undefined> {
  const scrubbed = write.isScrubbed === true ? text : await scrubFile(path, text);
  const target = await requireLogged(ctx, root, path);
  await mkdir(dirname(target), { recursive: true });
  await requireLogged(ctx, root, path);
  const options = path.startsWith(`${sessionsFolder}/`) ? { mode: sessionMode } : {};
  if (write.isNew === true) return (await createExclusively(target, scrubbed, options)) ? target : undefined;
  await writeAtomically(target, scrubbed, options);
  return target;
}

/** Removes a file of a council: within the same boundary. Nothing happens where there is none. */
export async function removeCouncilFile(ctx: WriterContext, root: string, path: string): Promise<void> {
  await rm(await requireLogged(ctx, root, path), { force: true });
}

async function requireLogged(ctx: WriterContext, root: string, path: string): Promise<string> {
  try {
    return await requireInside(root, path);
  } catch (error) {
    if (isBoundaryViolation(error)) ctx.log?.warn({ err: error, root, path }, 'a write of a council was refused');
    throw error;
  }
}

async function scrubFile(path: string, text: string): Promise<string> {
  const scrubbed = await scrubCouncil(text);
  if (scrubbed === text) return text;
  return path.endsWith('.yaml') ? await scrubYaml(text, scrubbed) : scrubbed;
}

/** A mark within YAML could be read as something else, so values are scrubbed and printed again. */
async function scrubYaml(text: string, scrubbed: string): Promise<string> {
  const { Document, parseDocument } = await import('../lazy-yaml.ts');
  const document = parseDocument(text);
  if (document.errors.length > 0) return scrubbed;
  const value: unknown = document.toJS();
  const clean = await scrubTexts(value);
  return clean === value ? text : new Document(clean).toString(printOptions);
}
