/** What a conversation tells of the gathering that its program sits in: who it is there, what it heard, what is wanted of it now. */
import type { Situation } from '../../../kernel/agents/rehearsal/situation.ts';
import { relayed } from '../../../kernel/agents/rehearsal/plays/converse.ts';

export interface Spoken {
  readonly name: string;
  readonly words: string;
}

export interface Circle {
  readonly me: { readonly name: string; readonly number: number };
  readonly question: string;
  readonly phase: 'inhale' | 'hold' | 'exhale';
  /** What others said, oldest first, without passes. */
  readonly heard: readonly Spoken[];
  /** All that was said, its own words too. */
  readonly texts: readonly string[];
  /** Which of its own turns this is, from 1. */
  readonly turn: number;
  /** It said something in this turn already. */
  readonly hasSpoken: boolean;
  /** Other speakers who have not had the piece in this round, in order. */
  readonly waiting: readonly string[];
  readonly asked: 'seed' | 'watch' | 'piece' | 'beat' | 'last' | 'harvest' | 'nothing';
}

const seedHead = /^You are \*\*(.+?)\*\* \((\d+)\) in this gathering\./;
const pieceLine = /^The piece is now with (.+) \((\d+)\)$/gm;
const banner = /^\[guild-hall\] (Inhale|Hold|Exhale), round \d+ of \d+\./m;
const harvestAsk = /^\[guild-hall\] Now you speak\. Write the harvest/m;
const closed = /^\[guild-hall\] The gathering is closed\./m;
const announcement = /^\[guild-hall\] Announcement of /;
const beat = /^\[Beat \d+\/\d+\] /;
const closingQuestion = /Your turn is up\. What would you like to say last\?\s*$/;

interface Said {
  readonly user: string;
  readonly own: string;
}

/** Undefined where no seed came, or the gathering is closed. */
export function circleOf({ turns, turn }: Situation): Circle | undefined {
  const all = [...turns, turn].map(({ userText, assistantText }) => ({ user: userText.trim(), own: assistantText }));
  const from = all.findLastIndex(({ user }) => seedHead.test(user));
  if (from === -1) return undefined;
  const since = all.slice(from + 1);
  if (since.slice(0, -1).some(({ user }) => isOfHall(user) && closed.test(user))) return undefined;
  return readCircle(all[from]!.user, since);
}

function readCircle(seed: string, since: readonly Said[]): Circle {
  const [, name = '', number = ''] = seedHead.exec(seed)!;
  const me = { name, number: Number(number) };
  const hall = since.filter(({ user }) => isOfHall(user));
  const pieces = hall.flatMap(({ user }) => piecesIn(user));
  const own = pieces.filter((piece) => piece.number === me.number).length;
  const begun = since.findLastIndex(
    ({ user }) => isOfHall(user) && piecesIn(user).some((piece) => piece.number === me.number),
  );
  const phase = banner.exec(hall.findLast(({ user }) => banner.test(user))?.user ?? '')?.[1] ?? 'Inhale';
  return {
    me,
    question: partOf(seed, 'The opening question'),
    phase: phase.toLowerCase() as Circle['phase'],
    heard: since.flatMap(({ user }) => spokenIn(user)),
    texts: since.flatMap(({ user, own: words }) => [user, words]),
    turn: own,
    hasSpoken: begun !== -1 && since.slice(begun, -1).some(({ own: words }) => words.trim() !== ''),
    waiting: waitingOf(seed, since, me.number),
    asked: askedBy(since.at(-1)?.user, me.number),
  };
}

/** Words of others begin with their names; what the hall says does not. */
function isOfHall(text: string): boolean {
  return !relayed.test(text) && !announcement.test(text);
}

function piecesIn(text: string): { name: string; number: number }[] {
  return [...text.matchAll(pieceLine)].map(([, name = '', number = '']) => ({ name, number: Number(number) }));
}

function spokenIn(text: string): Spoken[] {
  const [, name, words] = relayed.exec(text) ?? [];
  const said = words === undefined ? '' : withoutPass(words);
  return name === undefined || said === '' ? [] : [{ name, words: said }];
}

function withoutPass(words: string): string {
  return words.replaceAll(/^\s*I pass(?: the piece)?(?: to [^\n]{1,80})?[.!]?\s*$/gim, '').trim();
}

function askedBy(text: string | undefined, own: number): Circle['asked'] {
  if (text === undefined) return 'seed';
  if (relayed.test(text) || announcement.test(text)) return 'watch';
  if (beat.test(text)) return closingQuestion.test(text) ? 'last' : 'beat';
  if (harvestAsk.test(text)) return 'harvest';
  const pieces = piecesIn(text);
  if (pieces.length > 0) return pieces.at(-1)!.number === own ? 'piece' : 'watch';
  return text.startsWith('[guild-hall]') ? 'watch' : 'nothing';
}

/** From the order in the seed, without those who had the piece since the last banner. */
function waitingOf(seed: string, since: readonly Said[], own: number): string[] {
  const line = /^Speaking order: (.+)$/m.exec(seed)?.[1] ?? '';
  const order = line.split(' → ').flatMap((each) => {
    const [, name, number] = /^(.+) \((\d+)\)$/.exec(each.trim()) ?? [];
    return name === undefined ? [] : [{ name, number: Number(number) }];
  });
  const round = since.findLastIndex(({ user }) => isOfHall(user) && banner.test(user));
  const had = since.slice(Math.max(0, round)).flatMap(({ user }) => (isOfHall(user) ? piecesIn(user) : []));
  const numbers = new Set([own, ...had.map(({ number }) => number)]);
  return order.filter(({ number }) => !numbers.has(number)).map(({ name }) => name);
}

function partOf(seed: string, heading: string): string {
  const start = seed.indexOf(`## ${heading}`);
  if (start === -1) return '';
  const rest = seed.slice(start + heading.length + 3).trimStart();
  return (/^([\s\S]*?)(?=\n## |$(?![\s\S]))/.exec(rest)?.[1] ?? rest).trim();
}

/** Whole sentences of running text; quoted and code lines are left out. */
export function sentencesIn(words: string): string[] {
  const plain = words
    .replaceAll(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(>|#|\[)/.test(line))
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+\.)\s+/, '').trim())
    .filter((line) => line !== '');
  return plain.flatMap((line) => line.split(/(?<=[.?!])\s+(?=\p{Lu})/u)).map((sentence) => sentence.trim());
}

/** `path:line` as it stands in code marks. */
export function placesIn(words: string): string[] {
  return words.match(/`[^`\s]+:\d+`/g) ?? [];
}
