/**
 * From the journal of an attempt to what a screen shows of it. Pure; shared by hall, command line and web. An entry that
 * is folded in already changes nothing, so the same end comes from reading all at once and from following it live.
 */
import type { JournalEntry } from '../contract/journal.ts';
import type { CommissionUsage } from '../contract/usage.ts';

type Entry<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { kind: Kind }>;
type Plain = 'started' | 'retry' | 'progress' | 'question' | 'decision' | 'artifact' | 'result' | 'heard' | 'ended';

/** `n`: line of the journal with which it began; `at`: when. */
export type LiveItem =
  /** Words, or thoughts, that came one after another. */
  | { readonly kind: 'text' | 'thought'; readonly n: number; readonly at: string; readonly text: string }
  /** A call, with what it came to; `isOpen`: it is under way. One that ended without a result has neither. */
  | {
      readonly kind: 'tool';
      readonly n: number;
      readonly at: string;
      readonly callId: string;
      readonly name: string;
      readonly input: string;
      readonly isOpen: boolean;
      readonly result: { readonly ok: boolean; readonly summary: string; readonly at: string } | null;
    }
  | Entry<Plain>;

export interface LiveLog {
  /** At most `mostItems`, in order. An item that does not change stays the same object. */
  readonly items: readonly LiveItem[];
  /** Earlier items were left out. */
  readonly isCut: boolean;
  /** The last line that is folded in; 0: none. */
  readonly n: number;
  /** Of the attempt so far. */
  readonly usage: CommissionUsage | null;
}

export const mostItems = 500;
/** Words are joined up to so many characters; what comes after begins another item. */
const longestText = 20_000;

export const emptyLog: LiveLog = { items: [], isCut: false, n: 0, usage: null };

/** The log of entries in order. @param isCut the journal has earlier ones */
export function liveOf(entries: readonly JournalEntry[], isCut = false): LiveLog {
  return entries.reduce(foldLive, { ...emptyLog, isCut });
}

export function foldLive(log: LiveLog, entry: JournalEntry): LiveLog {
  if (entry.n <= log.n) return log;
  const next = { ...log, n: entry.n };
  switch (entry.kind) {
    case 'alive':
      return next;
    case 'usage':
      return { ...next, usage: entry.usage };
    case 'text':
    case 'thought':
      return withItems(next, joined(log.items, entry));
    case 'tool':
      return withItems(next, [...log.items, callOf(entry)]);
    case 'tool_result':
      return { ...next, items: withResult(log.items, entry) };
    case 'ended':
      return withItems(next, [...log.items.map(ended), entry]);
    default:
      return withItems(next, [...log.items, entry]);
  }
}

function withItems(log: LiveLog, items: readonly LiveItem[]): LiveLog {
  if (items.length <= mostItems) return { ...log, items };
  return { ...log, items: items.slice(-mostItems), isCut: true };
}

function joined(items: readonly LiveItem[], { kind, n, at, text }: Entry<'text' | 'thought'>): readonly LiveItem[] {
  const last = items.at(-1);
  if (last === undefined || last.kind !== kind || last.text.length + text.length > longestText) {
    return [...items, { kind, n, at, text }];
  }
  return [...items.slice(0, -1), { ...last, text: last.text + text }];
}

function callOf({ n, at, callId, name, input }: Entry<'tool'>): LiveItem {
  return { kind: 'tool', n, at, callId, name, input, isOpen: true, result: null };
}

/** A result belongs to its call by id. Where the call was left out before, its result is left out too. */
function withResult(
  items: readonly LiveItem[],
  { callId, ok, summary, at }: Entry<'tool_result'>,
): readonly LiveItem[] {
  return items.map((item) =>
    item.kind === 'tool' && item.callId === callId && item.isOpen
      ? { ...item, isOpen: false, result: { ok, summary, at } }
      : item,
  );
}

/** Nothing is under way any more. */
function ended(item: LiveItem): LiveItem {
  return item.kind === 'tool' && item.isOpen ? { ...item, isOpen: false } : item;
}
