/** How sessions are called and how they stand. */
import type { SessionInfo } from '../../src/features/sessions/contract.ts';
import type { StateMarkProps } from './state-mark.tsx';

const marks: Readonly<Record<SessionInfo['state'], StateMarkProps>> = {
  idle: { kind: 'done', word: 'resting' },
  running: { kind: 'active', word: 'answering', isMoving: true },
  waiting: { kind: 'waiting', word: 'asks you' },
  closed: { kind: 'idle', word: 'closed' },
  unreadable: { kind: 'failed', word: 'cannot be read' },
};

export function sessionMark(state: SessionInfo['state']): StateMarkProps {
  return marks[state];
}
