/** How words read when they arrive: whose they are, how much of them, and what the hall itself says. Pure. */
import { type Conversation, type EndReason, maxWords, type Member, type PauseReason } from '../contract.ts';

/** `Mo (1)`. The name in one line, without what could make another line of it. */
export function calledAs({ name, number }: Pick<Member, 'name' | 'number'>): string {
  return `${oneLine(name)} (${number})`;
}

export interface Cut {
  readonly head: string;
  /** Empty where everything fits. */
  readonly rest: string;
}

/** At most `maxWords` of UTF-16, never half a character. */
export function cutWords(text: string): Cut {
  if (text.length <= maxWords) return { head: text, rest: '' };
  const last = text.charCodeAt(maxWords - 1);
  const at = last >= 0xd800 && last <= 0xdbff ? maxWords - 1 : maxWords;
  return { head: text.slice(0, at), rest: text.slice(at) };
}

/** @param restPath where the rest lies; undefined where it could not be put anywhere */
export function withRest({ head, rest }: Cut, restPath: string | undefined): string {
  if (rest === '') return head;
  const where = restPath === undefined ? 'could not be put into a file' : `are in the file ${restPath}`;
  return `${head}\n\n[… ${rest.length} characters more ${where}]`;
}

/** A member's words, as every other one gets them. */
export function attributed(speaker: Pick<Member, 'name' | 'number'>, words: string): string {
  return `${calledAs(speaker)}:\n\n${words}`;
}

/** The hall's own word, in one line. */
export function hallLine(text: string): string {
  return `[guild-hall] ${oneLine(text)}`;
}

export function titleOf({ members }: Pick<Conversation, 'members'>): string {
  return listed(members.map(({ name }) => oneLine(name)));
}

function allOf({ members }: Pick<Conversation, 'members'>): string {
  return listed(members.map(calledAs));
}

export function pausedLine(conversation: Conversation, why: PauseReason): string {
  const asks = 'The person is asked whether it goes on; no answer is needed.';
  return hallLine(`The conversation of ${allOf(conversation)} is paused: ${whyPaused(conversation, why)}. ${asks}`);
}

export function whyPaused({ turns }: Pick<Conversation, 'turns'>, why: PauseReason): string {
  if (why === 'budget') return turns === 1 ? 'one turn of each side' : `${turns} turns of each side`;
  return why === 'idle' ? 'nobody said anything for a while' : 'the same words go round';
}

export function extendedLine(conversation: Conversation): string {
  const { turns } = conversation;
  const many = turns === 1 ? 'one turn' : `${turns} turns`;
  return hallLine(`The conversation of ${allOf(conversation)} goes on, for ${many} of each side. It is your turn.`);
}

export function endedLine(conversation: Conversation, reason: EndReason): string {
  return hallLine(`The conversation of ${allOf(conversation)} has ended: ${whyEnded(conversation, reason)}.`);
}

export function whyEnded({ members }: Pick<Conversation, 'members'>, reason: EndReason): string {
  const named = (number: number): string => {
    const member = members.find((each) => each.number === number);
    return member === undefined ? `number ${number}` : calledAs(member);
  };
  if (reason.kind === 'member')
    return `the terminal of ${named(reason.number)} ended${reason.why === undefined ? '' : ` (${reason.why})`}`;
  if (reason.kind === 'hall') return `the hall could not go on (${reason.why.replace(/\.$/, '')})`;
  return `${reason.by === 'person' ? 'the person' : named(reason.by)} closed it`;
}

export function undeliveredLine(to: Member, why: string): string {
  return hallLine(`Your last words did not reach ${calledAs(to)}: ${why}`);
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, 1_000);
}

/** Of what was said last, so much is shown. Characters. */
const mostQuoted = 600;

/** As a quotation: nothing in it is read as Markdown of the hall. */
export function quoted(text: string): string {
  const shown = text.length > mostQuoted ? `${text.slice(0, mostQuoted)} …` : text;
  return shown
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
