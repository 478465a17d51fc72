/** What the pieces of a session's messages need to know of the session. */
import { createContext } from 'react';
import type { SessionId } from '../../../../src/features/sessions/contract.ts';

export interface SessionFactsOf {
  readonly project: string;
  readonly id: string;
  readonly sessionId: SessionId;
  /** Its title for people. */
  readonly agent: string;
  /** Where it works. */
  readonly folder: string;
  /** Nothing can be answered here: it is an earlier phase. */
  readonly isPast: boolean;
}

export const SessionFacts = createContext<SessionFactsOf>({
  project: '',
  id: '',
  sessionId: '' as SessionId,
  agent: '',
  folder: '',
  isPast: true,
});
