/** The rehearsal's prelude: it searches for the words of the charter, reads what it finds, and quotes it. */
import { type Finding, gatherFindings } from '../../../../kernel/agents/rehearsal/plays/findings.ts';
import type { Step } from '../../../../kernel/agents/rehearsal/plays/search.ts';
import type { Script } from '../../../../kernel/agents/rehearsal/plays/script.ts';
import { readTerms, rootOf, type Terms, unique } from '../../../../kernel/agents/rehearsal/plays/words.ts';
import type { Situation } from '../../../../kernel/agents/rehearsal/situation.ts';
import { choose, lensOf, numberOf } from './lenses.ts';
import type { PlayedTurn } from './prompt.ts';

/** Of a very long charter this is what is searched for. Characters. */
const readLength = 2_000;

/** Words of a charter that say what is to be done, not about what. */
const orders = new Set(
  'decide decided decision whether should agree choose council discuss discussion settle review plan propose'.split(
    ' ',
  ),
);

export function termsOf(charter: string): Terms {
  const { names, files, words } = readTerms(charter.slice(0, readLength));
  return { names, files, words: words.filter((word) => !orders.has(word)) };
}

/** After these and a thing comes what is to become of it: "Shall the parser refuse …". */
const asksWhether =
  /(?:^|[.!?:;,]\s+|\b(?:how|when|where|why|what)\s+)(?:shall|should|must|can|could|will|would|may|does|do|is|are)\s+(?:(?:the|our|an?|its|their|this|these|each|every)\s+)?$/i;

/** What the charter is about, as it is said in a sentence. */
export function topicOf(charter: string): string {
  const { names, words } = termsOf(charter);
  const [first, second] = words;
  if (first === undefined) return names[0] === undefined ? 'this' : `\`${names[0]}\``;
  const pair = second === undefined ? null : new RegExp(`\\b${first}\\s+${second}\\b`, 'i').exec(charter);
  const isThing = pair !== null && !asksWhether.test(charter.slice(0, pair.index));
  return `the ${(isThing ? pair[0] : first).toLowerCase()}`;
}

export interface Fact {
  /** A sentence with its place. */
  readonly text: string;
  readonly place: string;
}

/** Each speaker takes hold of the charter at another word, and one of its own; what bears on the subject comes first. */
export function* factsFor(situation: Situation, { charter, name, role }: PlayedTurn, shift: number): Step<Fact[]> {
  const { names, words } = termsOf(charter);
  const seed = numberOf(name, shift);
  const subject = words.slice(0, 2);
  const others = words.slice(2);
  const look = (...wanted: readonly (string | undefined)[]): Terms => ({
    names: [],
    files: [],
    words: unique(wanted.filter((word) => word !== undefined)),
  });
  const main = subject.length === 0 ? undefined : choose(subject, seed);
  const named = names.length === 0 ? [] : yield* gatherFindings(situation, { names, files: [], words: [] });
  const own = yield* gatherFindings(situation, look(main, choose(lensOf(role).words, seed)));
  const more =
    main === undefined
      ? []
      : yield* gatherFindings(situation, look(main, others.length === 0 ? subject[1] : choose(others, seed)));
  const found = [...named.slice(0, 1), ...own, ...more].filter(isTellable);
  const bears = (finding: Finding): boolean =>
    [...subject.map(rootOf), ...names].some((word) =>
      `${finding.path} ${finding.name} ${finding.sentence}`.toLowerCase().includes(word.toLowerCase()),
    );
  const sorted = [...found.filter(bears), ...found.filter((finding) => !bears(finding)).slice(0, 1)];
  return [...new Map(sorted.map((finding) => [finding.path + finding.line, factOf(finding)])).values()];
}

/** What agents keep of councils, and what is generated, says nothing of the project. */
function isTellable({ path, sentence }: Finding): boolean {
  return (
    !/^(?:\.gaia|\.lore|node_modules|dist)\/|^docs\/promises/.test(path) &&
    sentence !== '' &&
    !/The line reads ``|^An? (?:exported )?constant of/.test(sentence)
  );
}

function factOf({ path, line, name, sentence }: Finding): Fact {
  const place = `${path}:${line}`;
  const quote = /^Its comment says: “(.+)”$/s.exec(sentence)?.[1]?.replaceAll(/\s+/g, ' ');
  const read = /^The line reads (?:`(.+)`|`` (.+) ``)\.$/s.exec(sentence);
  const line0 = (read?.[1] ?? read?.[2])?.trim();
  if (quote !== undefined)
    return {
      place,
      text: `${name === undefined ? 'The source' : `On \`${name}\` the source`} says “${withoutEnd(quote)}” (${place}).`,
    };
  if (line0 !== undefined) {
    const heading = /^#+\s+(.+)$/.exec(line0)?.[1];
    return {
      place,
      text:
        heading === undefined
          ? `There it reads “${withoutEnd(withoutMarks(line0))}” (${place}).`
          : `The documents have a section “${heading}” (${place}).`,
    };
  }
  const rest = sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
  return {
    place,
    text: name === undefined ? `${sentence.replace(/\.$/, '')} (${place}).` : `\`${name}\` is ${rest} (${place}).`,
  };
}

/** A line of source as words: without what makes it a comment, or code in a text. */
export function withoutMarks(line: string): string {
  return line
    .replaceAll('`', '')
    .replace(/^\s*(?:\/\/+|\/\*+|\*+|<!--)\s*/, '')
    .replace(/\s*(?:\*\/|-->)\s*$/, '')
    .trim();
}

function withoutEnd(text: string): string {
  return text.replace(/[.\s]+$/, '');
}

export function* playPrelude(situation: Situation, turn: PlayedTurn): Script {
  const facts = (yield* factsFor(situation, turn, 0)).slice(0, 4);
  const topic = topicOf(turn.charter);
  const lens = lensOf(turn.role);
  const seed = numberOf(turn.charter, turn.name, turn.role);
  const files = unique(facts.map(({ place }) => place.replace(/:\d+$/, '')));
  const conclusion =
    files.length === 0
      ? `I have found nothing in the project that bears on ${topic}, so whatever we say of it is a guess for now. [inference]`
      : files.length === 1
        ? `So whoever changes ${topic} begins in one file. [inference]`
        : `So ${topic} is spread over ${files.length} places at least, and a change to one wants a look at the others. [inference]`;
  const rows = [
    ...facts.map(({ text }) => text),
    conclusion,
    choose(lens.views, seed).replaceAll('{topic}', topic),
    choose(lens.asks, seed).replaceAll('{topic}', topic),
  ];
  return [
    'Sources consulted:',
    ...facts.map(({ place }) => `  ${place}`),
    'What I know:',
    ...rows.map((row) => `  - ${row}`),
  ].join('\n');
}
