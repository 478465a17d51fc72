/** What became of an agent's turn, and how it comes into the session: in one piece, counters and all. Pure. */
import type { Claim, CouncilEntry, CouncilSession, Progress, TurnUsage } from '../contract.ts';
import { printMuted, shouldMute } from './caps.ts';
import { haltLine } from './halt.ts';
import { oneLine } from './header.ts';
import { findLongLoop, findLoop, printLoop } from './loop.ts';
import type { Facts, SpeakStep } from './facts.ts';
import { parseLedger, printArbitration, printLedger, recordRaiseHand } from './raise-hand.ts';
import { allocatePin, printPin } from './scratchpad.ts';
import { addTurn, agentsOf, attendeeOf, lineEntry, settle, turnsOf, useSlot, withEntries } from './session.ts';

/** A pin that an agent wants; `target` names the pin whose content it replaces. */
export interface WantedPin {
  readonly target?: string | undefined;
  readonly content: string;
  readonly contentType: string;
  readonly intent: string;
}

/** What a speaker asked for besides speaking, by tool or in the forms of text. */
export interface Asks {
  readonly pins: readonly WantedPin[];
  readonly decisions: readonly string[];
  readonly challenges: readonly string[];
  /** The first of the turn alone. `target` as the agent wrote it. */
  readonly raiseHand?: { readonly target: string; readonly question: string } | undefined;
  readonly research?: { readonly question: string } | undefined;
}

export interface Finding {
  readonly severity: 'INFO' | 'WARNING' | 'CRITICAL';
  readonly text: string;
}

export type Spoken =
  | {
      readonly outcome: 'spoken';
      /** Markdown, scrubbed. */
      readonly body: string;
      /** Output tokens of all attempts. */
      readonly tokens: number;
      readonly usage: TurnUsage;
      readonly claims: readonly Claim[];
      readonly asked: Asks;
      /** Addresses that its research fetched. */
      readonly fetched: readonly string[];
      readonly findings: readonly Finding[];
    }
  /** Unflagged claims stayed, after it was asked for again twice. */
  | {
      readonly outcome: 'refused';
      readonly offenders: readonly { readonly line: number; readonly text: string }[];
      readonly draft: string;
      readonly tokens: number;
    }
  /** Nothing was said that can be taken, asked for again or not. */
  | { readonly outcome: 'empty'; readonly tokens: number }
  /** It could not be had now: no model, no right, a crash, a checkout that changed. In words for the person. */
  | { readonly outcome: 'failed'; readonly message: string; readonly hint: string; readonly tokens: number }
  | { readonly outcome: 'interrupted'; readonly tokens: number };

type Said = Extract<Spoken, { outcome: 'spoken' }>;

/** The session after that turn, or after it could not be had. `step` is what the session's own next step was. */
export function landTurn(session: CouncilSession, step: SpeakStep, spoken: Spoken, facts: Facts): CouncilSession {
  switch (spoken.outcome) {
    case 'spoken':
      return landWords(session, step, spoken, facts);
    case 'refused':
      return haltAtClaims(spend(session, step, spoken.tokens), step, spoken.offenders);
    case 'empty': {
      const line = lineEntry('passed-over', `${oneLine(step.speaker.name)} said nothing: the turn is passed over`);
      return settle(useSlot(withEntries(spend(session, step, spoken.tokens), line)));
    }
    case 'failed': {
      const trouble = `${spoken.message} ${hintHere(spoken.hint)}`.trim();
      return { ...spend(session, step, spoken.tokens), status: 'paused', trouble };
    }
    case 'interrupted':
      return { ...spend(session, step, spoken.tokens), status: 'paused' };
  }
}

/** A council is resumed, which every door says of itself; a message that could be sent again there is none. */
function hintHere(hint: string): string {
  return /\bmessage\b/i.test(hint) ? '' : hint;
}

/** What was spent on a turn that is not emitted counts towards the cap of the agent alone. */
function spend(session: CouncilSession, { speaker: { name } }: SpeakStep, tokens: number): CouncilSession {
  return tokens === 0
    ? session
    : { ...session, tokens: { ...session.tokens, [name]: (session.tokens[name] ?? 0) + tokens } };
}

