/** What is decided of the inbox from values alone: its order, which item is meant, what an answer becomes. */
import { refuse, type Decision } from '../../kernel/pure/errors.ts';
import { resolveShortId } from '../../kernel/pure/short-ids.ts';
import type { InboxAction, InboxItem, WaitingItem } from './contract.ts';

/** The longest waiting first; what is wrong comes after what is asked. */
export function ordered(items: readonly InboxItem[]): InboxItem[] {
  const isProblem = (item: InboxItem): number => (item.kind === 'problem' ? 1 : 0);
  return items.toSorted(
    (a, b) =>
      isProblem(a) - isProblem(b) || (a.since === b.since ? (a.id < b.id ? -1 : 1) : a.since < b.since ? -1 : 1),
  );
}

/** Each id once: of two that are told by the same name, the first. */
export function eachOnce(items: readonly WaitingItem[]): WaitingItem[] {
  const told = new Set<string>();
  return items.filter(({ id }) => !told.has(id) && told.add(id));
}

/** @throws HallError `not_found`, or `invalid` naming those that fit */
export function itemMeant(items: readonly InboxItem[], given: string): InboxItem {
  const dashed = (id: string): string => id.replaceAll('.', '-');
  const exact = items.find(({ id }) => id === given);
  if (exact !== undefined) return exact;
  const ids = items.map(({ id }) => dashed(id));
  const id = resolveShortId(dashed(given), ids, { noun: 'item of the inbox', listCommand: 'guild-hall inbox' });
  return items[ids.indexOf(id)]!;
}

/** The input of the operation that `verb` stands for, with the person's words in it. */
export function decideAct(
  item: InboxItem,
  verb: string,
  text: string,
): Decision<{ readonly action: InboxAction; readonly input: Record<string, unknown> }> {
  const action = item.actions.find((each) => each.verb === verb);
  const verbs = item.actions.map((each) => each.verb).join(', ');
  if (action === undefined) {
    return refuse(
      'invalid',
      `"${verb}" is no answer to ${item.id}. It can be answered with: ${verbs || 'nothing, it has to be mended'}.`,
      item.actions.length === 0 ? item.detail : `guild-hall inbox act ${item.id} ${item.actions[0]!.verb}`,
      { verbs: item.actions.map((each) => each.verb) },
    );
  }
  const { field } = action;
  if (field === null && text !== '') {
    return refuse(
      'invalid',
      `"${verb}" takes no words: ${action.label} does one thing.`,
      `Without words: guild-hall inbox act ${item.id} ${verb}`,
    );
  }
  if (field !== null && action.required && text === '') {
    const what = action.asks === 'date' ? 'a date, like 2026-03-31' : 'your words';
    return refuse(
      'invalid',
      `"${verb}" needs ${what}.`,
      `guild-hall inbox act ${item.id} ${verb} ${action.asks === 'date' ? '<date>' : '"…"'}`,
    );
  }
  const input = field === null || text === '' ? action.input : { ...action.input, [field]: text };
  return { ok: true, next: { action, input: { ...input } }, events: [], todo: [] };
}

/** The items that both lists have the same of: nothing came, went or changed. */
export function isSameList(a: readonly WaitingItem[], b: readonly WaitingItem[]): boolean {
  const told = (items: readonly WaitingItem[]): string => JSON.stringify(items.map(({ id, title }) => [id, title]));
  return told(a) === told(b);
}
