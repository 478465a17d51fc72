/** Sessions and contexts among what can be found by name, and the ways to begin one. */
import { useNavigate } from '@tanstack/react-router';
import { entriesOf } from '../../kit/session-entries.ts';
import { sessionMark } from '../../kit/session-words.ts';
import { inBackground } from '../../state/background.ts';
import { useReads } from '../../state/hall.tsx';
import type { Find } from './finds.ts';

export function useSessionFinds(projects: readonly string[], onClose: () => void): Find[] {
  const navigate = useNavigate();
  const lists = useReads(
    'session.list',
    projects.map((project) => ({ project })),
  );
  const several = projects.length > 1;
  const known = lists.flatMap((list) => {
    const { contexts, sessions } = entriesOf(list);
    return [...contexts, ...sessions].flatMap(({ kind, id, label, session }): Find[] => {
      if (session === undefined) return [];
      const { project } = list;
      const run = () => {
        onClose();
        const params = { project, id: session.id };
        inBackground(navigate({ to: '/projects/$project/sessions/$id', params, search: {} }));
      };
      const what = kind === 'context' ? session.title : session.agent;
      const detail = [several && project, what, sessionMark(session.state).word].filter(Boolean).join(' · ');
      return [{ key: `session:${project}:${id}`, kind: 'session', title: label, detail, words: [id, session.id], run }];
    });
  });
  const pages = projects.map((project): Find => ({
    key: `page:sessions:${project}`,
    kind: 'page',
    title: several ? `Sessions of ${project}` : 'Sessions',
    words: ['agents', 'specs', 'contexts', 'begin a session', 'new'],
    ...(!several && { keys: 'g a' }),
    run: () => {
      onClose();
      inBackground(navigate({ to: '/projects/$project/sessions', params: { project }, search: {} }));
    },
  }));
  return [...pages, ...known];
}