function haltAtClaims(
  session: CouncilSession,
  step: SpeakStep,
  offenders: readonly { readonly line: number; readonly text: string }[],
): CouncilSession {
  const named = offenders.slice(0, 5).map(({ line, text }) => `line ${line}: ${text.slice(0, 200)}`);
  const detail = `${offenders.length} unflagged claim${offenders.length === 1 ? '' : 's'} after two re-asks; ${named.join(' | ')}`;
  return halted(session, haltLine('CITE-OR-FLAG', detail, step.speaker.name), true);
}

/** A hard halt: its line is the last one. */
export function halted(session: CouncilSession, line: string, skips: boolean): CouncilSession {
  return { ...withEntries(session, lineEntry('halt', line)), status: 'halted', halt: { line, skips } };
}

function landWords(session: CouncilSession, step: SpeakStep, said: Said, facts: Facts): CouncilSession {
  const { name, role } = step.speaker;
  const progress = progressOf(session, said);
  const told = tellFindings(session, step, said);
  const spoken = addTurn(
    useSlot(told),
    {
      round: step.round,
      phase: step.kind === 'prelude' ? 'RESEARCH' : 'DISCUSS',
      kind: step.kind,
      speaker: name,
      role,
      body: said.body,
      tokens: said.tokens,
      usage: said.usage,
      via: 'subagent',
      origin: null,
      progress,
      claims: [...said.claims],
      challenges: [...said.asked.challenges],
      decisions: [...said.asked.decisions],
    },
    facts,
  );
  const pinned = said.asked.pins.reduce((next, pin) => withPin(next, { ...pin, agent: name }, facts), spoken);
  const fetched = addFetched(pinned, name, said.fetched);
  const capped = muteWhenSpent(fetched, name);
  if (step.kind === 'prelude') return capped;
  return settle(watchLoop(arrange(capped, step, said.asked), { agent: name, progress }));
}

/** The first that holds. */
function progressOf(session: CouncilSession, { claims, asked }: Said): Progress {
  const known = new Set(turnsOf(session).flatMap((turn) => citationsOf(turn.claims)));
  if (citationsOf(claims).some((citation) => !known.has(citation))) return 'new-citation';
  if (asked.decisions.length > 0) return 'new-decision';
  return asked.pins.some(({ target }) => target === undefined) ? 'new-pin' : 'none';
}

function citationsOf(claims: readonly Claim[]): readonly string[] {
  return claims.flatMap(({ verdict, citations }) => (verdict === 'cited' ? citations : []));
}

function tellFindings(session: CouncilSession, step: SpeakStep, { findings }: Said): CouncilSession {
  const id = `T${step.number}`;
  const infos = findings
    .filter(({ severity }) => severity === 'INFO')
    .map(({ text }) => `${id}=INFO:${oneLine(text)}; `);
  const told: CouncilEntry[] = findings
    .filter(({ severity }) => severity !== 'INFO')
    .map(({ severity, text }) =>
      lineEntry('warning', `[gaia-meeting] ${severity}: ${step.speaker.name} @ ${id} — ${oneLine(text)}`),
    );
  const agentDispatchFindings = session.agentDispatchFindings + infos.join('');
  return withEntries({ ...session, agentDispatchFindings }, ...told);
}

/** Pins for an agent or for the person. A target that is not there makes a pin of its own. */
export function withPin(
  session: CouncilSession,
  wanted: WantedPin & { readonly agent: string },
  { digest }: Pick<Facts, 'digest'>,
): CouncilSession {
  const made = allocatePin(session.pins, wanted) ?? allocatePin(session.pins, { ...wanted, target: null })!;
  const scratchpadState = made.pins.map(({ id, content }) => `${id}=${digest(content)}`).join(';');
  return withEntries({ ...session, pins: made.pins, scratchpadState }, lineEntry('pin', printPin(made.pin)));
}

function addFetched(session: CouncilSession, name: string, fetched: readonly string[]): CouncilSession {
  if (fetched.length === 0) return session;
  const all = [...new Set([...(session.fetched[name] ?? []), ...fetched])];
  return { ...session, fetched: { ...session.fetched, [name]: all } };
}

