/** The doctor's round: what the hall needs, what was found, what to type. What is not well comes first. */
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';
import { StateMark, type StateKind } from '../../kit/state-mark.tsx';
import { Problem, Skeleton, withCommands } from '../../kit/states.tsx';
import { useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

type Check = OutputOf<'doctor'>['checks'][number];

const marks: Readonly<
  Record<Check['state'], { readonly kind: StateKind; readonly word: string; readonly order: number }>
> = {
  bad: { kind: 'failed', word: 'Bad', order: 0 },
  note: { kind: 'note', word: 'Note', order: 1 },
  good: { kind: 'done', word: 'Good', order: 2 },
};

export function Checks() {
  const away = useAwayReason();
  const { data, problem, again } = useRead('doctor', {});
  const [isAll, setAll] = useState(false);
  const ordered = data?.checks.toSorted((a, b) => marks[a.state].order - marks[b.state].order) ?? [];
  const open = ordered.filter(({ state }) => state !== 'good');
  const good = ordered.length - open.length;
  return (
    <Section
      title="Health"
      action={
        <Button tone="quiet" icon={RotateCw} blockedBecause={away} onClick={again}>
          Check again
        </Button>
      }
    >
      {problem && <Problem facts={problem} />}
      {data === undefined && problem === undefined && <Skeleton lines={4} />}
      {data && (
        <>
          <p className="pb-1 text-15 text-ink">{sayHealth(open)}</p>
          {(isAll ? ordered : open).length > 0 && (
            <Rows label="Health">
              {(isAll ? ordered : open).map((check) => (
                <CheckRow key={`${check.name}:${check.found}`} check={check} />
              ))}
            </Rows>
          )}
          {good > 0 && (
            <Button tone="quiet" className="-ml-3 self-start" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
              {isAll
                ? 'Hide what is well'
                : good === 1
                  ? 'Show the one that is well'
                  : `Show the ${good} that are well`}
            </Button>
          )}
        </>
      )}
    </Section>
  );
}

function sayHealth(open: readonly Check[]): string {
  const bad = open.filter(({ state }) => state === 'bad').length;
  if (open.length === 0) return 'All is well.';
  if (bad === 0)
    return open.length === 1 ? 'All works; one thing to know.' : `All works; ${open.length} things to know.`;
  return bad === 1 ? 'One thing does not work.' : `${bad} things do not work.`;
}

function CheckRow({ check }: { readonly check: Check }) {
  const { kind, word } = marks[check.state];
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-4 gap-y-0.5 py-2.5 text-13 phone:grid-cols-[5rem_7rem_minmax(0,1fr)]">
      <StateMark kind={kind} word={word} />
      <span className="font-medium text-ink first-letter:uppercase">{check.name}</span>
      <span className="flex min-w-0 flex-col gap-1 max-phone:col-start-2">
        <span className="text-soft">{withCommands(check.found)}</span>
        {check.hint !== '' && <span className="text-soft">{withCommands(check.hint)}</span>}
      </span>
    </li>
  );
}
