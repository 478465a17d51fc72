/** The agent's plan: how far it is in a line, all of it when it is opened. */
import { Circle, CircleCheck, CircleDot, ListTodo } from 'lucide-react';
import type { SessionState } from '../../../../src/features/sessions/contract.ts';
import { Fold } from '../../../kit/steps/step-lines.tsx';

type Entry = SessionState['plan'][number];

const isDone = ({ status }: Entry) => status === 'completed' || status === 'done';
const isNow = ({ status }: Entry) => status === 'in_progress' || status === 'running';

export function Plan({ entries, isRunning }: { readonly entries: readonly Entry[]; readonly isRunning: boolean }) {
  const done = entries.filter(isDone).length;
  if (entries.length === 0 || (done === entries.length && !isRunning)) return null;
  const now = entries.find(isNow) ?? entries.find((entry) => !isDone(entry));
  return (
    <section aria-label="Plan">
      <Fold
        icon={ListTodo}
        isMoving={false}
        isStep={false}
        line={
          <>
            <span className="text-ink">
              {done} of {entries.length} done
            </span>
            {now !== undefined && <span> · {now.text}</span>}
          </>
        }
      >
        <ol className="flex max-h-[30vh] flex-col gap-1 overflow-y-auto py-1 pl-6 text-13">
          {entries.map((entry, nth) => (
            <li key={nth} className={`flex items-start gap-2 ${isDone(entry) ? 'text-faint' : 'text-ink'}`}>
              <Mark entry={entry} />
              <span className="min-w-0">{entry.text}</span>
            </li>
          ))}
        </ol>
      </Fold>
    </section>
  );
}

function Mark({ entry }: { readonly entry: Entry }) {
  const [Icon, word, colour] = isDone(entry)
    ? [CircleCheck, 'done: ', 'text-faint']
    : isNow(entry)
      ? [CircleDot, 'now: ', 'text-active']
      : [Circle, 'to do: ', 'text-faint'];
  return (
    <>
      <Icon aria-hidden size={14} className={`mt-0.5 shrink-0 ${colour}`} />
      <span className="sr-only">{word}</span>
    </>
  );
}
