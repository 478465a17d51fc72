/** The inbox for a person. */
import type { InboxActed, InboxItem, InboxKind, InboxList } from '../../../features/inbox/contract.ts';
import type { Renderer } from '../parts.ts';
import { type Format, oneLine, plainText, type Terminal } from '../terminal.ts';

const marks: Readonly<Record<InboxKind, readonly [string, Format]>> = {
  request: ['◐', 'yellow'],
  question: ['◐', 'yellow'],
  approval: ['◐', 'yellow'],
  review: ['◐', 'yellow'],
  yield: ['◐', 'yellow'],
  conflict: ['▲', 'red'],
  problem: ['▲', 'red'],
};
/** Lines of what is asked; the rest is at the thing itself. */
const detailLines = 6;

function renderList({ items }: InboxList, term: Terminal): string {
  if (items.length === 0) return `${term.style('dim', 'Nothing waits for you.')}\n`;
  return items.map((item) => renderItem(item, term)).join('\n');
}

function renderItem(item: InboxItem, term: Terminal): string {
  const [mark, format] = marks[item.kind];
  const place = [item.project ?? '', `since ${item.since.slice(0, 16).replace('T', ' ')} UTC`];
  const about = item.kind === 'problem' ? '' : `  ${plainText(item.subject.title)}\n`;
  const lines = plainText(item.detail)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const detail = lines.slice(0, detailLines).map((line) => `  ${oneLine(line, term.width - 2)}\n`);
  const more = lines.length > detailLines ? `  ${term.style('dim', '…')}\n` : '';
  const verbs = item.actions.map(({ verb, asks, required }) => `${verb}${wordsFor(asks, required)}`).join(' | ');
  const answer = term.hint(`guild-hall inbox act ${item.id} ${verbs}`);
  return [
    `${term.style(format, mark)} ${term.style('bold', oneLine(item.title, 200))}\n`,
    `  ${term.style('dim', place.filter((part) => part !== '').join(' · '))}\n`,
    about,
    ...detail,
    more,
    item.actions.length === 0 ? '' : `  ${term.style('dim', answer)}\n`,
  ].join('');
}

function wordsFor(asks: InboxItem['actions'][number]['asks'], required: boolean): string {
  if (asks !== 'text' && asks !== 'date') return '';
  const word = asks === 'date' ? 'date' : 'text';
  return required ? ` <${word}>` : ` [${word}]`;
}

function renderActed({ label, subject, operation, id }: InboxActed, term: Terminal): string {
  const next = operation === 'meeting.accept' ? `guild-hall meeting show ${subject.id}` : '';
  const about = `${label}: ${plainText(subject.title)}`;
  return `${term.style('green', '✓')} ${about}\n${term.style('dim', next === '' ? id : term.hint(next))}\n`;
}

export const inboxRenderers: Readonly<Record<string, Renderer>> = {
  'inbox.list': renderList,
  ...Object.fromEntries(
    ['act', 'answer', 'approve', 'deny', 'dismiss', 'defer', 'retry'].map((verb) => [`inbox.${verb}`, renderActed]),
  ),
};
