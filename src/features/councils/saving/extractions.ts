/** Pins that became files of their own. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { extractionPath, type ExtractionFacts } from '../rules/extraction.ts';
import { requireInside } from '../store/boundary.ts';
import { removeCouncilFile, writeCouncilFile } from '../store/writer.ts';
import { printPlainList } from './entries.ts';

export interface ExtractionRequest extends ExtractionFacts {
  /** Ids of the action items that rest on it. */
  readonly actionItems: readonly string[];
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The bare content beside it, too: a file of code that its own language can read. */
  readonly withBare: boolean;
}

export interface Extracted {
  /** Relative to the root, as are all here. */
  readonly path: string;
  readonly written: readonly string[];
  /** Files of the same pin under another name, from an earlier time. */
  readonly removed: readonly string[];
}

/** @throws `invalid` for facts that make no path */
export function requireExtractionPath(facts: ExtractionFacts): string {
  const found = extractionPath(facts);
  if (found.ok) return found.path;
  throw fail('invalid', `The pin cannot be extracted: ${found.reason}.`, 'Drop the pin, or keep it in the notes only.');
}

/** Writes the file, then removes what the same pin left under another name. */
export async function extractPin(
  ctx: Partial<LogContext>,
  root: string,
  request: ExtractionRequest,
): Promise<Extracted> {
  const path = requireExtractionPath(request);
  const content = request.content.endsWith('\n') ? request.content : `${request.content}\n`;
  await writeCouncilFile(ctx, root, path, `${printHead(request)}${content}`);
  const bare = path.replace(/(\.[a-z]+)$/, '.bare$1');
  if (request.withBare) await writeCouncilFile(ctx, root, bare, content);
  const written = request.withBare ? [path, bare] : [path];
  const removed: string[] = [];
  for (const name of await namesIn(join(root, dirname(path)))) {
    const other = `${dirname(path)}/${name}`;
    if (!name.startsWith(`${request.id}-`) || written.includes(other)) continue;
    await removeCouncilFile(ctx, root, other);
    removed.push(other);
  }
  return { path, written, removed };
}

/** The folder was looked at by the boundary when the file was written. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
}

function printHead({ date, slug, id, actionItems, at, contentType }: ExtractionRequest): string {
  return [
    '---',
    `source_meeting: meeting-${date}-${slug}.md`,
    `source_scratchpad_id: ${id}`,
    `source_action_items: ${printPlainList(actionItems)}`,
    'extracted_by: gaia-meeting',
    `extracted_at: ${at.replace(/\.\d+Z$/, 'Z')}`,
    `content_type: ${contentType}`,
    '---',
    '',
  ].join('\n');
}

/** Before anything is written: every place is one of a council. */
export async function requireExtractionPlace(root: string, facts: ExtractionFacts): Promise<void> {
  await requireInside(root, requireExtractionPath(facts));
}
