/** A session with an agent: the talk, the sessions that led to it above, and the work beside it. */
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SessionList, SessionState } from '../../../src/features/sessions/contract.ts';
import { infoOf } from '../../../src/features/sessions/fold/reading.ts';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import { Page } from '../../kit/layout.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { Skeleton, Unread } from '../../kit/states.tsx';
import { type SessionStore, useSession, useShownSession } from '../../state/agent-session.ts';
import { inBackground } from '../../state/background.ts';
import { useRead } from '../../state/hall.tsx';
import { readLiveAgain } from '../../state/live-view.ts';
import { ChatPane } from './chat/chat-pane.tsx';
import { RemoveDialog, RenameDialog } from './dialogs.tsx';
import { EarlierPhases } from './earlier-phases.tsx';
import { FindDialog } from './find-dialog.tsx';
import { NextClicks, useRenderNext } from './next-clicks.tsx';
import { earlierPhases } from './phases.ts';
import { Picker } from './picker.tsx';
import { SessionFacts } from './session-facts.tsx';
import { SessionMenu } from './session-menu.tsx';
import { Workspace } from './workspace.tsx';

export function SessionPage() {
  const { project, id } = useParams({ from: '/projects/$project/sessions/$id' });
  return <Shown key={`${project}/${id}`} project={project} id={id} />;
}

/** What changes with each word of an answer is looked at by those pieces alone that show it. */
function useHeadOf(store: SessionStore) {
  const title = useShownSession(store, ({ view }) => view?.session.title);
  const metaContext = useShownSession(store, ({ view }) => view?.session.metaContext ?? null);
  const from = useShownSession(store, ({ view }) => view?.session.from ?? null);
  const createdAt = useShownSession(store, ({ view }) => view?.session.createdAt ?? '');
  const isClosed = useShownSession(store, ({ view }) => view?.session.isClosed ?? false);
  const state = useShownSession(store, ({ view }) => (view ? infoOf(view.session).state : undefined));
  return { title, metaContext, from, createdAt, isClosed, state };
}

type Over = 'rename' | 'remove' | 'find';

function Shown({ project, id }: { readonly project: string; readonly id: string }) {
  const { above } = useSearch({ from: '/projects/$project/sessions/$id' });
  const navigate = useNavigate();
  const store = useSession(project, id);
  const head = useHeadOf(store);
  const problem = useShownSession(store, (state) => state.problem);
  const list = useRead('session.list', { project });
  const [over, setOver] = useState<Over>();
  const begin = () => inBackground(navigate({ to: '/projects/$project/sessions', params: { project }, search: {} }));
  useShortcut('a', 'Begin another session', begin, 'This session');
  useShortcut('f', 'Find in what was said', () => setOver('find'), 'This session');
  const { title } = head;
  return (
    <NextClicks project={project} store={store} list={list.data} above={above}>
      <Page
        title={head.metaContext === null ? (title ?? id) : `${head.metaContext.name}: ${title ?? id}`}
        contextLabel="Workspace"
        context={title !== undefined && <Workspace project={project} store={store} list={list.data} />}
        head={
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <h1 className="sr-only">{plainTitle(title ?? id)}</h1>
            <div className="flex min-w-0 flex-[1_1_9rem] flex-col gap-1 phone:max-w-xl">
              <Picker project={project} list={list.data} shown={id} />
              <SessionFacts project={project} store={store} />
            </div>
            <span className="flex-1 max-phone:hidden" />
            <div className="flex items-center gap-2 max-phone:self-start">
              <Button icon={Plus} onClick={begin} className="max-phone:hidden">
                New session
              </Button>
              <SessionMenu project={project} id={id} {...head} onBegin={begin} onOver={setOver} />
            </div>
          </div>
        }
      >
        {problem && (
          <div className="mx-auto w-full max-w-[47rem] px-4 pt-6 phone:px-8">
            <Unread facts={problem} onAgain={() => readLiveAgain(store)} />
          </div>
        )}
        {title === undefined && !problem && (
          <div className="mx-auto w-full max-w-[47rem] px-4 py-8 phone:px-8">
            <Skeleton lines={6} label="Reading the session" />
          </div>
        )}
        {title !== undefined && (
          <Talk
            project={project}
            session={{ ...head, id: id as SessionState['id'], title }}
            store={store}
            list={list.data}
            above={above}
          />
        )}
        {over === 'rename' && title !== undefined && (
          <RenameDialog project={project} id={id} title={title} onClose={() => setOver(undefined)} />
        )}
        {over === 'remove' && title !== undefined && (
          <RemoveDialog project={project} id={id} title={title} onClose={() => setOver(undefined)} />
        )}
        {over === 'find' && (
          <FindDialog project={project} id={id} list={list.data} onClose={() => setOver(undefined)} />
        )}
      </Page>
    </NextClicks>
  );
}

interface TalkProps {
  readonly project: string;
  readonly session: Pick<SessionState, 'id' | 'title' | 'createdAt' | 'from' | 'metaContext'>;
  readonly store: SessionStore;
  readonly list: SessionList | undefined;
  readonly above: string | undefined;
}

function Talk({ project, session, store, list, above }: TalkProps) {
  const { id, title, createdAt, from, metaContext } = session;
  const renderNext = useRenderNext(store);
  const earlier = useMemo(
    () => (list ? earlierPhases({ id, createdAt, from, metaContext }, list) : []),
    [id, createdAt, from, metaContext, list],
  );
  return (
    <ChatPane
      store={store}
      project={project}
      id={id}
      renderNext={renderNext}
      above={
        earlier.length > 0 && (
          <EarlierPhases project={project} session={{ id, title, createdAt }} earlier={earlier} above={above} />
        )
      }
    />
  );
}
