/** The state of an open activity as a mark. */
import type { ReactNode } from 'react';
import { StateMark } from './state-mark.tsx';
import type { OutputOf } from '../state/operations.ts';

type RunningState = OutputOf<'overview'>['running'][number]['state'];

const ofCommissions: Readonly<Partial<Record<RunningState, string>>> = {
  opening: 'starting',
  answering: 'running',
  closing: 'ending',
};

const ofGatherings: Readonly<Partial<Record<RunningState, string>>> = {
  opening: 'beginning',
  answering: 'under way',
  closing: 'harvesting',
};

/** @param kind of the activity: a commission works where a meeting answers */
export function activityMark(state: RunningState, kind = 'meeting'): ReactNode {
  if (kind === 'commission' && state in ofCommissions)
    return <StateMark kind="active" word={ofCommissions[state]!} isMoving />;
  if (kind === 'gathering' && state in ofGatherings)
    return <StateMark kind="active" word={ofGatherings[state]!} isMoving />;
  switch (state) {
    case 'opening':
      return <StateMark kind="active" word="opening" isMoving />;
    case 'answering':
      return <StateMark kind="active" word="answering" isMoving />;
    case 'closing':
      return <StateMark kind="active" word="closing" isMoving />;
    case 'waiting':
      return <StateMark kind="waiting" word="your turn" />;
    case 'idle':
      return <StateMark kind="done" word="resting" />;
  }
}
