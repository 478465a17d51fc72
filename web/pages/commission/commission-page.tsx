/** A commission: what was asked for, how it goes, what came of it. */
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { useShortcut } from '../../app/keyboard.tsx';
import { Page } from '../../kit/layout.tsx';
import { Problem, Skeleton, Unread } from '../../kit/states.tsx';
import { toggleSteps } from '../../kit/steps/step-lines.tsx';
import { useCommission } from '../../state/commission.ts';
import { Changes } from './changes.tsx';
import { CommissionContext } from './commission-context.tsx';
import { CommissionHead } from './commission-head.tsx';
import { type Asking, Dialogs } from './dialogs.tsx';
import type { ViewName } from './search.ts';
import { Timeline } from './timeline.tsx';
import { useShowView } from './use-show-view.ts';
import { Work } from './work.tsx';

export function CommissionPage() {
  const { project, id } = useParams({ from: '/projects/$project/commissions/$id' });
  // Another commission is another page: nothing of the one before stays.
  return <Commission key={`${project}/${id}`} project={project} id={id} />;
}

const frame = 'flex w-full max-w-[56rem] flex-1 flex-col gap-8 px-4 py-6 phone:px-8';

function Commission({ project, id }: { readonly project: string; readonly id: string }) {
  const { view, problem, again } = useCommission(project, id);
  const { view: shown = 'work' } = useSearch({ from: '/projects/$project/commissions/$id' });
  const [asking, setAsking] = useState<Asking | null>(null);
  const showView = useShowView(project, id);
  useShortcut('w', 'Show the work', () => showView('work'), 'This commission');
  useShortcut('t', 'Show the timeline', () => showView('timeline'), 'This commission');
  useShortcut('d', 'Show the changes', () => showView('changes'), 'This commission');
  useShortcut('e', 'Open or close all steps', toggleSteps, 'This commission');
  return (
    <Page
      title={view?.commission.title ?? id}
      contextLabel="About this commission"
      context={view && <CommissionContext view={view} />}
      head={<CommissionHead view={view} id={id} onAsk={setAsking} />}
    >
      {view === undefined ? (
        <div className={frame}>
          {problem === undefined ? (
            <Skeleton lines={6} label="Reading the commission" />
          ) : (
            <Unread facts={problem} onAgain={again} />
          )}
        </div>
      ) : (
        <>
          <Tabs view={view} shown={shown} />
          <div className={frame}>
            {view.commission.problems.map(({ line, message }) => (
              <Problem
                key={`${line}${message}`}
                facts={{
                  code: 'invalid',
                  message: `Line ${line} of the record: ${message}`,
                  hint: `Mend ${view.recordFile}`,
                }}
              />
            ))}
            {shown === 'work' && <Work view={view} onAsk={setAsking} />}
            {shown === 'timeline' && <Timeline view={view} />}
            {shown === 'changes' && <Changes view={view} />}
          </div>
          <Dialogs view={view} asking={asking} onClose={() => setAsking(null)} />
        </>
      )}
    </Page>
  );
}

/** What is looked at of it; each with an address of its own. */
function Tabs({ view, shown }: { readonly view: CommissionView; readonly shown: ViewName }) {
  const { project, id, timeline } = view.commission;
  const tabs: readonly { readonly name: ViewName; readonly word: string; readonly count: number }[] = [
    { name: 'work', word: 'Work', count: 0 },
    { name: 'timeline', word: 'Timeline', count: timeline.length },
    { name: 'changes', word: 'Changes', count: view.changedFiles.length },
  ];
  return (
    <nav aria-label="Of this commission" className="flex gap-5 border-b border-line px-4 phone:px-8">
      {tabs.map(({ name, word, count }) => (
        <Link
          key={name}
          to="/projects/$project/commissions/$id"
          params={{ project, id }}
          search={name === 'work' ? {} : { view: name }}
          aria-current={name === shown ? 'page' : undefined}
          activeProps={{}}
          className={`-mb-px flex min-h-10 items-center gap-1.5 border-b-2 text-13 ${
            name === shown ? 'border-ember font-medium text-ink' : 'border-transparent text-soft hover:text-ink'
          }`}
        >
          {word}
          {count > 0 && <span className="text-12 font-normal text-faint">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}
