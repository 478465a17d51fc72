/** The action-items registry on the disk: one writer at a time over all processes, all items or none. */
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import type { ClockContext, IdContext } from '../../../kernel/clock/clock.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { withFileLock } from '../../../kernel/processes/filelock.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { actionItemTypes } from '../contract/terms.ts';
import type { ActionItemDraft } from '../contract/drafts.ts';
import { targetOf } from '../rules/targets.ts';
import { registryPath, requireInside } from '../store/boundary.ts';
import { scrubTexts } from '../store/scrub.ts';
import { writeCouncilFile } from '../store/writer.ts';
import type { RegistryEntry } from './entries.ts';
import { withFinalIds } from './final-ids.ts';
import { extendRegistry, readRegistry } from './registry.ts';

type RegistryContext = ClockContext & IdContext & Partial<LogContext> & { readonly home: { readonly locks: string } };
export type NewItem = Pick<ActionItemDraft, 'priority' | 'assignee' | 'contextForTarget' | 'acceptance'> & {
  readonly type: string;
  /** Provisional: where another item names it, the final id comes to stand. */
  readonly id?: string | undefined;
};

export interface ItemsRequest {
  readonly items: readonly NewItem[];
  readonly sourceMeeting: string;
  /** YYYY-MM-DD, of the meeting: part of the ids. */
  readonly date: string;
  /** ISO 8601, UTC: of the write. */
  readonly created: string;
  /** Items that this meeting wrote before are taken for these: what was cut off in the middle is done again. */
  readonly isOnce: boolean;
}

/** A registry may be large; a lock is held for one read and one write of it. Milliseconds. */
const lockWaitMs = 60_000;

/**
 * Appends the items to the registry below `root`, or none of them. Without items nothing is touched.
 * @returns the final ids, in order
 * @throws `invalid` for an unknown type; `conflict` for a registry that cannot be read; `forbidden` with the HALT line
 */
export async function addActionItems(ctx: RegistryContext, root: string, request: ItemsRequest): Promise<string[]> {
  for (const { type } of request.items) requireTarget(type);
  if (request.items.length === 0) return [];
  const items = await scrubTexts(request.items);
  const path = await requireInside(root, registryPath);
  return withFileLock(
    ctx,
    await lockFor(ctx, root),
    async () => {
      const source = await readBytes(path);
      const held = readRegistry(source, path).items;
      const again = request.isOnce ? findEarlier(held, request, items) : undefined;
      if (again !== undefined) return again;
      const first = nextNumber(held, request.date);
      const ids = items.map((_, at) => `AI-${request.date}-${first + BigInt(at)}`);
      const named = Object.fromEntries(items.flatMap(({ id }, at) => (id === undefined ? [] : [[id, ids[at]!]])));
      const entries = items.map((item, at) => entryOf(withFinalIds(item, named), request, ids[at]!));
      const text = extendRegistry(source, entries, path);
      await writeCouncilFile(ctx, root, registryPath, text, { isScrubbed: true });
      return ids;
    },
    { waitMs: lockWaitMs },
  );
}

/** @throws `invalid`, naming the types that there are */
export function requireTarget(type: string): string {
  const target = targetOf(type);
  if (target !== undefined) return target;
  throw fail(
    'invalid',
    `There is no type ${JSON.stringify(type.slice(0, 100))} of action items; nothing was written.`,
    `Use one of: ${actionItemTypes.join(', ')}.`,
  );
}

/** In the home and not beside the registry, where a council has no place for it. By the real path of the root. */
async function lockFor(ctx: RegistryContext, root: string): Promise<string> {
  await mkdir(ctx.home.locks, { recursive: true, mode: 0o700 });
  const name = createHash('sha256')
    .update(await realpath(root))
    .digest('hex')
    .slice(0, 24);
  return join(ctx.home.locks, `action-items-${name}.lock`);
}

async function readBytes(path: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return '';
    throw error;
  }
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw fail(
    'conflict',
    `The registry of action items ${path} is not UTF-8 text; nothing was written.`,
    'Store it as UTF-8, then repeat.',
  );
}

/** One above the highest of that day, wherever it stands. */
function nextNumber(items: readonly unknown[], date: string): bigint {
  let highest = 0n;
  for (const item of items) {
    const number = /^AI-(\d{4}-\d{2}-\d{2})-(\d{1,30})$/.exec(fieldOf(item, 'id'));
    if (number?.[1] === date && BigInt(number[2]!) > highest) highest = BigInt(number[2]!);
  }
  return highest + 1n;
}

function entryOf(item: NewItem, request: ItemsRequest, id: string): RegistryEntry {
  return {
    id,
    created: request.created.replace(/\.\d+Z$/, 'Z'),
    source_meeting: request.sourceMeeting,
    type: item.type,
    priority: item.priority,
    status: 'open',
    target_command: requireTarget(item.type),
    assignee: item.assignee,
    context_for_target: item.contextForTarget,
    acceptance: item.acceptance,
  };
}

/** Ids of the entries that this meeting has there already: all of its items, since they are written at once. */
function findEarlier(
  held: readonly unknown[],
  { sourceMeeting, date }: ItemsRequest,
  items: readonly NewItem[],
): string[] | undefined {
  const own = held.filter(
    (item) => fieldOf(item, 'source_meeting') === sourceMeeting && fieldOf(item, 'id').startsWith(`AI-${date}-`),
  );
  if (own.length < items.length) return undefined;
  return items.map((_, at) => fieldOf(own[at], 'id'));
}

function fieldOf(item: unknown, name: string): string {
  if (typeof item !== 'object' || item === null) return '';
  const value = (item as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : '';
}
