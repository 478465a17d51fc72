/** The driver for the Claude Agent SDK: one process a turn, the next one made ready while the person reads. */
import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { IdContext } from '../../../clock/clock.ts';
import type { AgentDriver, AgentSession, OpenOptions } from '../../contract.ts';
import type { Sandbox } from '../../sandbox/contract.ts';
import { beginSession, chooseFor } from './beginning.ts';
import type { ProcessContext } from './process.ts';
import {
  type ClaudeSettings,
  closeSession,
  type DriverState,
  interruptSession,
  prepareSession,
  promptSession,
  type SessionState,
} from './session.ts';
import { createStarts } from './starts.ts';

export type { ClaudeSettings } from './session.ts';
export { stopLeftoverAgents } from './records.ts';

export interface ClaudeDriverOptions {
  /** Read at every start, so that a change of the configuration takes effect. */
  readonly settings: () => ClaudeSettings;
  /** Absolute; one small file for each live process; see `stopLeftoverAgents`. */
  readonly recordsDir: string;
  /** What every process of an agent runs in. Left out: none, and then no worker has a shell. */
  readonly sandbox?: Sandbox;
  /** Sees every message of the SDK before it is mapped: for recordings and measurements. */
  readonly onSdkMessage?: (message: SDKMessage) => void;
}

type DriverContext = ProcessContext & IdContext;

export function createClaudeDriver(ctx: DriverContext, options: ClaudeDriverOptions): AgentDriver {
  const driver: DriverState = {
    ...options,
    starts: createStarts(),
    sessions: new Set(),
    prepared: new Map(),
    chosen: new Map(),
  };
  return {
    name: 'claude',
    open: (open) => openSession(ctx, driver, open),
    stop: async () => {
      await Promise.all([...driver.sessions].map(async (session) => closeSession(ctx, session)));
    },
  };
}

function openSession(ctx: DriverContext, driver: DriverState, open: OpenOptions): AgentSession {
  const session: SessionState = { driver, open, turn: undefined, preparation: undefined, isClosed: false };
  driver.sessions.add(session);
  return {
    prompt: (prompt, options) => promptSession(ctx, session, prompt, options?.resume),
    begin: async () => beginSession(ctx, session),
    choose: async (sessionId, choice, option) => chooseFor(session, sessionId, choice, option),
    prepare: (sessionId) => prepareSession(ctx, session, sessionId),
    interrupt: async () => interruptSession(ctx, session),
    close: async () => closeSession(ctx, session),
  };
}
