/** The rehearsal's speech in DISCUSS: it answers the one before, brings a fact with its place, concludes and proposes. */
import { excerptOf } from '../../../../kernel/agents/rehearsal/plays/evidence.ts';
import { offeredTool } from '../../../../kernel/agents/rehearsal/plays/offered.ts';
import type { Script, ToolRequest } from '../../../../kernel/agents/rehearsal/plays/script.ts';
import { read, type Step } from '../../../../kernel/agents/rehearsal/plays/search.ts';
import type { Situation } from '../../../../kernel/agents/rehearsal/situation.ts';
import { choose, chooseFresh, type Lens, lensOf, numberOf } from './lenses.ts';
import { type Fact, factsFor, topicOf, withoutMarks } from './prelude.ts';
import { placeIn, type PlayedTurn } from './prompt.ts';

interface Stance {
  readonly turn: PlayedTurn;
  readonly lens: Lens;
  readonly topic: string;
  readonly seed: number;
  /** Who spoke before, other than this speaker. */
  readonly before: string | undefined;
  /** Everything that was said, so that nobody says it twice. */
  readonly said: string;
}

export function* playSpeech(situation: Situation, turn: PlayedTurn): Script {
  const stance = stanceOf(turn);
  const fact = yield* nextFact(situation, turn);
  const looked = yield* lookAgain(situation, stance);
  const tools = toolsOf(situation, stance, fact);
  if (tools.length > 0) yield tools;
  return [opening(stance), looked, fact?.text, conclusion(stance, fact), closing(stance, tools)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}

/** Looked up on the spot: what a question or an interrupt asks for. */
export function* playResearch(situation: Situation, turn: PlayedTurn): Script {
  const facts = (yield* factsFor(
    situation,
    { ...turn, charter: turn.question?.text ?? turn.charter },
    turn.number,
  )).slice(0, 2);
  if (facts.length === 0)
    return 'I have looked for it and found nothing in the project that answers it. [inference] I would leave the question open.';
  return [
    'I have looked it up, and this is what I would build on.',
    ...facts.map(({ text }) => text),
    'Whether that settles it I leave to you: it says what is written, not why. [inference]',
  ].join(' ');
}

function stanceOf(turn: PlayedTurn): Stance {
  return {
    turn,
    lens: lensOf(turn.role),
    topic: topicOf(turn.charter),
    seed: numberOf(turn.charter, turn.name, turn.number),
    said: patternOf(turn),
    before: turn.said.findLast(({ speaker, isAside }) => speaker !== turn.name && isAside !== true)?.speaker,
  };
}

/** What was said, with places for names and files, so that a sentence about another file is still the same sentence. */
function patternOf({ said, preludes, name }: PlayedTurn): string {
  const names = new Set([...said, ...preludes].map(({ speaker }) => speaker).filter((speaker) => speaker !== name));
  const text = said
    .map((speech) => speech.text)
    .join('\n')
    .replaceAll(/`[\w.-]+\.\w+`/g, '`{file}`');
  return [...names].reduce((sum, speaker) => sum.replaceAll(speaker, '{other}'), text);
}

/** One of the own prelude's that nobody has named yet; then a fresh one. */
function* nextFact(situation: Situation, turn: PlayedTurn): Step<Fact | undefined> {
  const said = turn.said.map(({ text }) => text).join('\n');
  const own = turn.preludes.find(({ speaker }) => speaker === turn.name)?.items ?? [];
  const kept = own.find(
    ({ text, place }) => place !== undefined && !said.includes(place) && !text.includes('[inference]'),
  );
  if (kept !== undefined) return { text: kept.text, place: kept.place! };
  const fresh = yield* factsFor(situation, turn, turn.number);
  return fresh.find(({ place }) => !said.includes(place)) ?? fresh[0];
}

/** Now and then a speech reads on where the one before has cited. */
function* lookAgain(situation: Situation, { turn, before, seed }: Stance): Step<string | undefined> {
  const cited = placeIn(turn.said.findLast(({ speaker }) => speaker === before)?.text ?? '');
  if (before === undefined || cited === undefined || seed % 2 === 0) return undefined;
  const [path, line] = [cited.replace(/:\d+$/, ''), Number(/\d+$/.exec(cited)![0])];
  const [call] = yield [read(path, line + 1, 24)];
  const excerpt = excerptOf(situation, call);
  const at = excerpt?.lines.findIndex((row) => tellsSomething.test(row) && !/[?!]/.test(row)) ?? -1;
  if (excerpt === undefined || at === -1) return undefined;
  const text = withoutMarks(excerpt.lines[at]!).slice(0, 140);
  return `I have read on from where ${before} stopped, and it goes on with “${text}” (${path}:${excerpt.from + at}).`;
}

const tellsSomething = /^\s*(?:\/\/ .{20,}|\*? .*[a-z]{3,} [a-z]{2,} [a-z]{2,}|return .{12,}|throw .{12,}|if \(.{10,})/;

function opening(stance: Stance): string {
  const { turn, before, seed, topic, said, lens } = stance;
  const { question } = turn;
  if (question !== undefined) {
    const view = chooseFresh(lens.views, seed, said.replaceAll(topic, '{topic}')) ?? choose(lens.proposes, seed);
    return `${question.by} asks me directly, so I answer directly: ${lowered(view.replaceAll('{topic}', topic))}`;
  }
  const newest = turn.said.at(-1);
  if (newest?.isAside === true && newest.role !== 'LOOP-BREAK')
    return `To what ${newest.speaker} says I can add what the project shows, and no more.`;
  const other = before ?? turn.preludes.find(({ speaker }) => speaker !== turn.name)?.speaker;
  if (other === undefined) return `Let me begin with what I would hold on to of ${topic}.`;
  const openings = before === undefined ? firstOpenings : turn.round < 2 ? earlyOpenings : lateOpenings;
  return (chooseFresh(openings, seed, said) ?? choose(openings, seed)).replaceAll('{other}', other);
}

/** A name or an "I" at the beginning stays as it is. */
function lowered(text: string): string {
  return /^(?:I\b|[A-Z][a-z]+,)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

const firstOpenings = [
  'I would begin where the prelude of {other} ends.',
  'The prelude of {other} and mine seem to me to look at the same thing from two sides.',
];
const earlyOpenings = [
  'I agree with {other} on the direction, less on the order.',
  'I would add something to what {other} proposes.',
  '{other}, I think you are right about the aim.',
  'I would turn the question of {other} around.',
  'I am with {other} so far, with one reservation.',
];
const lateOpenings = [
  'I have come closer to {other} than I was a round ago, I think.',
  'I still see it a little differently from {other}.',
  'Let me take up the proposal of {other} and make it smaller.',
  'I would like to hold on to one thing that {other} says.',
  'I think {other} and I mean the same, and I would say it in one sentence.',
  '{other}, let me be stubborn once more.',
];

function conclusion({ seed, topic, said }: Stance, fact: Fact | undefined): string {
  if (fact === undefined)
    return `I have found nothing more that would settle ${topic}, so this rests on judgement. [inference]`;
  const file = fact.place.replace(/:\d+$/, '').split('/').at(-1);
  const rows = [
    `So whatever we do about ${topic} would show in \`{file}\` first. [inference]`,
    `That makes \`{file}\` a place where a mistake would cost more than elsewhere. [inference]`,
    `If that holds, \`{file}\` can stay as it is, and the change happens around it. [inference]`,
    `So \`{file}\` and what calls it have to be looked at together. [inference]`,
    `I read it so that ${topic} was thought of there, but not to its end. [inference]`,
    `That speaks for a small step: \`{file}\` has one thing to do, and does it. [inference]`,
  ];
  return (chooseFresh(rows, seed, said) ?? choose(rows, seed)).replaceAll('{file}', file ?? '');
}

type Wish = 'pin' | 'decide' | 'challenge' | 'raise_hand' | 'research';

/** By the number of the turn, so that a council of ten turns has of everything a little. */
function wishOf({ turn, seed }: Stance): Wish | undefined {
  if (turn.question !== undefined) return undefined;
  const wishes: readonly (Wish | undefined)[] = [
    undefined,
    'pin',
    'challenge',
    undefined,
    'raise_hand',
    'decide',
    undefined,
    'research',
    'decide',
  ];
  const wish = turn.round >= 3 && seed % 2 === 0 ? 'decide' : choose(wishes, turn.number + numberOf(turn.charter));
  return wish === 'pin' && turn.pins.length > 0 ? undefined : wish;
}

function toolsOf(situation: Situation, stance: Stance, fact: Fact | undefined): ToolRequest[] {
  const wish = wishOf(stance);
  const tool = wish === undefined ? undefined : offeredTool(situation, wish);
  const input = wish === undefined ? undefined : inputOf(wish, stance, fact);
  return tool === undefined || input === undefined ? [] : [{ name: tool.name, input }];
}

function inputOf(wish: Wish, stance: Stance, fact: Fact | undefined): Record<string, unknown> | undefined {
  const { topic, lens, seed, before, turn } = stance;
  const proposal = proposalOf(stance);
  switch (wish) {
    case 'pin': {
      const rows = turn.preludes.flatMap(({ speaker, items }) =>
        items
          .filter(({ place }) => place !== undefined)
          .slice(0, 1)
          .map(({ place }) => `| ${speaker} | \`${place}\` |`),
      );
      if (rows.length === 0) return undefined;
      return {
        content: `# Places that bear on ${topic}\n\n| From | Place |\n| --- | --- |\n${rows.join('\n')}`,
        intent: `places to look at before ${topic} changes`,
      };
    }
    case 'decide':
      return proposal.startsWith('I propose ') ? { decision: decisionOf(proposal) } : undefined;
    case 'challenge':
      return before === undefined
        ? undefined
        : { challenge: `I am not with ${before} here. ${choose(lens.doubts, seed)}` };
    case 'raise_hand': {
      const target = before ?? turn.preludes.find(({ speaker }) => speaker !== turn.name)?.speaker;
      return target === undefined
        ? undefined
        : { target, question: choose(lens.asks, seed).replaceAll('{topic}', topic) };
    }
    default:
      return fact === undefined
        ? undefined
        : { question: `Where else does the project deal with ${topic}, besides ${fact.place}?` };
  }
}

function proposalOf({ lens, topic, turn, seed, said }: Stance): string {
  const rows = lens.proposes.map((row) => row.replaceAll('{topic}', topic));
  const fresh = chooseFresh(rows, seed, said);
  if (fresh !== undefined) return fresh;
  const own = turn.said.findLast(({ speaker, text }) => speaker !== turn.name && text.includes('I propose '));
  return own === undefined
    ? 'I stay with what I proposed.'
    : `I propose that we take up what ${own.speaker} proposed, and leave the rest for later.`;
}

function decisionOf(proposal: string): string {
  const text = proposal
    .replace(/^I propose (?:that )?/, '')
    .replace(/^to /, 'we ')
    .replaceAll(', and that ', ', and ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function closing(stance: Stance, tools: readonly ToolRequest[]): string {
  const { lens, seed, topic, turn, said } = stance;
  const input = tools[0]?.input ?? {};
  const proposal = proposalOf(stance);
  const fresh = (rows: readonly string[]): string =>
    chooseFresh(
      rows.map((row) => row.replaceAll('{topic}', topic)),
      seed,
      said,
    ) ?? '';
  if (typeof input['question'] === 'string' && typeof input['target'] === 'string')
    return `${input['target']}, may I ask you: ${lowered(input['question'])}`;
  if (typeof input['question'] === 'string')
    return `I would like to look that up before we go on: ${lowered(input['question'])}`;
  if (typeof input['decision'] === 'string') return `${proposal} Let us take it as decided.`;
  if (typeof input['challenge'] === 'string') return `${choose(lens.doubts, seed)} ${proposal}`;
  if (typeof input['content'] === 'string')
    return `I have a list for the scratchpad, please look at it before you answer. ${proposal}`;
  return turn.round < 2 ? `${fresh(lens.views)} ${proposal}`.trim() : `${proposal} ${fresh(lens.asks)}`.trim();
}
