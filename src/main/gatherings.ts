/** Joins the conversations of terminals: who takes part, what goes through which terminal. */
import type { GatheringsContext, TerminalFacts, TerminalsOf } from '../features/gatherings/context.ts';
import { conversationKind } from '../features/gatherings/contract.ts';
import { bindConversations, startConversation } from '../features/gatherings/operations.ts';
import {
  openConversationsOf,
  runningConversations,
  waitingConversations,
} from '../features/gatherings/operations/waiting.ts';
import { createConversations } from '../features/gatherings/reactions/live.ts';
import {
  forgetOldConversations,
  openConversations,
  takeUpConversations,
} from '../features/gatherings/reactions/recovery.ts';
import type { Conversing, Desk, HallTerminals } from '../features/terminals/context.ts';
import { isShell } from '../features/terminals/rules.ts';
import type { TerminalRecord } from '../features/terminals/store.ts';
import { fail } from '../kernel/pure/errors.ts';
import type { TerminalId } from '../kernel/terminals/contract.ts';
import { deliver, forgetUnsaid, statusOf, type Terminals } from '../kernel/terminals/terminals.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';

export interface JoinedConversations {
  readonly feature: HallFeature;
  readonly conversing: Conversing;
  /** To be called before terminals are joined. */
  readonly open: () => Promise<void>;
}

export function joinConversations(
  hall: HallContext,
  desk: { readonly desk: Desk; readonly terminals: HallTerminals },
): JoinedConversations {
  const ctx: GatheringsContext = { ...hall, terminalsOf: terminalsOf(desk), conversations: createConversations() };
  const { conversations } = ctx;
  const feature: HallFeature = {
    name: 'conversations',
    operations: bindConversations(ctx),
    recover: async () => {
      await takeUpConversations(ctx);
      await forgetOldConversations(ctx);
    },
    stop: async () => {
      conversations.stopListening?.();
      for (const { leaving } of conversations.live.values()) leaving.abort();
    },
    running: async (project) => openConversationsOf(ctx, project).map(({ id }) => `${conversationKind} ${id}`),
    activityKind: conversationKind,
    endCommand: (id) => `guild-hall conversation end ${id}`,
    activities: async (project) => runningConversations(ctx, project),
    waiting: async () => waitingConversations(ctx),
    talks: (project) => talksOf(ctx, project),
  };
  return { feature, conversing: conversingOf(ctx), open: async () => await openConversations(ctx) };
}

/** By id: who talked with whom. */
function talksOf({ conversations }: GatheringsContext, project: string): ReadonlyMap<string, string> {
  const own = [...conversations.known.values()].filter((each) => each.project === project);
  return new Map(own.map(({ id, members }) => [id, members.map(({ name }) => name).join(' and ')]));
}

function conversingOf(ctx: GatheringsContext): Conversing {
  return {
    of: (terminal) => ctx.conversations.byTerminal.get(terminal) ?? null,
    openDirect: async ({ from: caller, to: target, message }) => {
      const { conversation, opening } = await startConversation(ctx, { caller, target, message });
      return { id: conversation.id, message: opening!.message, receipt: opening!.receipt };
    },
  };
}

type Held = { readonly desk: Desk; readonly terminals: HallTerminals };

/** All that there are, also outside of projects. */
function terminalsOf(held: Held): TerminalsOf {
  const { desk, terminals } = held;
  const find = (id: TerminalId): TerminalFacts | undefined => {
    const record = desk.records.get(id);
    return record === undefined ? undefined : factsOf(held, record);
  };
  return {
    list: () => [...desk.records.values()].map((record) => factsOf(held, record)),
    find,
    deliver: async (id, message) => await deliver(requireNow(terminals, id), id, message),
    forgetUnsaid: async (id) => await forgetUnsaid(requireNow(terminals, id), id),
    listen: terminals.listen,
  };
}

function factsOf({ desk, terminals }: Held, record: TerminalRecord): TerminalFacts {
  const { id, name, project, end } = record;
  const open = terminals.now();
  const status = end === null && open?.live.has(id) === true ? statusOf(open, id).status : 'ended';
  const restFolder = desk.live.get(id)?.kind.restFolder ?? '';
  return { id, name, project, status, isAlive: status !== 'ended', isShell: isShell(record), restFolder };
}

function requireNow(terminals: HallTerminals, id: TerminalId): Terminals {
  const open = terminals.now();
  if (open !== undefined) return open;
  throw fail('not_found', `There is no terminal "${id}".`, 'See which there are: guild-hall terminal list', { id });
}
