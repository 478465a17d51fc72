/** One turn of one invited agent: opened, asked, heard, checked, asked again where it has to be, and closed. */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { AgentSessionId } from '../../../kernel/pure/ids.ts';
import { checkStatements, offenders } from '../claims/check.ts';
import { findChallenges, findDecisions, findPinBlocks } from '../claims/markers.ts';
import type { SpeakHooks } from '../context.ts';
import type { Claim, CouncilSession, TurnUsage } from '../contract.ts';
import { detectType } from '../rules/content-type.ts';
import type { Asks, Finding, Spoken } from '../rules/landing.ts';
import type { SpeakStep } from '../rules/facts.ts';
import { detectRaiseHand } from '../rules/raise-hand.ts';
import type { CouncilRef } from '../store/place.ts';
import { againPrompt, builtInToolsOf, contextText, emptyPrompt, firstPrompt, isResearch, tries } from './asking.ts';
import { changedSince, lookAtCheckout } from './checkout.ts';
import { addUsage, noUsage, type TurnsContext } from './context.ts';
import { evidenceOf } from './evidence.ts';
import { type Heard, type HeardCall, hearPrompt } from './listening.ts';
import { type OpenTurn, openTurn } from './opening.ts';
import { parsePrelude, preludeHeadLines, printPrelude } from './prelude.ts';
import { consulted, filesRead, pagesSeen } from './sources.ts';
import { cleanSpeech, isReadable, looksLikeRunner } from './speech.ts';
import { councilToolNames, createCouncilToolbox, noWishes, type Wishes } from './toolbox.ts';

interface Turn {
  readonly ref: CouncilRef;
  readonly session: CouncilSession;
  readonly step: SpeakStep;
  readonly hooks: SpeakHooks;
  readonly wishes: Wishes;
  readonly calls: HeardCall[];
  readonly findings: Finding[];
  usage: TurnUsage;
}

/** Never throws for what an agent did. */
export async function speak(
  ctx: TurnsContext,
  ref: CouncilRef,
  session: CouncilSession,
  step: SpeakStep,
  hooks: SpeakHooks,
): Promise<Spoken> {
  const turn: Turn = { ref, session, step, hooks, wishes: noWishes(), calls: [], findings: [], usage: noUsage };
  try {
    const before = await lookAtCheckout(ctx, ref);
    const spoken = await speakIn(ctx, turn);
    const changed = await changedSince(ctx, ref, before);
    return changed.length === 0 ? spoken : changedCheckout(turn, changed);
  } catch (error) {
    ctx.log.error({ err: error, council: ref.id, speaker: step.speaker.name }, 'a turn failed outside the agent');
    return { outcome: 'failed', ...wordsOf(errorFactsOf(error)), tokens: turn.usage.outputTokens };
  }
}

function changedCheckout({ step, usage }: Turn, changed: readonly string[]): Spoken {
  const named = changed.slice(0, 10).join(', ') + (changed.length > 10 ? ` and ${changed.length - 10} more` : '');
  return {
    outcome: 'failed',
    message: `The checkout changed during the turn of ${step.speaker.name}: ${named}. A speaker may change nothing, so the turn is not taken.`,
    hint: 'Look at these files; where the change is yours, resume the council and the turn is asked for again.',
    tokens: usage.outputTokens,
  };
}

async function speakIn(ctx: TurnsContext, turn: Turn): Promise<Spoken> {
  const { ref, session, step, wishes } = turn;
  const { setup, tokens } = session;
  const open = await openTurn(ctx, ref, {
    worker: step.speaker.worker ?? '',
    contextText: await contextText(ctx, ref, session, step),
    builtInTools: builtInToolsOf(step, session),
    toolbox: isResearch(step) ? [] : createCouncilToolbox(ctx, session, step.speaker.name, wishes),
    network: setup.noWeb ? 'model-only' : undefined,
    outputTokens: Math.max(1, setup.perAgentCap - (tokens[step.speaker.name] ?? 0)),
  });
  try {
    return await converse(ctx, turn, open);
  } finally {
    await open.close();
  }
}

async function converse(ctx: TurnsContext, turn: Turn, open: OpenTurn): Promise<Spoken> {
  const { ref, session, step, hooks } = turn;
  let text = await firstPrompt(ctx, ref, session, step);
  let resume: AgentSessionId | undefined;
  let held: { readonly offenders: readonly Claim[]; readonly draft: string } | undefined;
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    hooks.onAttempt(attempt);
    const heard = await hearPrompt(ctx, open.session, { text, resume }, ownTools, hooks);
    note(turn, heard);
    if (heard.ending.type === 'error') return await failed(ctx, turn, heard, heard.ending, held);
    if (heard.ending.reason === 'interrupted') return { outcome: 'interrupted', tokens: turn.usage.outputTokens };
    resume = heard.sessionId;
    const draft = await judge(ctx, turn, heard.speech);
    if (draft === undefined) {
      held = undefined;
      text = await emptyPrompt(ctx, step, heard.speech.trim() !== '');
      continue;
    }
    const wrong = offenders(draft.claims);
    if (wrong.length === 0) return landed(turn, draft);
    held = { offenders: wrong, draft: draft.body };
    text = await againPrompt(ctx, step, wrong, attempt + 1);
  }
  const tokens = turn.usage.outputTokens;
  return held === undefined ? { outcome: 'empty', tokens } : { outcome: 'refused', ...held, tokens };
}

