/**
 * Talking with another terminal. What came from it is looked up in the project; the answer tells one place that neither
 * has named yet, and asks on about something that stands there.
 */
import { callMove, type Move, type RehearsalPlay, sayMove } from '../move.ts';
import type { OfferedTool, Situation, SituationTurn } from '../situation.ts';
import { type Hit, hitsOf, kindOfFile } from './evidence.ts';
import { at, code, codeLine, listed, paragraphs, shortened } from './markdown.ts';
import { canSearch, fillInput, offeredTool } from './offered.ts';
import { replayScript } from './script.ts';
import { grep, type Step } from './search.ts';
import { escapePattern, readTerms, unique } from './words.ts';

/** How the hall gives what another terminal said. */
export const relayed = /^([^\n]{1,80}?) \(\d+\):[ \t]*\n+([\s\S]+)$/;
/** A line of the hall itself, which wants no answer. */
const fromHall = /^\[guild-hall\] /;
/** The person's order to begin. */
const order =
  /^(?:please\s+)?(?:talk|speak|confer|discuss) (?:to|with) ([\w-]{1,80})(?:\s+about\s+([\s\S]+?))?[.!]?\s*$/i;
/** After so many answers of its own it has said enough. */
const maxAnswers = 5;
const maxCandidates = 6;

export const conversePlay: RehearsalPlay = {
  name: 'converse',
  priority: 60,
  play: (situation) => {
    if (situation.activityKind !== 'terminal') return undefined;
    const text = situation.turn.userText.trim();
    if (fromHall.test(text)) return sayMove('Noted.');
    const [, who, about = 'this project'] = order.exec(text) ?? [];
    if (who !== undefined) return beginWith(situation, who, about);
    const [, name, words] = relayed.exec(text) ?? [];
    if (name === undefined || words === undefined) return undefined;
    // What it quotes is not what it says.
    return replayScript(situation, answering(situation, name, words.replaceAll(/^>.*$/gm, '').trim()));
  },
};

/** So often it looks around before it counts as sure that there is nobody to talk to. */
const maxLooks = 8;

/** The agent's program tells of the hall's tools when it is connected with it, which may be after the first words. */
function beginWith(situation: Situation, who: string, about: string): Move | undefined {
  const tool = offeredTool(situation, 'send_message');
  const { calls } = situation.turn;
  if (tool !== undefined) {
    const at = calls.findIndex(({ name }) => name === tool.name);
    const own = at === -1 ? [] : calls.slice(at);
    return replayScript(
      { ...situation, turn: { ...situation.turn, calls: own } },
      beginning(situation, tool, { who, about }),
    );
  }
  if (!canSearch(situation) || calls.length >= maxLooks) return undefined;
  const { names, words } = readTerms(about);
  const { name, input } = grep([...names, ...words].map(escapePattern).join('|') || '.', {
    '-i': true,
    head_limit: 20,
  });
  return callMove({ name, input });
}

interface Wish {
  readonly who: string;
  readonly about: string;
}

function* beginning(situation: Situation, tool: OfferedTool, { who, about }: Wish): Step<string> {
  const message = `I am to talk with you about ${about.trim()}. What do you find of it in the project?`;
  const values = { session_id: who, sessionId: who, message };
  const [call] = yield [{ name: tool.name, input: { ...fillInput(tool, values), direct: true } }];
  const said = shortened((call?.result?.text ?? '').trim(), 300);
  if (call?.result?.isError === true) return `I could not reach ${who}: ${said}`;
  const candidates = candidatesIn(about, []);
  const found = canSearch(situation) && candidates.length > 0 ? yield* lookUp(situation, candidates) : [];
  // The other will tell of the first.
  const hit = freshOf(found.toReversed(), []);
  if (hit === undefined) return `I wait for what you find, ${who}.`;
  return `As a beginning: at ${at(hit)} I read ${codeLine(hit.text)}.`;
}

