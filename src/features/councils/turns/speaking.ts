/** One turn of one invited agent: opened, asked, heard, checked, asked again where it has to be, and closed. */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { SpeakHooks } from '../context.ts';
import type { CouncilSession } from '../contract.ts';
import type { Spoken } from '../rules/landing.ts';
import type { SpeakStep } from '../rules/machine.ts';
import { allowList } from '../rules/phases.ts';
import type { CouncilRef } from '../store/place.ts';
import { addUsage, noUsage, type TurnsContext } from './context.ts';
import { hearPrompt } from './listening.ts';
import { type OpenTurn, openTurn } from './opening.ts';

/** Never throws for what an agent did. */
export async function speak(
  ctx: TurnsContext,
  ref: CouncilRef,
  session: CouncilSession,
  step: SpeakStep,
  hooks: SpeakHooks,
): Promise<Spoken> {
  const { setup, charter } = session;
  const isResearch = step.kind === 'prelude' || step.kind === 'research-interrupt';
  let open: OpenTurn;
  try {
    open = await openTurn(ctx, ref, {
      worker: step.speaker.worker ?? '',
      contextText: `Council ${ref.id}; you are ${step.speaker.name}.`,
      builtInTools: allowList(isResearch ? 'RESEARCH' : 'DISCUSS', setup.noWeb),
      toolbox: [],
      noWeb: setup.noWeb,
      outputTokens: Math.max(0, setup.perAgentCap - (session.tokens[step.speaker.name] ?? 0)),
    });
  } catch (error) {
    ctx.log.error({ err: error, council: ref.id, speaker: step.speaker.name }, 'a speaker could not be opened');
    const { message, hint } = errorFactsOf(error);
    return { outcome: 'failed', message, hint, tokens: 0 };
  }
  try {
    hooks.onAttempt(1);
    const heard = await hearPrompt(ctx, open.session, { text: charter, resume: undefined }, new Set(), hooks);
    const usage = addUsage(noUsage, heard.usage);
    const tokens = usage.outputTokens;
    if (heard.ending.type === 'error') return { outcome: 'failed', ...pick(heard.ending), tokens };
    if (heard.ending.reason === 'interrupted') return { outcome: 'interrupted', tokens };
    const asked = { pins: [], decisions: [], challenges: [] };
    const body = await ctx.scrub(heard.speech.trim());
    return { outcome: 'spoken', body, tokens, usage, claims: [], asked, fetched: [], findings: [] };
  } finally {
    await open.close();
  }
}

function pick({ message, hint }: { readonly message: string; readonly hint: string }) {
  return { message, hint };
}
