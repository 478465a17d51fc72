/** Sessions and contexts for tests in a browser: begun and carried on by the hall's own operations, without a page. */
import type { NextBlockClicked } from '../../src/features/contexts/contract.ts';
import { nextBlocksOf } from '../../src/features/contexts/fold/live-blocks.ts';
import type { AgentMessage, SessionList, SessionView } from '../../src/features/sessions/contract.ts';
import { openPermissionsOf } from '../../src/features/sessions/fold/reading.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import type { BrowserHall } from './browser-hall.ts';

export const project = 'sample';

export async function listOf(hall: BrowserHall): Promise<SessionList> {
  return (await hall.client.call('session.list', { project })) as SessionList;
}

export async function showSession(hall: BrowserHall, id: string): Promise<SessionView['session']> {
  return ((await hall.client.call('session.show', { project, id })) as SessionView).session;
}

/** Begins one with these words and waits until it is answered. @returns its id */
export async function beginSession(hall: BrowserHall, prompt: string, agent?: string): Promise<string> {
  const input = { project, prompt, ...(agent !== undefined && { agent }) };
  const { session } = (await hall.client.call('session.new', input)) as SessionView;
  const { state, error } = await answered(hall, session.id);
  if (state !== 'done') throw new Error(`${prompt}: the answer ended as ${state}: ${error?.message ?? ''}`);
  return session.id;
}

/** Waits until nothing runs; whatever is asked on the way is allowed. */
export async function answered(hall: BrowserHall, id: string): Promise<AgentMessage> {
  for (;;) {
    const session = await showSession(hall, id);
    for (const { requestId } of openPermissionsOf(session)) {
      await hall.client.call('session.answer', { project, id, request: requestId, option: 'allow' });
    }
    const last = session.messages.findLast((message) => message.role === 'agent');
    if (last !== undefined && last.state !== 'running') return last;
    await systemClock.sleep(30);
  }
}

/** Presses the first button of a session's last answer. @returns the session that it began, answered */
export async function pressNext(hall: BrowserHall, id: string): Promise<string> {
  const message = await answered(hall, id);
  const [block] = nextBlocksOf(message);
  if (block === undefined) throw new Error(`The last answer of ${id} has no button.`);
  const { position, next } = block;
  const click = { project, block: { sessionId: id, message: message.seq, position }, ...next };
  const { sessionId } = (await hall.client.call('next.click', click)) as NextBlockClicked;
  await answered(hall, sessionId);
  return sessionId;
}
