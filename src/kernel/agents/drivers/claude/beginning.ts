/** A session of the agent before anything is said in it. */
import type { IdContext } from '../../../clock/clock.ts';
import { fail } from '../../../pure/errors.ts';
import { activityKey, type AgentSessionId } from '../../../pure/ids.ts';
import type { AgentChoice } from '../../contract.ts';
import { markBegun, newAgentSessionId, unmarkBegun } from './begun.ts';
import { chooseMode, chosenOf } from './modes.ts';
import { tellChoices } from './news.ts';
import type { ProcessContext } from './process.ts';
import { makeReady, type SessionState } from './session.ts';

export async function beginSession(
  ctx: ProcessContext & IdContext,
  session: SessionState,
): Promise<{ sessionId: AgentSessionId; choices: readonly AgentChoice[] }> {
  const { open, driver } = session;
  if (session.isClosed)
    throw fail('conflict', `The session of ${activityKey(open.activity)} is closed.`, 'Open a new one.');
  const sessionId = newAgentSessionId(ctx);
  await markBegun(open.configDir, sessionId);
  const failure = await makeReady(session, sessionId).run(ctx, 'turn');
  if (failure) {
    await unmarkBegun(open.configDir, sessionId);
    throw fail('unavailable', `The agent could not be started: ${failure.message}`, failure.hint);
  }
  return { sessionId, choices: tellChoices(open, chosenOf(driver.chosen, sessionId)) };
}

/** @throws HallError `invalid` for what is not offered */
export function chooseFor(
  session: SessionState,
  sessionId: AgentSessionId,
  choice: string,
  option: string,
): readonly AgentChoice[] {
  const chosen = chosenOf(session.driver.chosen, sessionId);
  chooseMode(chosen, choice, option);
  return tellChoices(session.open, chosen);
}
