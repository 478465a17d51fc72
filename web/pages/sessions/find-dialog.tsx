/** Finding words in a session and in those that belong to its context. */
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import type { SessionInfo, SessionList, SessionMessage } from '../../../src/features/sessions/contract.ts';
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import { TextField } from '../../kit/field.tsx';
import { Dialog } from '../../kit/overlay.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { callHall, type HallClient, useHall } from '../../state/hall.tsx';
import { factsOf } from '../../state/session.ts';
import { findIn, type Found } from './find-words.ts';
import { earlierPhases } from './phases.ts';

export interface FindDialogProps {
  readonly project: string;
  /** Of the session that is shown. */
  readonly id: string;
  readonly list: SessionList | undefined;
  readonly onClose: () => void;
}

/** So many places are shown. */
const most = 100;

export function FindDialog({ project, id, list, onClose }: FindDialogProps) {
  const sessions = useMemo(() => (list ? withinReach(id, list) : []), [id, list]);
  const { texts, problem, isReading } = useTexts(project, sessions);
  const [words, setWords] = useState('');
  const found = useMemo(() => {
    const said = sessions.map((session) => ({ session, messages: texts.get(session.id) ?? [] }));
    return findIn(said, words, most);
  }, [sessions, texts, words]);
  return (
    <Dialog
      width="wide"
      title={sessions.length > 1 ? `Find in ${sessions.length} sessions` : 'Find in this session'}
      isOpen
      onOpenChange={onClose}
    >
      <TextField label="Words" type="search" value={words} onChange={(event) => setWords(event.target.value)} />
      {problem && <Problem facts={problem} />}
      {isReading && <Skeleton lines={2} label="Reading the sessions" />}
      <p role="status" className="text-13 text-soft">
        {words.trim() !== '' && !isReading && sayCount(found.length)}
      </p>
      <ul aria-label="Found" className="flex flex-col divide-y divide-line">
        {found.map((each, nth) => (
          <li key={nth}>
            <FoundRow project={project} found={each} onChoose={onClose} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function sayCount(count: number): string {
  if (count === 0) return 'Nobody said that here.';
  if (count >= most) return `The newest ${most} places`;
  return count === 1 ? '1 place' : `${count} places`;
}

function FoundRow({
  project,
  found,
  onChoose,
}: {
  readonly project: string;
  readonly found: Found;
  readonly onChoose: () => void;
}) {
  const { session, who, before, match, after, at } = found;
  return (
    <Link
      to="/projects/$project/sessions/$id"
      params={{ project, id: session.id }}
      search={{}}
      onClick={onChoose}
      className="-mx-2 flex flex-col gap-0.5 rounded-md px-2 py-2 hover:bg-hover"
    >
      <span dir="auto" className="text-15 text-ink">
        {before}
        <mark className="bg-ember-wash font-medium text-ink">{match}</mark>
        {after}
      </span>
      <span className="flex gap-3 text-12 text-faint">
        <span className="min-w-0 truncate">{plainTitle(session.title)}</span>
        <span>{who}</span>
        <TimeAgo at={at} />
      </span>
    </Link>
  );
}

/** The session with those before it, and those of its context; the newest first. */
function withinReach(id: string, list: SessionList): readonly SessionInfo[] {
  const own = list.sessions.find((each) => each.id === id);
  if (own === undefined) return [];
  const context = list.metaContexts.find((each) => each.id === own.metaContextId);
  const metaContext = context ? { id: context.id, name: context.name } : null;
  const ids = new Set<string>([id, ...(context?.sessionIds ?? [])]);
  for (const each of earlierPhases({ ...own, metaContext }, list)) ids.add(each.id);
  return list.sessions.filter((each) => ids.has(each.id));
}

/** All that was said in them, by their ids; each is read once. */
function useTexts(project: string, sessions: readonly SessionInfo[]) {
  const client = useHall();
  const [texts, setTexts] = useState<ReadonlyMap<string, readonly SessionMessage[]>>(new Map());
  const [problem, setProblem] = useState<ErrorFacts>();
  const [isReading, setReading] = useState(true);
  const ids = sessions.map(({ id }) => id).join(' ');
  useEffect(() => {
    let isWanted = true;
    const readAll = async () => {
      try {
        for (const id of ids.split(' ')) {
          const messages = await readMessages(client, project, id);
          if (!isWanted) return;
          setTexts((before) => new Map(before).set(id, messages));
        }
      } catch (error) {
        if (isWanted) setProblem(factsOf(error));
      } finally {
        if (isWanted) setReading(false);
      }
    };
    if (ids !== '') inBackground(readAll());
    return () => {
      isWanted = false;
    };
  }, [client, project, ids]);
  return { texts, problem, isReading };
}

async function readMessages(client: HallClient, project: string, id: string): Promise<readonly SessionMessage[]> {
  const view = await callHall(client, 'session.show', { project, id }, { isRepeatable: true });
  let messages: readonly SessionMessage[] = view.session.messages;
  let { earlier } = view;
  while (earlier > 0 && messages[0] !== undefined) {
    const input = { project, id, before: messages[0].seq, count: 500 };
    const more = await callHall(client, 'session.messages', input, { isRepeatable: true });
    messages = [...more.messages, ...messages];
    earlier = more.messages.length === 0 ? 0 : more.earlier;
  }
  return messages;
}
