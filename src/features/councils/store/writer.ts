/** The one writer of councils: nothing of a council comes to the root's disk but through here. */
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseDocument } from 'yaml';
import { writeAtomically } from '../../../kernel/artifacts/write.ts';
import { printOptions } from '../../../kernel/artifacts/yaml-text.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { isBoundaryViolation, requireInside } from './boundary.ts';
import { scrubCouncil, scrubTexts } from './scrub.ts';

/** Refusals are logged where there is a log. */
type WriterContext = Partial<LogContext>;

export interface CouncilWrite {
  /** Permission bits. Left out: those of the file that is there, else what the system gives. */
  readonly mode?: number;
  /** What its end is kept for: text that was there before keeps its bytes, whatever it looks like. */
  readonly before?: string;
}

/**
 * Replaces the file as a whole: boundary, secrets taken out, one rename. Missing folders are made.
 * @param path relative to the root
 * @returns the absolute path
 * @throws `forbidden` with the HALT line for every other place
 */
export async function writeCouncilFile(
  ctx: WriterContext,
  root: string,
  path: string,
  text: string,
  write: CouncilWrite = {},
): Promise<string> {
  const scrubbed = await scrubFile(path, text, write.before);
  const target = await requireLogged(ctx, root, path);
  await mkdir(dirname(target), { recursive: true });
  await requireLogged(ctx, root, path);
  await writeAtomically(target, scrubbed, write.mode === undefined ? {} : { mode: write.mode });
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

async function scrubFile(path: string, text: string, before: string | undefined): Promise<string> {
  const kept = before !== undefined && text.startsWith(before) ? before.length : 0;
  const rest = text.slice(kept);
  const scrubbed = await scrubCouncil(rest);
  if (scrubbed === rest) return text;
  return path.endsWith('.yaml') ? await scrubYaml(text, kept) : text.slice(0, kept) + scrubbed;
}

/** A mark within YAML could be read as something else, so values are scrubbed and printed again. */
async function scrubYaml(text: string, kept: number): Promise<string> {
  const document = parseDocument(text);
  // Nothing was to be touched of what stood there: its writer scrubbed what it added.
  if (document.errors.length > 0 || kept > 0) return text;
  const value: unknown = document.toJS();
  const scrubbed = await scrubTexts(value);
  if (scrubbed === value) return text;
  const { Document } = await import('yaml');
  return new Document(scrubbed).toString(printOptions);
}
