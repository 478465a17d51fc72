/** Where one goes from session to session: contexts as one entry each, and the sessions that stand alone. */
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import type { SessionList } from '../../../src/features/sessions/contract.ts';
import { inBackground } from '../../state/background.ts';
import { handOverSession } from '../../state/agent-session.ts';
import { useAct } from '../../state/hall.tsx';
import { Problem } from '../../kit/states.tsx';
import { useHidden } from './hidden.ts';
import { entriesOf, type Entry } from '../../kit/session-entries.ts';

/** What draws the list is loaded with the first picker. */
const PickerSelect = lazy(async () => ({ default: (await import('./picker-select.tsx')).PickerSelect }));

export interface PickerProps {
  readonly project: string;
  readonly list: SessionList | undefined;
  /** Id of the session that is shown. */
  readonly shown?: string;
}

export function Picker({ project, list, shown }: PickerProps) {
  const navigate = useNavigate();
  const hidden = useHidden(project);
  const switching = useAct('session.switch', { isRepeatable: true });
  const entries = useMemo(() => list && entriesOf(list), [list]);
  const current = entries && currentOf([...entries.contexts, ...entries.sessions], list, shown);
  const mayBeSeen = ({ id }: Entry) => !hidden.has(id) || id === current?.id;
  const choose = async ({ id, session }: Entry) => {
    switching.clear();
    if (session === undefined) {
      return await navigate({ to: '/projects/$project/sessions', params: { project }, search: { context: id } });
    }
    const switched = await switching.act({ sessionId: session.id });
    if (switched === undefined) return undefined;
    handOverSession(switched.view);
    return await navigate({
      to: '/projects/$project/sessions/$id',
      params: { project, id: switched.sessionId },
      search: {},
    });
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Suspense fallback={<PickerPlace />}>
        <PickerSelect
          contexts={(entries?.contexts ?? []).filter(mayBeSeen)}
          sessions={(entries?.sessions ?? []).filter(mayBeSeen)}
          current={current ?? null}
          isBusy={entries === undefined || switching.isBusy}
          onChoose={(entry) => inBackground(choose(entry))}
        />
      </Suspense>
      {switching.problem && <Problem facts={switching.problem} />}
    </div>
  );
}

/** Keeps its room until it is there. */
function PickerPlace() {
  return <div className="h-9 w-full rounded-md border border-line bg-raised" />;
}

function currentOf(entries: readonly Entry[], list: SessionList | undefined, shown: string | undefined) {
  if (shown === undefined) return undefined;
  const context = list?.sessions.find(({ id }) => id === shown)?.metaContextId;
  const inContext = list?.metaContexts.find(({ id, sessionIds }) => id === context || sessionIds.includes(shown))?.id;
  return entries.find(({ id }) => id === (inContext ?? shown));
}
