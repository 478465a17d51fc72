/**
 * `guild-hall __complete <words>`: what a shell asks when somebody presses Tab. Lines of `<value>\t<about>`; a last line
 * `:files` says that paths belong here. It is silent where it does not know, also about why.
 */
import type { CliParts } from '../parts.ts';
import { oneLine } from '../terminal.ts';
import type { Candidate } from './candidates.ts';
import { type Place, placeOf } from './place.ts';
import { surfaceOf } from './surface.ts';

export const completeWord = '__complete';

/** Milliseconds for which somebody waits at a Tab. */
const patienceMs = 1500;
const aboutLength = 60;

type CompletionParts = Pick<
  CliParts,
  | 'candidates'
  | 'connect'
  | 'descriptions'
  | 'follows'
  | 'nounSummaries'
  | 'ownCommands'
  | 'projectHere'
  | 'sleep'
  | 'terminal'
>;

/** @param words after the program's name, up to the cursor; the last one is begun, or empty. @returns the exit code: 0 */
export async function runCompletion(parts: CompletionParts, words: readonly string[]): Promise<number> {
  const place = placeOf(surfaceOf(parts), words);
  const current = words.at(-1) ?? '';
  const found = place.kind === 'words' ? place.candidates : await candidatesOf(parts, place);
  const lines = found
    // What holds a control character cannot be typed.
    .filter(({ value }) => value.startsWith(current) && !/\p{Cc}/u.test(value))
    .map(({ value, about }) => `${value}\t${oneLine(about, aboutLength)}\n`);
  const takesFiles = place.kind === 'value' && place.value.isPath;
  parts.terminal.out(`${lines.join('')}${takesFiles ? ':files\n' : ''}`);
  return 0;
}

async function candidatesOf(
  parts: CompletionParts,
  place: Extract<Place, { kind: 'value' }>,
): Promise<readonly Candidate[]> {
  const { value, before, otherwise } = place;
  const known = value.choices.length > 0 ? value.choices : await askHall(parts, place);
  const whole = known.map((candidate) => ({ ...candidate, value: before + candidate.value }));
  return whole.length > 0 || value.isPath ? whole : otherwise;
}

async function askHall(
  parts: CompletionParts,
  { operation, value, typed, given }: Extract<Place, { kind: 'value' }>,
): Promise<readonly Candidate[]> {
  const source = parts.candidates[`${operation}.${value.field}`] ?? parts.candidates[value.field];
  if (source === undefined) return [];
  const enough = new AbortController();
  const ask = async (): Promise<readonly Candidate[]> => {
    const client = await parts.connect();
    const project = async () => given['project'] ?? (await parts.projectHere(client));
    return await source({ client, typed, given, project });
  };
  const late = async (): Promise<readonly Candidate[]> => {
    await parts.sleep(patienceMs, enough.signal);
    return [];
  };
  try {
    return await Promise.race([ask(), late()]);
  } catch {
    // No hall, or one that refuses: a Tab is no place to say so.
    return [];
  } finally {
    enough.abort();
  }
}
