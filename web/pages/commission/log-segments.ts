/** The live log as it is read: words like a document, tool calls in groups, facts between. Pure. */
import type { LiveItem } from '../../../src/features/commissions/fold/live.ts';
import type { ToolCallView } from '../../../src/features/meetings/contract.ts';
import { toolName } from '../../kit/steps/steps.ts';

type ToolItem = Extract<LiveItem, { kind: 'tool' }>;
export type WordsItem = Extract<LiveItem, { kind: 'text' | 'thought' }>;
/** Items that stand for themselves. */
export type FactItem = Exclude<LiveItem, ToolItem | WordsItem>;

export type Segment =
  | { readonly kind: 'words'; readonly item: WordsItem }
  | { readonly kind: 'fact'; readonly item: FactItem }
  | { readonly kind: 'steps'; readonly items: readonly ToolItem[]; readonly calls: readonly ToolCallView[] };

/** Number of the journal's line with which it began. */
export const numberOf = (segment: Segment): number => (segment.kind === 'steps' ? segment.items[0]!.n : segment.item.n);

/** @param before segments of the items a moment ago: those that are the same stay the same objects */
export function segmentsOf(items: readonly LiveItem[], before: readonly Segment[] = []): readonly Segment[] {
  const known = new Map(before.map((segment) => [numberOf(segment), segment]));
  const segments: Segment[] = [];
  let group: ToolItem[] = [];
  const closeGroup = () => {
    const [first] = group;
    if (first !== undefined) segments.push(sameSteps(known.get(first.n), group) ?? stepsOf(group));
    group = [];
  };
  for (const item of items) {
    if (item.kind === 'tool') {
      if (!toldElsewhere.test(toolName(item.name))) group.push(item);
      continue;
    }
    if (item.kind === 'text' && item.text.trim() === '') continue;
    closeGroup();
    const same = known.get(item.n);
    segments.push(same !== undefined && same.kind !== 'steps' && same.item === item ? same : alone(item));
  }
  closeGroup();
  return segments;
}

/** What these did stands in an entry of its own. */
const toldElsewhere = /^(?:report_progress|log_question|submit_result|record_decision|link_artifact)$/;

function alone(item: WordsItem | FactItem): Segment {
  return isWords(item) ? { kind: 'words', item } : { kind: 'fact', item };
}

function isWords(item: WordsItem | FactItem): item is WordsItem {
  return item.kind === 'text' || item.kind === 'thought';
}

function sameSteps(before: Segment | undefined, items: readonly ToolItem[]): Segment | undefined {
  if (before?.kind !== 'steps' || before.items.length !== items.length) return undefined;
  return before.items.every((item, nth) => item === items[nth]) ? before : undefined;
}

function stepsOf(items: readonly ToolItem[]): Segment {
  return { kind: 'steps', items, calls: items.map(callOf) };
}

function callOf({ callId, name, input, result }: ToolItem): ToolCallView {
  const shown = result === null ? null : { ok: result.ok, summary: result.summary };
  return { callId, name, input: readInput(input), line: toolName(name), result: shown, after: 0 };
}

/** A long input is cut, and no JSON any more. */
function readInput(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' ? read : { input: text };
  } catch {
    return text === '' ? {} : { input: text };
  }
}
