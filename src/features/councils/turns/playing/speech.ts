/** The rehearsal's speech in DISCUSS: it answers the one before, brings a fact with its place, concludes and proposes. */
import { excerptOf } from '../../../../kernel/agents/rehearsal/plays/evidence.ts';
import { offeredTool } from '../../../../kernel/agents/rehearsal/plays/offered.ts';
import type { Script, ToolRequest } from '../../../../kernel/agents/rehearsal/plays/script.ts';
import { read, type Step } from '../../../../kernel/agents/rehearsal/plays/search.ts';
import type { Situation } from '../../../../kernel/agents/rehearsal/situation.ts';
import { choose, type Lens, lensOf, numberOf } from './lenses.ts';
import { type Fact, factsFor, topicOf } from './prelude.ts';
import { placeIn, type PlayedTurn } from './prompt.ts';

interface Stance {
  readonly turn: PlayedTurn;
  readonly lens: Lens;
  readonly topic: string;
  readonly seed: number;
  /** Who spoke before, other than this speaker. */
  readonly before: string | undefined;
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
    seed: numberOf(turn.charter, turn.name) + turn.number,
    before: turn.said.findLast(({ speaker }) => speaker !== turn.name)?.speaker,
  };
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

/** Every third speech reads again what the one before has cited. */
function* lookAgain(situation: Situation, { turn, before, seed }: Stance): Step<string | undefined> {
  const cited = placeIn(turn.said.findLast(({ speaker }) => speaker === before)?.text ?? '');
  if (before === undefined || cited === undefined || seed % 3 !== 0) return undefined;
  const [path, line] = [cited.replace(/:\d+$/, ''), Number(/\d+$/.exec(cited)![0])];
  const [call] = yield [read(path, line, 4)];
  const excerpt = excerptOf(situation, call);
  const text = excerpt?.lines.map((row) => row.trim()).find((row) => /\p{L}{3}/u.test(row));
  if (text === undefined) return undefined;
  return `I have read the place that ${before} names again, and it says “${text.replaceAll('`', '').slice(0, 140)}” (${cited}).`;
}

function opening({ turn, before, seed, topic }: Stance): string {
  const { question } = turn;
  if (question !== undefined)
    return `${question.by} asks me directly, so directly: I would not make it depend on taste.`;
  const other = before ?? turn.preludes.find(({ speaker }) => speaker !== turn.name)?.speaker;
  if (other === undefined) return `Let me begin with what I would hold on to of ${topic}.`;
  const openings =
    before === undefined
      ? [
          `I would begin where the prelude of ${other} ends.`,
          `The prelude of ${other} and mine seem to me to look at the same thing from two sides.`,
        ]
      : turn.round < 2
        ? [
            `I agree with ${other} on the direction, less on the order.`,
            `I would add something to what ${other} proposes.`,
            `${other}, I think you are right about the aim.`,
          ]
        : [
            `I have come closer to ${other} than I was a round ago.`,
            `I still see it a little differently from ${other}.`,
            `Let me take up the proposal of ${other} and make it smaller.`,
          ];
  return choose(openings, seed);
}

function conclusion({ seed, topic }: Stance, fact: Fact | undefined): string {
  if (fact === undefined)
    return `I have found nothing that would settle ${topic}, so this rests on judgement. [inference]`;
  const file = fact.place.replace(/:\d+$/, '').split('/').at(-1);
  return choose(
    [
      `So whatever we do about ${topic} would show in \`${file}\` first. [inference]`,
      `That makes \`${file}\` the place where a mistake would cost most. [inference]`,
      `If that holds, ${topic} can change without anybody else noticing. [inference]`,
      `From that I take it that ${topic} was thought of as one thing, and is used as two. [inference]`,
    ],
    seed,
  );
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
  return turn.round >= 3 && seed % 2 === 0 ? 'decide' : choose(wishes, turn.number + numberOf(turn.charter));
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
      return { decision: proposal.replace(/^I propose (?:that )?/, 'We agree: ') };
    case 'challenge':
      return before === undefined ? undefined : { challenge: `${before}: ${choose(lens.doubts, seed)}` };
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

function proposalOf({ lens, topic, turn, seed }: Stance): string {
  return choose(lens.proposes, seed + turn.round).replaceAll('{topic}', topic);
}

function closing(stance: Stance, tools: readonly ToolRequest[]): string {
  const { lens, seed, topic, turn } = stance;
  const input = tools[0]?.input ?? {};
  const proposal = proposalOf(stance);
  if (typeof input['question'] === 'string' && typeof input['target'] === 'string')
    return `${input['target']}, may I ask you: ${input['question']}`;
  if (typeof input['question'] === 'string')
    return `I would like to look that up before we go on: ${input['question']}`;
  if (typeof input['decision'] === 'string') return `${proposal} Shall we take it as decided?`;
  if (typeof input['challenge'] === 'string') return `${choose(lens.doubts, seed)} ${proposal}`;
  if (typeof input['content'] === 'string')
    return `I have a list for the scratchpad, please look at it before you answer. ${proposal}`;
  return turn.round < 2
    ? `${choose(lens.views, seed).replaceAll('{topic}', topic)} ${proposal}`
    : `${proposal} ${choose(lens.asks, seed).replaceAll('{topic}', topic)}`;
}
