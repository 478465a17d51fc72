/** Which session of a process makes a model call, and what its turn makes of it. */
import { z } from 'zod';
import { parseBody } from '../../gateway/admission.ts';
import type { AgentEvent } from '../../contract.ts';
import type { AcpContext } from './agent.ts';
import type { CallRequest } from './door.ts';
import { countAside, endCall, startCall } from './meter.ts';
import type { ModelCaller } from './model-way.ts';
import { askAgain } from './repeats.ts';
import type { SessionState, Slot, Turn } from './state.ts';
import { give, interruptTurn } from './turn.ts';

/** What the agent said before it asks its model again is read first. Milliseconds. */
const drainMs = 250;

/** Headers in which agents name the session that they call for. */
const sessionHeaders = ['x-claude-code-session-id', 'x-session-affinity', 'x-session-id', 'x-opencode-session'];

/** By its own word where it says one; else the session whose turn runs; of several the one whose words stand in the call. */
export function findCaller(ctx: AcpContext, slot: Slot, request: CallRequest): ModelCaller | undefined {
  for (const name of sessionHeaders) {
    const live = slot.live.get(String(request.headers[name] ?? ''));
    if (live !== undefined) return callerOf(ctx, live.owner, request.body);
  }
  const running = [...slot.users].filter(({ turn }) => turn?.process !== undefined && !turn.map.isOver);
  const chosen = running.length > 1 ? (byWords(running, request.body) ?? running.at(-1)) : running[0];
  const session = chosen ?? [...slot.users][0];
  return session === undefined ? undefined : callerOf(ctx, session, request.body);
}

function byWords(sessions: readonly SessionState[], body: string): SessionState | undefined {
  const places = sessions.map((session) => ({ session, at: body.lastIndexOf(lastWordsOf(session.turn!)) }));
  const best = places.toSorted((a, b) => b.at - a.at)[0];
  return best === undefined || best.at < 0 ? undefined : best.session;
}

/** As they stand in JSON. */
function lastWordsOf({ prompt }: Turn): string {
  const text =
    typeof prompt === 'string'
      ? prompt
      : prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return JSON.stringify(text.slice(-300)).slice(1, -1);
}

export function callerOf(ctx: AcpContext, session: SessionState, body: string): ModelCaller {
  const { turn, open } = session;
  const access = open.model;
  if (turn === undefined || turn.map.isOver)
    return { access, start: async () => undefined, end: () => undefined, over: never };
  const call = readCall(body);
  if (session.driver.entry.hasAsides === true && !call.hasTools) {
    return {
      access,
      start: async () => undefined,
      end: (counts) => countAside(turn.meter, counts),
      over: turn.over.signal,
    };
  }
  return {
    access,
    start: async () => start(ctx, turn, call),
    end: (counts, failed) => {
      const now = ctx.clock.monotonicMs();
      endCall(turn.meter, counts, failed, now);
      turn.lastLifeMs = now;
      turn.map.isFailing = failed !== undefined && failed.status !== null;
    },
    over: turn.over.signal,
  };
}

const callShape = z.looseObject({
  tools: z.array(z.unknown()).optional(),
  messages: z.array(z.looseObject({ role: z.string() })).optional(),
});

interface CallFacts {
  readonly hasTools: boolean;
  /** The model is to go on from its own words, which it is told: no second try of an answer that broke off. */
  readonly isContinued: boolean;
}

function readCall(body: string): CallFacts {
  const { tools, messages } = callShape.safeParse(parseBody(Buffer.from(body))).data ?? {};
  return { hasTools: tools !== undefined && tools.length > 0, isContinued: messages?.at(-1)?.role === 'assistant' };
}

const never = new AbortController().signal;

async function start(ctx: AcpContext, turn: Turn, { isContinued }: CallFacts): Promise<void> {
  const { meter, map } = turn;
  const isAgain = meter.failure !== undefined;
  if (isAgain) await ctx.clock.sleep(drainMs);
  const now = ctx.clock.monotonicMs();
  const outcome: 'refused' | { readonly events: readonly AgentEvent[] } = startCall(meter, now);
  if (outcome === 'refused') {
    ctx.spawn('end a turn at its limit', async () => interruptTurn(ctx, turn, 'limit'));
    await new Promise(() => undefined);
    return;
  }
  turn.lastLifeMs = now;
  map.isFailing = false;
  askAgain(map.repeats, isAgain && !isContinued);
  if (!map.isOver) give(turn, outcome.events);
}
