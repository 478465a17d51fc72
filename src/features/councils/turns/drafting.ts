/** What is to be reviewed: drafted by the facilitator, or by the engine from the transcript alone. */
import { readFile } from 'node:fs/promises';
import { fail } from '../../../kernel/pure/errors.ts';
import type { AgentSessionId } from '../../../kernel/pure/ids.ts';
import type { SpeakHooks } from '../context.ts';
import type { CouncilDrafts, CouncilSession, TurnUsage } from '../contract.ts';
import { actionItemTypes } from '../contract/terms.ts';
import { templatePath } from '../knowledge.ts';
import type { CouncilRef } from '../store/place.ts';
import { transcriptOf } from './discussion.ts';
import { addUsage, noUsage, type TurnsContext } from './context.ts';
import { draftFromMinutes } from './engine-drafts.ts';
import { hearPrompt } from './listening.ts';
import { type Minutes, minutesOf } from './minutes.ts';
import { type OpenTurn, openTurn } from './opening.ts';
import { makeFrames, readPrompt } from './prompts.ts';
import { createSubmitTool, type Submitted, submitName } from './submission.ts';

const facilitator = { worker: 'facilitator', name: 'Facilitator', role: 'Keeper of the Question' } as const;
const tries = 2;

/** @throws `unavailable` where no agent can be had, or the signal ended it */
export async function draftWithFacilitator(
  ctx: TurnsContext,
  ref: CouncilRef,
  session: CouncilSession,
  signal: AbortSignal,
): Promise<CouncilDrafts> {
  const minutes = minutesOf(session);
  const submitted: Submitted = { drafts: undefined };
  // Nothing was said: there is nothing to be drafted from.
  if (minutes.turns.length === 0) return draftFromMinutes(minutes);
  const open = await openTurn(ctx, ref, {
    worker: facilitator.worker,
    contextText: await readPrompt(ctx, 'context', { id: ref.id, ...facilitator, speakers: minutes.agents.join(', ') }),
    builtInTools: [],
    toolbox: [createSubmitTool(ctx, minutes, submitted)],
    network: session.setup.noWeb ? 'model-only' : undefined,
    outputTokens: undefined,
  });
  try {
    const usage = await converse(ctx, open, await promptOf(ctx, session, minutes), submitted, signal);
    return { ...(submitted.drafts ?? draftFromMinutes(minutes)), usage };
  } finally {
    await open.close();
  }
}

/** @returns what it used, over all tries */
async function converse(
  ctx: TurnsContext,
  open: OpenTurn,
  first: string,
  submitted: Submitted,
  signal: AbortSignal,
): Promise<TurnUsage> {
  const hooks: SpeakHooks = { signal, onAttempt: unheard, onWords: unheard, onTool: unheard };
  let text = first;
  let resume: AgentSessionId | undefined;
  let usage = noUsage;
  for (let attempt = 1; attempt <= tries && submitted.drafts === undefined; attempt += 1) {
    const heard = await hearPrompt(ctx, open.session, { text, resume }, new Set([submitName]), hooks);
    const { ending } = heard;
    usage = addUsage(usage, heard.usage);
    if (signal.aborted)
      throw fail('unavailable', 'The drafting was interrupted.', 'Resume the council: it drafts again.');
    if (ending.type === 'error' && submitted.drafts === undefined && noAgent.has(ending.errorClass)) {
      throw fail('unavailable', `The drafts could not be made: ${ending.message}`, ending.hint);
    }
    resume = heard.sessionId;
    text = 'Nothing was handed in. Call `submit_drafts` once with all drafts; words alone are not taken.';
  }
  return usage;
}

/** There was none to be had, which another time may be otherwise. */
const noAgent: ReadonlySet<string> = new Set(['auth', 'rate_limit', 'overloaded', 'crashed', 'aborted']);

function unheard(): void {
  // A draft is shown when it is there.
}

async function promptOf(ctx: TurnsContext, session: CouncilSession, minutes: Minutes): Promise<string> {
  const frames = makeFrames(ctx);
  const { bias } = session.setup;
  const told = transcriptOf(session).map(({ label, text }) => frames.around(label, text));
  const pins = minutes.pins.map(({ id, agent, intent }) => `${id} (${agent}): ${intent}`).join('\n');
  return readPrompt(ctx, 'drafting', {
    name: facilitator.name,
    role: facilitator.role,
    rule: frames.rule,
    charter: frames.around('charter', session.charter),
    transcript: told.join('\n\n'),
    scratchpad: pins === '' ? 'Empty.' : frames.around('scratchpad', pins),
    types: actionItemTypes.map((type) => `\`${type}\``).join(', '),
    agents: minutes.agents.join(', '),
    sections: minutes.sections.map((title) => `\`${title}\``).join(', '),
    template: await templateText(bias),
  });
}

/** What belongs into the sections, as the program's own template says it. */
async function templateText(bias: string): Promise<string> {
  const path = await templatePath(bias);
  if (path === undefined) return '';
  // A template that is not there leaves the titles, which suffice.
  const text = await readFile(path, 'utf8').catch(() => '');
  return text === '' ? '' : `The template of this kind of notes:\n\n${text.trim()}`;
}