function* answering(situation: Situation, name: string, words: string): Step<string> {
  const before = situation.turns.filter(({ userText }) => relayed.test(userText.trim()));
  const told = [...before.map(({ assistantText }) => assistantText), ...before.map(({ userText }) => userText), words];
  if (before.length >= maxAnswers) return closing(before);
  if (!canSearch(situation)) return withoutTools(name, words, before.length);
  const candidates = candidatesIn(words, before);
  const found = candidates.length === 0 ? [] : yield* lookUp(situation, candidates);
  const hit = freshOf(found, told);
  if (hit !== undefined) return withPlace({ name, hit, candidates, count: before.length, told });
  const [headings] = yield [grep('^#{1,3} \\S', { glob: '*.md', head_limit: 60 })];
  const heading = freshOf(hitsOf(situation, headings), told);
  const nothing =
    candidates.length === 0 ? '' : `Of ${listed(candidates.slice(0, 3).map(code))} I find nothing new here.`;
  if (heading === undefined) return paragraphs(nothing, 'I have looked where I can, and add nothing to it.');
  const about = heading.text.replace(/^#+\s*/, '');
  return paragraphs(
    nothing,
    `What the project says of itself at ${at(heading)} may help us: “${shortened(about, 100)}”. Does it bear on your question, ${name}?`,
  );
}

/** What is to be looked up: what the last question names before all else, and nothing twice. */
function candidatesIn(words: string, before: readonly SituationTurn[]): string[] {
  const asked = words
    .split(/(?<=[.?!])\s+/)
    .filter((sentence) => sentence.includes('?'))
    .join(' ');
  const plain = (text: string): string => text.replaceAll(/`[^`\s]+:\d+`/g, ' ');
  const all = [asked, words].flatMap((text) => {
    const { names, files, words: ordinary } = readTerms(plain(text));
    return [...names, ...files, ...ordinary];
  });
  const done = before.flatMap(({ calls }) => calls.map(({ input }) => String(input['pattern'] ?? '')));
  return unique(all)
    .filter((term) => isTerm(term) && !done.some((pattern) => pattern.includes(escapePattern(term))))
    .slice(0, maxCandidates);
}

/** What these answers are made of tells nothing of the project. */
const frame = new Set(
  'beginning belongs comes find first fit followed going list look looked name place project read seen talk wait'.split(
    ' ',
  ),
);

/** A word or a name, no piece of code. */
export function isTerm(text: string): boolean {
  return text.length > 2 && /^[\p{L}_$][\w$./-]*$/u.test(text) && !frame.has(text);
}

export function* lookUp(situation: Situation, candidates: readonly string[]): Step<Hit[]> {
  const pattern = candidates.map(escapePattern).join('|');
  const [call] = yield [grep(pattern, { '-i': true, head_limit: 80 })];
  const hits = hitsOf(situation, call);
  const rank = (hit: Hit): number => {
    const line = hit.text.toLowerCase();
    const first = candidates.findIndex((term) => line.includes(term.toLowerCase()));
    return (first === -1 ? maxCandidates : first) * 2 + (kindOfFile(hit.path) === 'source' ? 0 : 1);
  };
  return hits.toSorted((a, b) => rank(a) - rank(b));
}

/** The first place that nobody has named. */
export function freshOf(hits: readonly Hit[], told: readonly string[]): Hit | undefined {
  return hits.find(
    ({ path, line, text }) => text.trim().length > 3 && !told.some((words) => words.includes(`${path}:${line}\``)),
  );
}

interface Found {
  readonly name: string;
  readonly hit: Hit;
  readonly candidates: readonly string[];
  readonly count: number;
  readonly told: readonly string[];
}

const openings = ['You name', 'As to', 'I followed', 'Going on from', 'Of'] as const;
const questions = [
  (name: string) => `That is one place more for our list, ${name}. Where would you look next?`,
  (name: string) => `Does that fit what you have seen, ${name}?`,
  () => 'What else belongs to it?',
] as const;

function withPlace({ name, hit, candidates, count, told }: Found): string {
  const term = candidates.find((each) => hit.text.toLowerCase().includes(each.toLowerCase())) ?? candidates[0]!;
  const next = readTerms(hit.text).names.find(
    (other) => isTerm(other) && other !== term && !told.some((words) => words.includes(code(other))),
  );
  const opening = openings[count % openings.length]!;
  return paragraphs(
    `${opening} ${code(term)}: at ${at(hit)} I read ${codeLine(hit.text)}.`,
    next === undefined
      ? questions[count % questions.length]!(name)
      : `There ${code(next)} comes in. What do you find of ${code(next)}, ${name}?`,
  );
}

function closing(before: readonly SituationTurn[]): string {
  const places = unique(before.flatMap(({ assistantText }) => assistantText.match(/`[^`\s]+:\d+`/g) ?? []));
  if (places.length === 0) return 'We have said what we know. From my side this is enough.';
  return `Together we have looked at ${listed(places.slice(0, 6))}. From my side this is enough for now.`;
}

function withoutTools(name: string, words: string, count: number): string {
  const { names, words: ordinary } = readTerms(words);
  const terms = unique([...names, ...ordinary]).slice(count, count + 2);
  const about = terms.length === 0 ? 'what you say' : listed(terms.map(code));
  return `I cannot look into the project from here, ${name}, so of ${about} I know only your words. Which file holds it?`;
}
