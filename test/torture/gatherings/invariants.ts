/** What must hold of a gathering when it is closed, however often it was disturbed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Gathering, gatheringSchema } from '../../../src/features/gatherings/contract/gathering.ts';
import { gitIn } from '../parts/hall-process.ts';
import { heardBy, members, type Place } from './place.ts';
import type { Person } from './person.ts';

interface Line {
  readonly did: string;
  readonly message?: Said;
  readonly id?: string;
  readonly to?: number;
  readonly receipt?: { readonly state: string };
}
interface Said {
  readonly id: string;
  readonly number: number;
  readonly kind: string;
  readonly from: string | number;
  readonly text: string;
  readonly to: readonly number[];
}

export interface Found {
  readonly lost: string[];
  readonly wrong: string[];
}

export function findIn(place: Place, person: Person): Found {
  const found: Found = { lost: [], wrong: [...person.wrong] };
  if (person.id === undefined) return { ...found, wrong: [...found.wrong, 'it never began'] };
  const folder = join(place.home, 'state', 'gatherings', person.id);
  const parsed = gatheringSchema.safeParse(JSON.parse(readFileSync(join(folder, 'gathering.json'), 'utf8')));
  if (!parsed.success) return { ...found, wrong: [...found.wrong, `its file does not parse: ${parsed.error.message}`] };
  const gathering = parsed.data;
  const lines = readFileSync(join(folder, 'messages.jsonl'), 'utf8').split('\n').flatMap(parseLine);
  const said = lines.flatMap(({ message }) => (message === undefined ? [] : [message]));
  checkEnd(place, gathering, found);
  for (const { id, kind } of gathering.outbox)
    if (!said.some((message) => message.id === id)) found.lost.push(`a notice was not sent: ${kind} ${id}`);
  checkWords(said, gathering, person, found);
  checkTurns(said, gathering, found);
  for (const name of members) checkHeard(place, { gathering, said, lines, name }, found);
  return found;
}

/** A line that a killed hall did not finish is no line. */
function parseLine(line: string): Line[] {
  try {
    return line === '' ? [] : [JSON.parse(line) as Line];
  } catch {
    return [];
  }
}

function checkEnd({ integration }: Place, { id, stage, end }: Gathering, { lost, wrong }: Found): void {
  if (stage !== 'closed' || end === null) return void wrong.push(`it is not closed: ${stage}`);
  const trail = join(integration, end.trail);
  const text = existsSync(trail) ? readFileSync(trail, 'utf8') : '';
  const entries = text.split(id).length - 1;
  if (entries !== 1) wrong.push(`the trail names it ${entries} times`);
  for (const { path } of end.harvested)
    if (path.startsWith('.lore/') && !existsSync(join(integration, path))) lost.push(`${path} is not there`);
  const committed = gitIn(integration, 'ls-tree', '-r', '--name-only', 'claude/main').split('\n');
  for (const path of [end.trail, ...end.harvested.map((each) => each.path)])
    if (path.startsWith('.lore/') && !committed.includes(path)) lost.push(`${path} is not committed`);
}

/** Everything that was acknowledged was said: in a turn, or it waits for one that never came. */
function checkWords(said: readonly Said[], gathering: Gathering, { taken }: Person, { lost, wrong }: Found): void {
  const kept = new Set(gathering.kept.map(({ id }) => id));
  for (const { id, text } of taken) {
    const isThere = said.some((message) => message.id === id || message.text.includes(text));
    if (!isThere && !kept.has(id)) lost.push(`acknowledged and not said: ${text}`);
  }
  // Members say it to what they hear without the piece, and never with it.
  for (const { kind, text, number } of said)
    if (kind === 'words' && text === 'listening')
      wrong.push(`what was said without the piece was relayed: message ${number}`);
  const ids = said.map(({ id }) => id);
  if (new Set(ids).size !== ids.length) wrong.push('a message stands twice in its log');
}

/** One after the other, and never two at once: the numbers of turns go up by one. */
function checkTurns(said: readonly Said[], { id }: Gathering, { wrong }: Found): void {
  const turns = said.flatMap((message) => {
    const number = message.id.startsWith(`${id}-piece-`) ? Number(message.id.slice(`${id}-piece-`.length)) : Number.NaN;
    return Number.isNaN(number) ? [] : [number];
  });
  if (turns.some((turn, nth) => turn !== nth + 1)) wrong.push(`turns are not in order: ${turns.join(' ')}`);
}

interface Member {
  readonly gathering: Gathering;
  readonly said: readonly Said[];
  readonly lines: readonly Line[];
  readonly name: string;
}

/** What a member was told it took, once each and in the order of the log; what was reported as delivered it took. */
function checkHeard(place: Place, { gathering, said, lines, name }: Member, { lost, wrong }: Found): void {
  const seat = gathering.seats.find((each) => each.name === name);
  if (seat === undefined) return void wrong.push(`${name} has no seat`);
  const heard = heardBy(place, name);
  // Words, that can be told from all others by their number.
  const words = said.filter(({ kind, to }) => kind === 'words' && to.includes(seat.number));
  const places = words.map(({ text }) => {
    // In a beat a line of it stands again.
    const isIt = (line: string): boolean => /^[^\n]+ \(\d+\):\n\n/.test(line) && line.endsWith(text);
    return { text, at: heard.flatMap((line, at) => (isIt(line) ? [at] : [])) };
  });
  for (const { text, at } of places) if (at.length > 1) wrong.push(`${name} got twice: ${text.slice(0, 80)}`);
  const order = places.flatMap(({ at }) => at.slice(0, 1));
  if (order.some((at, nth) => nth > 0 && at < order[nth - 1]!)) wrong.push(`${name} got words out of order`);
  const delivered = new Set(
    lines.flatMap(({ did, id, to, receipt }) =>
      did === 'came' && to === seat.number && receipt?.state === 'delivered' ? [id] : [],
    ),
  );
  for (const { id, text } of words) {
    const isHeard = places.some((each) => each.text === text && each.at.length > 0);
    if (delivered.has(id) && !isHeard)
      lost.push(`reported as delivered to ${name}, and not taken: ${text.slice(0, 80)}`);
  }
}