/** There is no way back from it. */
export function muteWhenSpent(session: CouncilSession, name: string): CouncilSession {
  const used = session.tokens[name] ?? 0;
  const { perAgentCap } = session.setup;
  if (session.muted.includes(name) || !shouldMute(used, perAgentCap)) return session;
  const muted = { ...session, muted: [...session.muted, name] };
  return withEntries(muted, lineEntry('muted', printMuted(name, used, perAgentCap)));
}

/** A raised hand and a wish to look something up: turns that come before the next slot. */
function arrange(session: CouncilSession, step: SpeakStep, { raiseHand, research }: Asks): CouncilSession {
  const { name } = step.speaker;
  // What was just looked up is not a reason to look up more: it would have no end.
  const looking =
    research === undefined || step.kind === 'research-interrupt'
      ? session
      : {
          ...session,
          inserted: [
            { kind: 'research-interrupt' as const, speaker: name, by: name, question: research.question },
            ...session.inserted,
          ],
        };
  return raiseHand === undefined ? looking : raise(looking, name, raiseHand);
}

function raise(
  session: CouncilSession,
  requesting: string,
  wish: { readonly target: string; readonly question: string },
): CouncilSession {
  const target = targetOf(session, wish.target);
  const cycle = session.round;
  const { question } = wish;
  if (target === undefined || target.name === requesting) {
    const why = target === undefined ? 'nobody of that name is invited' : 'nobody raises a hand to itself';
    const whom = oneLine(wish.target).slice(0, 100);
    return withEntries(session, lineEntry('raise-hand', `raised hand of ${requesting} to ${whom} is refused: ${why}`));
  }
  const hand = { cycle, requesting, target: target.name };
  if (target.isPerson) {
    const waiting = { ...session, waitingHands: [...session.waitingHands, { ...hand, question }] };
    return withEntries(waiting, lineEntry('raise-hand', printArbitration(hand, 'deferred-to-next-cycle')));
  }
  const { ledger, status } = recordRaiseHand(parseLedger(session.raiseHandLedger), hand);
  const heard = withEntries(
    { ...session, raiseHandLedger: printLedger(ledger) },
    lineEntry('raise-hand', printArbitration(hand, status)),
  );
  return status === 'honored'
    ? {
        ...heard,
        inserted: [{ kind: 'raise-hand', speaker: target.name, by: requesting, question }, ...heard.inserted],
      }
    : { ...heard, waitingHands: [...heard.waitingHands, { ...hand, question }] };
}

/** Whom an agent means: by exact name, then in any case; the person also as `me` or `user`. */
function targetOf(
  session: CouncilSession,
  wanted: string,
): { readonly name: string; readonly isPerson: boolean } | undefined {
  const names = agentsOf(session).map(({ name }) => name);
  const said = wanted.trim();
  const name = names.find((each) => each === said) ?? names.find((each) => each.toLowerCase() === said.toLowerCase());
  if (name !== undefined) return { name, isPerson: false };
  const person = attendeeOf(session);
  if (person === undefined) return undefined;
  const own = [person.name, session.setup.userName ?? 'user', 'me', 'user'].map((each) => each.toLowerCase());
  return own.includes(said.toLowerCase()) ? { name: person.name, isPerson: true } : undefined;
}

/** A discussion that goes round gets the facilitator's turn before any other. */
function watchLoop(
  session: CouncilSession,
  turn: { readonly agent: string; readonly progress: Progress },
): CouncilSession {
  const speakers = agentsOf(session).filter(({ name }) => !session.muted.includes(name)).length;
  const loopWindow = [...session.loopWindow, turn].slice(-Math.max(3, 2 * agentsOf(session).length));
  const watched = { ...session, loopWindow };
  const loop = findLoop(loopWindow) ?? findLongLoop(loopWindow, speakers);
  const isOver = session.inserted.length === 0 && session.slotsDone >= session.setup.turns;
  if (loop === undefined || isOver) return watched;
  const facilitator = { kind: 'facilitator' as const, speaker: 'FACILITATOR', by: printLoop(loop), question: '' };
  return { ...watched, inserted: [facilitator, ...session.inserted] };
}
