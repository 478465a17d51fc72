/** What an agent is asked in its turn: put together from the charter, what was said, and what the turn is for. */
import type { Claim, CouncilSession } from '../contract.ts';
import { allowList } from '../rules/phases.ts';
import type { SpeakStep } from '../rules/facts.ts';
import type { CouncilRef } from '../store/place.ts';
import type { TurnsContext } from './context.ts';
import { discussionOf, preludesOf, scratchpadOf } from './discussion.ts';
import { memoryOf } from './memory.ts';
import { type Frames, makeFrames, readPrompt } from './prompts.ts';

type AskContext = Pick<TurnsContext, 'councilPrompts' | 'ids'>;

export function isResearch({ kind }: Pick<SpeakStep, 'kind'>): boolean {
  return kind === 'prelude' || kind === 'research-interrupt';
}

export function builtInToolsOf(step: SpeakStep, { setup }: Pick<CouncilSession, 'setup'>): readonly string[] {
  return allowList(isResearch(step) ? 'RESEARCH' : 'DISCUSS', setup.noWeb);
}

/** For the system prompt. */
export async function contextText(
  ctx: AskContext,
  ref: CouncilRef,
  session: CouncilSession,
  step: SpeakStep,
): Promise<string> {
  const { name, role } = step.speaker;
  const speakers = session.setup.invitees.map((each) => `${each.name} (${each.role})`).join(', ');
  const tools = isResearch(step)
    ? ''
    : "- In DISCUSS you have the council's own tools: `pin` (a text for all), `decide`, `challenge`, `raise_hand` (that somebody answers you next), `research` (a turn of yours for looking something up). Use one only where it serves the charter.";
  return readPrompt(ctx, 'context', { id: ref.id, name, role, speakers, tools });
}

/** The first message of the turn. */
export async function firstPrompt(
  ctx: AskContext,
  ref: CouncilRef,
  session: CouncilSession,
  step: SpeakStep,
): Promise<string> {
  const frames = makeFrames(ctx);
  const { name, role } = step.speaker;
  const shared = {
    name,
    role,
    number: String(step.number),
    round: String(step.round),
    rule: frames.rule,
    charter: frames.around('charter', session.charter),
    scratchpad: printScratchpad(frames, session),
  };
  if (step.kind === 'prelude') {
    const memory = await memoryOf(ref.root, step.speaker, session.charter);
    return readPrompt(ctx, 'research', {
      ...shared,
      memory: memory === '' ? 'Nothing from earlier councils.' : frames.around('your own memory', memory),
      web: session.setup.noWeb ? '. There is no web in this council' : ', then the web where the project cannot say it',
    });
  }
  const discussion = printTold(frames, session);
  if (step.kind === 'research-interrupt') {
    const question = frames.around(`question of ${step.by}`, step.question);
    return readPrompt(ctx, 'research-interrupt', { ...shared, discussion, question });
  }
  const preludes = preludesOf(session).map(({ label, text }) => frames.around(label, text));
  return readPrompt(ctx, 'discuss', {
    ...shared,
    preludes: preludes.length === 0 ? 'There are none: research was skipped.' : preludes.join('\n\n'),
    discussion,
    task: taskOf(frames, step),
    tools: '',
  });
}

function printScratchpad(frames: Frames, session: CouncilSession): string {
  const scratchpad = scratchpadOf(session);
  return scratchpad === '' ? 'Empty.' : frames.around('scratchpad', scratchpad);
}

function printTold(frames: Frames, session: CouncilSession): string {
  const { older, newer } = discussionOf(session);
  if (newer.length === 0) return 'Nobody has spoken yet: you begin.';
  const before = older === '' ? [] : [frames.around('earlier turns, in short', older)];
  return [...before, ...newer.map(({ label, text }) => frames.around(label, text))].join('\n\n');
}

function taskOf(frames: Frames, { kind, by, question }: SpeakStep): string {
  if (kind !== 'raise-hand') return 'Give your speech: what you say to the charter and to what the others said.';
  return `${by} has raised a hand and asks that you answer, before the round goes on:\n\n${frames.around(`question of ${by}`, question)}\n\nAnswer it in your speech.`;
}

export const tries = 3;

/** @param attempt the one that begins now */
export async function againPrompt(
  ctx: AskContext,
  step: SpeakStep,
  offenders: readonly Claim[],
  attempt: number,
): Promise<string> {
  const rows = offenders
    .slice(0, 40)
    .map(({ line, text }) => `- line ${line}: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`);
  return readPrompt(ctx, 'again', {
    what: whatOf(step),
    offenders: makeFrames(ctx).around('your statements', rows.join('\n')),
    attempt: String(attempt),
    attempts: String(tries),
  });
}

export async function emptyPrompt(ctx: AskContext, step: SpeakStep, isGarbage: boolean): Promise<string> {
  const why = isGarbage ? 'What came cannot be read as text.' : 'There were no words.';
  return readPrompt(ctx, 'empty', { what: whatOf(step), why });
}

function whatOf({ kind }: SpeakStep): string {
  return kind === 'prelude' ? 'prelude' : kind === 'research-interrupt' ? 'answer' : 'speech';
}
