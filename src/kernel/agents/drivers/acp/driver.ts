/** The driver for agents that speak the Agent Client Protocol: one process an agent and project, several sessions in it. */
import type { AgentDriver, AgentSession, OpenOptions } from '../../contract.ts';
import { createStarts } from '../claude/starts.ts';
import type { AcpContext } from './agent.ts';
import {
  beginSession,
  chooseInSession,
  closeSession,
  interruptSession,
  newSession,
  prepareSession,
  promptSession,
} from './session.ts';
import type { AcpDriverOptions, DriverState } from './state.ts';

export { type AcpEntry, acpEntries, type AcpSettings } from './entries.ts';
export type { AcpDriverOptions } from './state.ts';

export function createAcpDriver(ctx: AcpContext, options: AcpDriverOptions): AgentDriver {
  const driver: DriverState = {
    ...options,
    starts: createStarts(),
    slots: new Map(),
    sessions: new Set(),
    door: undefined,
  };
  return {
    name: options.entry.name,
    open: (open) => openSession(ctx, driver, open),
    stop: async () => {
      await Promise.all([...driver.sessions].map(async (session) => closeSession(ctx, session)));
      const door = await driver.door;
      driver.door = undefined;
      await door?.close();
    },
  };
}

function openSession(ctx: AcpContext, driver: DriverState, open: OpenOptions): AgentSession {
  const session = newSession(driver, open);
  return {
    prompt: (prompt, options) => promptSession(ctx, session, prompt, options?.resume),
    begin: async () => beginSession(ctx, session),
    choose: async (sessionId, choice, option) => chooseInSession(ctx, session, { sessionId, choice, option }),
    prepare: (sessionId) => prepareSession(ctx, session, sessionId),
    interrupt: async () => interruptSession(ctx, session),
    close: async () => closeSession(ctx, session),
  };
}
