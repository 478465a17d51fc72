/** Joins the conversations and gatherings of terminals: who takes part, what goes through which terminal. */
import { join } from 'node:path';
import type { Conversations, GatheringsContext, TerminalFacts, TerminalsOf } from '../features/gatherings/context.ts';
import { conversationKind } from '../features/gatherings/contract.ts';
import { gatheringKind } from '../features/gatherings/contract/gathering.ts';
import { bindConversations, bindGatherings, startConversation } from '../features/gatherings/operations.ts';
import {
  talksOfGatherings,
  openGatheringsOf,
  runningGatherings,
  waitingGatherings,
} from '../features/gatherings/operations/ceremony/waiting.ts';
import {
  openConversationsOf,
  runningConversations,
  waitingConversations,
} from '../features/gatherings/operations/waiting.ts';
import { createGatherings } from '../features/gatherings/reactions/ceremony/live.ts';
import {
  forgetOldGatherings,
  openGatherings,
  takeUpGatherings,
} from '../features/gatherings/reactions/ceremony/recovery.ts';
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
import { deliver, forgetUnsaid, statusOf, type Terminals, withdraw } from '../kernel/terminals/terminals.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';
import { packageRoot } from './package.ts';

export interface JoinedGatherings {
  readonly features: readonly HallFeature[];
  readonly openDirect: Conversing['openDirect'];
  /** To be called before terminals are joined. */
  readonly open: () => Promise<void>;
}

interface GatheringsJoin extends Held, Pick<GatheringsContext, 'seats' | 'findHistory' | 'pulseFacts'> {
  readonly conversations: Conversations;
}

export function joinGatherings(hall: HallContext, { desk, terminals, ...joined }: GatheringsJoin): JoinedGatherings {
  const ctx: GatheringsContext = {
    ...hall,
    ...joined,
    terminalsOf: terminalsOf({ desk, terminals }),
    gatherings: createGatherings(),
    shippedRhythms: join(packageRoot(), 'rhythms'),
    isRehearsal: () => hall.gateway.describeModel().isRehearsal,
  };
  return {
    features: [conversationsFeature(ctx), gatheringsFeature(ctx)],
    openDirect: async ({ from: caller, to: target, message }) => {
      const { conversation, opening } = await startConversation(ctx, { caller, target, message });
      return { id: conversation.id, message: opening!.message, receipt: opening!.receipt };
    },
    open: async () => {
      await openConversations(ctx);
      await openGatherings(ctx);
    },
  };
}

function conversationsFeature(ctx: GatheringsContext): HallFeature {
  const { conversations } = ctx;
  return {
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
}

function gatheringsFeature(ctx: GatheringsContext): HallFeature {
  const { gatherings } = ctx;
  return {
    name: 'gatherings',
    operations: bindGatherings(ctx),
    recover: async () => {
      await takeUpGatherings(ctx);
      await forgetOldGatherings(ctx);
    },
    stop: async () => {
      gatherings.stopListening?.();
      for (const { leaving } of gatherings.live.values()) leaving.abort();
    },
    running: async (project) => openGatheringsOf(ctx, project).map(({ id }) => `${gatheringKind} ${id}`),
    activityKind: gatheringKind,
    endCommand: (id) => `guild-hall gathering end ${id}`,
    activities: async (project) => runningGatherings(ctx, project),
    waiting: async () => waitingGatherings(ctx),
    talks: (project) => talksOfGatherings(ctx, project),
  };
}

/** By id: who talked with whom. */
function talksOf({ conversations }: GatheringsContext, project: string): ReadonlyMap<string, string> {
  const own = [...conversations.known.values()].filter((each) => each.project === project);
  return new Map(own.map(({ id, members }) => [id, members.map(({ name }) => name).join(' and ')]));
}

interface Held {
  readonly desk: Desk;
  readonly terminals: HallTerminals;
}

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
    withdraw: async (id, messageId) => await withdraw(requireNow(terminals, id), id, messageId),
    forgetUnsaid: async (id) => await forgetUnsaid(requireNow(terminals, id), id),
    listen: terminals.listen,
  };
}

export function factsOf({ desk, terminals }: Held, record: TerminalRecord): TerminalFacts {
  const { id, name, project, end } = record;
  const open = terminals.now();
  const isHeld = open?.live.has(id) === true;
  const status = end === null && isHeld ? statusOf(open, id).status : 'ended';
  const isOutOfReach = end === null && !isHeld;
  const restFolder = desk.live.get(id)?.kind.restFolder ?? '';
  const facts = { id, name, project, status, isAlive: status !== 'ended', isOutOfReach };
  const endedWhy = end?.why ?? open?.live.get(id)?.end?.cause ?? undefined;
  return { ...facts, endedWhy, isShell: isShell(record), restFolder };
}

function requireNow(terminals: HallTerminals, id: TerminalId): Terminals {
  const open = terminals.now();
  if (open !== undefined) return open;
  throw fail('not_found', `There is no terminal "${id}".`, 'See which there are: guild-hall terminal list', { id });
}
