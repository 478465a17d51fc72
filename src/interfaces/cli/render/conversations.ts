/** Conversations of terminals, for a person. */
import type {
  Conversation,
  ConversationList,
  ConversationStarted,
  ConversationView,
  Message,
} from '../../../features/gatherings/contract.ts';
import type { Renderer } from '../parts.ts';
import { type Format, marked, oneLine, plainText, type Terminal } from '../terminal.ts';
import { hanging } from '../wrap.ts';
import { minuteOf } from './facts.ts';
import { renderTable } from './table.ts';

const states: Readonly<Record<Conversation['state'], readonly [string, Format]>> = {
  open: ['● open', 'green'],
  paused: ['▲ paused', 'yellow'],
  ended: ['○ ended', 'dim'],
};

function renderStarted({ conversation, opening }: ConversationStarted, term: Terminal): string {
  const { id, turns } = conversation;
  const names = namesOf(conversation);
  const head = `✓ ${term.style('bold', plainText(names))} talk with each other: ${id}\n`;
  const first = nameOf(conversation, 1);
  const came = opening === null ? '' : `Your words ${fateOf(opening.receipt, first).replace(/^waits/, 'wait')}.\n`;
  const asks = `You are asked after ${turnsOf(turns)} of each. Look on: guild-hall conversation show ${id}`;
  return `${head}${plainText(came)}${term.style('dim', term.hint(asks))}\n`;
}

function renderList({ conversations }: ConversationList, term: Terminal): string {
  if (conversations.length === 0) {
    const next = 'There are none. Begin one: guild-hall conversation start <A> <B>';
    return `${term.style('dim', term.hint(next))}\n`;
  }
  const rows = conversations.map((row) => [
    marked(term, states[row.state]),
    row.id,
    String(row.messages),
    minuteOf(row.lastAt),
    plainText(namesOf(row)),
  ]);
  return renderTable(['state', 'id', 'messages', 'last (UTC)', 'who'], rows, term);
}

function renderShown({ conversation, messages, earlier, used, allowed }: ConversationView, term: Terminal): string {
  const { id, members, turns } = conversation;
  const head = `${marked(term, states[conversation.state])}  ${term.style('bold', plainText(namesOf(conversation)))}  ${id}\n`;
  const counted = members.map(({ name }, index) => `${name} ${used[index] ?? 0}`).join(', ');
  const why = whyOf(conversation);
  const facts = `turns: ${counted} of ${turns}${why === '' ? '' : `; ${why}`}`;
  const before = earlier === 0 ? '' : term.style('dim', `\n… ${earlier} earlier messages\n`);
  const said = messages.map((message) => renderMessage(conversation, message, term)).join('');
  const verbs = allowed.map((verb) => `guild-hall conversation ${verb} ${id}`);
  const next = verbs.length === 0 ? '' : `\n${term.style('dim', term.hint(`Next: ${verbs.join('\n      ')}`))}\n`;
  return `${head}${term.style('dim', plainText(facts))}\n${before}${said}${next}`;
}

function renderMessage(conversation: Conversation, message: Message, term: Terminal): string {
  const { from, at, text } = message;
  const speaker = conversation.members.find(({ number }) => number === from);
  const name = speaker === undefined ? (from === 'person' ? 'You' : 'The hall') : `${speaker.name} (${speaker.number})`;
  const marks = [minuteOf(at), ...reachOf(conversation, message)].join('; ');
  const words = plainText(text)
    .split('\n')
    .map((line) => `  ${term.isTty ? hanging(line, 2, term.width) : line}`.trimEnd())
    .join('\n');
  return `\n${term.style('bold', plainText(name))}  ${term.style('dim', oneLine(marks, 300))}\n${words}\n`;
}

/** What became of it, at each that it was for. Of the hall's own lines only what went wrong is news. */
function reachOf(conversation: Conversation, { from, fate, receipts }: Message): string[] {
  if (fate === 'aside') return ['went to nobody'];
  if (fate === 'held') return [conversation.state === 'ended' ? 'held, went to nobody' : 'held until it goes on'];
  const news = from === 'hall' ? receipts.filter(({ receipt }) => receipt.state === 'failed') : receipts;
  return news.map(({ to, receipt }) => fateOf(receipt, nameOf(conversation, to)));
}

function fateOf(receipt: Message['receipts'][number]['receipt'], name: string): string {
  if (receipt.state === 'delivered') return `reached ${name}`;
  return receipt.state === 'failed' ? `did not reach ${name}: ${receipt.why}` : `waits until ${name} is free`;
}

const turnsOf = (turns: number): string => (turns === 1 ? '1 turn' : `${turns} turns`);

function whyOf(conversation: Conversation): string {
  const { pause, end } = conversation;
  if (pause !== null)
    return { budget: 'each side had its turns', idle: 'nobody said anything', loop: 'the same words go round' }[
      pause.why
    ];
  if (end === null) return '';
  const { reason } = end;
  if (reason.kind === 'hall') return reason.why;
  if (reason.kind === 'member') {
    const why = reason.why === undefined ? '' : ` (${oneLine(reason.why, 100)})`;
    return `the terminal of ${nameOf(conversation, reason.number)} ended${why}`;
  }
  return `${reason.by === 'person' ? 'you' : nameOf(conversation, reason.by)} closed it`;
}

function nameOf({ members }: Conversation, number: number): string {
  return members.find((member) => member.number === number)?.name ?? String(number);
}

function namesOf({ members }: Pick<Conversation, 'members'>): string {
  return members.map(({ name }) => name).join(' and ');
}

export const conversationRenderers: Readonly<Record<string, Renderer>> = {
  'conversation.start': renderStarted,
  'conversation.list': renderList,
  'conversation.show': renderShown,
  'conversation.end': (conversation: Conversation, term) =>
    `✓ The conversation of ${plainText(namesOf(conversation))} has ended.\n${term.style('dim', 'Their terminals go on.')}\n`,
  'conversation.extend': (conversation: Conversation) =>
    `✓ The conversation of ${plainText(namesOf(conversation))} goes on: ${turnsOf(conversation.turns)} of each.\n`,
};
