/** The main places of a topic, read from the files: what an artifact is made of. */
import type { Situation, SituationTurn } from '../situation.ts';
import { callsIn, definedName, definitionKind, definitionPattern, endOfBlock } from './code.ts';
import { type Excerpt, excerptOf, hitsOf, kindOfFile } from './evidence.ts';
import { codeLine, listed, paragraphs, plural, quoteAt, shortened } from './markdown.ts';
import { lookUpNames } from './names.ts';
import { canSearch } from './offered.ts';
import { outcomeOf, turnsAbout } from './outcome.ts';
import { placesIn } from './question.ts';
import { resolvePlace } from './scope.ts';
import { grep, read, type Step } from './search.ts';
import { anyStem, bestDefinitions, bestLine, isUnderstood, surveyWords } from './survey.ts';
import type { Terms } from './words.ts';

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** The name that is defined there. */
  readonly name: string | undefined;
  /** One sentence on it. */
  readonly sentence: string;
  /** With the place in front. */
  readonly excerpt: string;
}

interface Spot {
  readonly path: string;
  readonly line: number;
}

const maxFindings = 6;

/** Up to six places: those of the turns about the topic, then those that a search for it finds. */
export function* gatherFindings(situation: Situation, topic: Terms): Step<Finding[]> {
  const told = turnsAbout(situation.turns, topic)
    .filter((turn) => outcomeOf(turn).kind === 'answer')
    .flatMap((turn) => mainPlaces(turn));
  const sought = canSearch(situation) ? yield* placesOfTopic(situation, topic) : [];
  const spots = apart([...told, ...sought]).slice(0, maxFindings);
  if (!canSearch(situation)) return spots.map((spot) => ({ ...spot, name: undefined, sentence: '', excerpt: '' }));
  const calls = yield spots.map((spot) => read(spot.path, spot.line - 20, 100));
  const findings = spots.flatMap((spot, i) => {
    const excerpt = excerptOf(situation, calls[i]);
    return excerpt === undefined ? [] : [findingAt(excerpt, spot)];
  });
  return [...new Map(findings.map((finding) => [`${finding.path}:${finding.line}`, finding])).values()];
}

/** The places that an answer shows first: under its headings and where its names are defined. */
function mainPlaces(turn: SituationTurn): Spot[] {
  const shown = [
    ...turn.assistantText.matchAll(/(?:defined at |^### [^\n]*\n\n(?:“[^\n]*\n\n)?)(`[^`\s]+:\d+(?:-\d+)?`)/gm),
  ];
  const places = shown.length > 0 ? placesIn(shown.map((match) => match[1]!).join(' ')) : placesIn(turn.assistantText);
  return places.filter((place) => kindOfFile(place.path) !== 'test').slice(0, 3);
}

function* placesOfTopic(situation: Situation, topic: Terms): Step<Spot[]> {
  const inFiles = yield* placesInFiles(situation, topic.files.slice(0, 2));
  if (inFiles.length > 0 && topic.names.length === 0) return inFiles;
  const named = yield* lookUpNames(situation, topic.names.slice(0, 3));
  const defined = named.flatMap((finding) => finding.definitions.slice(0, 1));
  if (defined.length > 0 || topic.words.length === 0) return defined;
  const survey = yield* surveyWords(situation, topic.words);
  if (!isUnderstood(survey, 0)) return [];
  const headings = survey.headings.filter((hit) => !hit.path.startsWith('.lore/')).slice(0, 1);
  const borne = [...bestDefinitions(survey).slice(0, 4), ...headings];
  if (borne.length > 0) return borne;
  const files = survey.ranked.filter(({ path }) => !path.startsWith('.lore/')).slice(0, 2);
  const calls = yield files.map(({ path }) => grep(anyStem(survey.words.flatMap((word) => word.roots)), { path }));
  return calls.flatMap((call) => bestLine(hitsOf(situation, call), survey.words) ?? []);
}

/** What the files that are named define, or else where they begin. */
function* placesInFiles(situation: Situation, files: readonly string[]): Step<Spot[]> {
  const spots: Spot[] = [];
  for (const file of files) {
    const place = yield* resolvePlace(situation, file);
    if (place?.kind !== 'file') continue;
    const { path } = place;
    const [call] = yield [
      grep(`^(export |default |async |pub )*${definitionPattern('\\w').slice(2)}|^#+ `, { path, head_limit: 40 }),
    ];
    const defined = hitsOf(situation, call);
    const does = (hit: (typeof defined)[number]): boolean => /\b(function|class|def|fn|func)\b/.test(hit.text);
    const first = [...defined.filter((hit) => does(hit)), ...defined.filter((hit) => !does(hit))];
    spots.push(...apart(first.length > 0 ? first : [{ path, line: 1 }]).slice(0, 4));
  }
  return spots;
}

function apart(spots: readonly Spot[]): Spot[] {
  const isNear = (a: Spot, b: Spot): boolean => a.path === b.path && Math.abs(a.line - b.line) < 10;
  return spots.filter((spot, i) => !spots.slice(0, i).some((before) => isNear(before, spot)));
}

const kindNames = { function: 'function', class: 'class', type: 'type', constant: 'constant', method: 'method' };

function findingAt(excerpt: Excerpt, spot: Spot): Finding {
  const quote = quoteAt(excerpt, spot.line, 12);
  const index = Math.max(0, Math.min(spot.line - excerpt.from, excerpt.lines.length - 1));
  const start = excerpt.lines.findIndex(
    (line, i) => i >= quote.from - excerpt.from && definedName(line) === quote.name,
  );
  const line = quote.name === undefined || start < 0 ? spot.line : excerpt.from + start;
  const text = excerpt.lines[line - excerpt.from] ?? excerpt.lines[index] ?? '';
  const first = /^.*?[.!?](?=\s|$)/.exec(quote.comment)?.[0] ?? quote.comment;
  const sentence =
    first.length > 20
      ? `Its comment says: “${shortened(first, 240)}”`
      : told(excerpt, line - excerpt.from, quote.name, text);
  return { path: spot.path, line, name: quote.name, sentence, excerpt: quote.markdown };
}

/** What can be said of a definition that has no comment: its kind, its length, what it calls. */
function told(excerpt: Excerpt, index: number, name: string | undefined, text: string): string {
  if (name === undefined) return `The line reads ${codeLine(text, 100)}.`;
  const kind = kindNames[definitionKind(text, name) ?? 'constant'];
  const end = endOfBlock(excerpt.lines, index);
  const calls = callsIn(excerpt.lines.slice(index + 1, end), name).slice(0, 4);
  const exported = /^\s*(export|pub|public)\b/.test(text) ? 'an exported' : 'a';
  const article = exported === 'a' ? `A ${kind}` : `An exported ${kind}`;
  return paragraphs(
    `${article} of ${plural(end - index, 'line')}${calls.length > 0 ? `; it calls ${listed(calls.map((call) => `\`${call}\``))}` : ''}.`,
  );
}