const ownTools: ReadonlySet<string> = new Set(councilToolNames);

function note(turn: Turn, heard: Heard): void {
  turn.usage = addUsage(turn.usage, heard.usage);
  turn.calls.push(...heard.calls);
  for (const reason of heard.denied.slice(0, 5)) {
    turn.findings.push({
      severity: 'WARNING',
      text: `a tool was denied: ${reason.replaceAll(/\s+/g, ' ').slice(0, 300)}`,
    });
  }
}

/**
 * A cap that is spent is no fault: what was said until then counts, where it can stand; what it cannot pay any more, it
 * cannot put right either.
 */
async function failed(
  ctx: TurnsContext,
  turn: Turn,
  { speech }: Heard,
  ending: Extract<Heard['ending'], { type: 'error' }>,
  held: { readonly offenders: readonly Claim[]; readonly draft: string } | undefined,
): Promise<Spoken> {
  const tokens = turn.usage.outputTokens;
  if (!isSpent(ending)) return { outcome: 'failed', ...wordsOf(ending), tokens };
  const draft = await judge(ctx, turn, speech);
  if (draft === undefined)
    return held === undefined ? { outcome: 'empty', tokens } : { outcome: 'refused', ...held, tokens };
  const wrong = offenders(draft.claims);
  if (wrong.length > 0) return { outcome: 'refused', offenders: wrong, draft: draft.body, tokens };
  return landed(turn, { ...draft, mark: '\n\n[cut: no tokens are left]' });
}

function isSpent({ errorClass, message }: { readonly errorClass: string; readonly message: string }): boolean {
  return errorClass === 'budget' && message.startsWith('token limit reached');
}

interface Draft {
  readonly body: string;
  readonly mark: string;
  readonly claims: readonly Claim[];
  readonly fetched: readonly string[];
}

/** Undefined for what nobody can read. */
async function judge(ctx: TurnsContext, turn: Turn, speech: string): Promise<Draft | undefined> {
  const { ref, session, step, calls } = turn;
  const { body: said, mark } = cleanSpeech(await ctx.scrub(speech.slice(0, maxLookedAt)));
  if (!isReadable(said)) return undefined;
  const pages = pagesSeen(calls);
  const fetched = pages.map(({ url }) => url);
  if (step.kind !== 'prelude') {
    // Of others only the words are known: what they say of a page is theirs to answer for.
    const own = session.fetched[step.speaker.name] ?? [];
    const claims = await checkStatements(said, evidenceOf(ref.root, [...own, ...fetched]));
    return { body: said, mark, claims, fetched };
  }
  const { name, role } = step.speaker;
  const { sources: listed, bullets } = parsePrelude(said);
  const files = await filesRead(ref.root, calls);
  const sources = await consulted(ref.root, listed, { files, pages, words: said });
  const tokens = turn.usage.outputTokens;
  const body = printPrelude({ name, role, tokens, sources, bullets });
  const claims = await checkStatements(body, evidenceOf(ref.root, fetched, sources));
  const headLines = preludeHeadLines(sources);
  return { body, mark, claims: claims.filter(({ line }) => line > headLines), fetched };
}

/** Of a much longer speech nothing would be kept. Characters. */
const maxLookedAt = 200_000;

function landed(turn: Turn, { body, mark, claims, fetched }: Draft): Spoken {
  const { findings, usage } = turn;
  if (mark !== '') findings.push({ severity: 'INFO', text: 'the speech was too long and was cut' });
  if (looksLikeRunner(body))
    findings.push({ severity: 'WARNING', text: 'words of it look like lines of the runner; they are kept as words' });
  const asked = withMarks(turn.wishes, body);
  const tokens = usage.outputTokens;
  return { outcome: 'spoken', body: body + mark, tokens, usage, claims, asked, fetched, findings };
}

/** What was asked for by tool, then what the words themselves mark. */
function withMarks(wishes: Wishes, body: string): Asks {
  const blocks = findPinBlocks(body).map(({ content, intent, target }) => ({
    content,
    intent: intent === '' ? 'pinned in the speech' : intent,
    contentType: detectType(content),
    ...(target !== undefined && { target }),
  }));
  const named = detectRaiseHand(body);
  const raiseHand =
    wishes.raiseHand ?? (named === undefined ? undefined : { target: named, question: questionIn(body) });
  return {
    pins: [...wishes.pins, ...blocks.filter(({ content }) => wishes.pins.every((pin) => pin.content !== content))],
    decisions: [...new Set([...wishes.decisions, ...findDecisions(body)])],
    challenges: [...new Set([...wishes.challenges, ...findChallenges(body)])],
    ...(raiseHand !== undefined && { raiseHand }),
    ...(wishes.research !== undefined && { research: wishes.research }),
  };
}

/** The question that stands before the mark; else the last sentence. */
function questionIn(body: string): string {
  const words = body
    .slice(0, body.search(/\[raise-hand\s/))
    .replaceAll(/\s+/g, ' ')
    .trim();
  const sentences = words.split(/(?<=[.!?])\s/);
  return (sentences.findLast((each) => each.endsWith('?')) ?? sentences.at(-1) ?? '').slice(-600);
}

function wordsOf({ message, hint }: { readonly message: string; readonly hint: string }) {
  return { message, hint };
}
