/** How an answer ended: what it took, or why it did not come to its end, and what to do next. */
import type { ReactNode } from 'react';
import type { AgentMessage } from '../../../../src/features/sessions/contract.ts';
import { sayUsage } from '../../../kit/money.ts';
import { Fact } from '../../../kit/speech.tsx';
import { Problem } from '../../../kit/states.tsx';
import { sayDuration } from '../../../kit/time.tsx';
import { retryReason } from './usage-words.ts';

export interface TurnEndProps {
  readonly message: AgentMessage;
  /** There is nothing else of it. */
  readonly isEmpty: boolean;
  /** What can be done when it did not end well. */
  readonly action: ReactNode;
}

export function TurnEnd({ message, isEmpty, action }: TurnEndProps) {
  const { state, error, retry } = message;
  if (state === 'running') {
    if (retry === null) return null;
    return (
      <Fact mark="◐">
        {retryReason(retry.errorClass)}; it is asked again, try {retry.attempt}.
      </Fact>
    );
  }
  return (
    <>
      {error !== null ? (
        <Problem
          facts={{ code: 'internal', message: error.message, hint: error.hint }}
          action={action && <div className="pt-1">{action}</div>}
        />
      ) : (
        <HowEnded state={state} isEmpty={isEmpty} action={action} />
      )}
      <Took message={message} />
    </>
  );
}

function HowEnded({ state, isEmpty, action }: Pick<TurnEndProps, 'isEmpty' | 'action'> & Pick<AgentMessage, 'state'>) {
  if (state === 'interrupted') return <Fact mark="◐">Stopped here. {action}</Fact>;
  if (state === 'failed')
    return (
      <Problem
        facts={{ code: 'internal', message: 'The answer failed.', hint: 'Say it again.' }}
        action={action && <div className="pt-1">{action}</div>}
      />
    );
  return isEmpty ? <Fact>It ended without a word. {action}</Fact> : null;
}

/** How long it took, and what it cost. */
function Took({ message: { at, endedAt, usage } }: { readonly message: AgentMessage }) {
  const tookMs = endedAt === null ? 0 : Date.parse(endedAt) - Date.parse(at);
  const used = usage === null ? undefined : sayUsage(usage);
  const said = [...(tookMs >= 1000 ? [sayDuration(tookMs)] : []), ...(used === undefined ? [] : [used])];
  if (said.length === 0) return null;
  return (
    <p className="text-12 text-faint" aria-label={`It took ${said.join(', ')}`}>
      {said.join(' · ')}
    </p>
  );
}
