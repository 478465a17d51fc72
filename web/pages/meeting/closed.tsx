/** What stays of a meeting that is over: its notes as a document, its decisions, and the talk where it was kept. */
import { NotebookPen } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useIntent } from '../../app/intents.tsx';
import type { MeetingView } from '../../../src/features/meetings/contract.ts';
import { addressesFrom } from '../../kit/artifact-address.ts';
import { Button } from '../../kit/button.tsx';
import { Section } from '../../kit/layout.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { Empty } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';

export interface ClosedProps {
  readonly view: MeetingView;
  /** The talk; undefined where no transcript was kept. */
  readonly talk?: ReactNode;
}

export function Closed({ view, talk }: ClosedProps) {
  const { meeting } = view;
  const show = useIntent();
  const { project, worker, path, decisions, notesSummary } = meeting;
  // Links of notes begin at the record that they stand in.
  const addressOf = useMemo(() => addressesFrom(project, path), [project, path]);
  return (
    <div className="flex flex-col gap-10">
      {notesSummary.trim() === '' ? (
        <Empty
          icon={NotebookPen}
          action={
            <Button onClick={() => show({ kind: 'meeting', project, worker, artifact: path })}>
              Meet {worker} again
            </Button>
          }
        >
          {meeting.status === 'declined'
            ? 'This meeting was declined; it was not held.'
            : 'This meeting was closed without notes.'}
        </Empty>
      ) : (
        <article aria-label="Notes">
          <Markdown text={notesSummary} addressOf={addressOf} />
        </article>
      )}
      {decisions.length > 0 && !/^#+ Decisions/m.test(notesSummary) && (
        <Section title="Decisions" count={decisions.length}>
          <ol className="flex max-w-[44rem] flex-col gap-5">
            {decisions.map(({ timestamp, question, decision, reasoning }) => (
              <li key={`${timestamp}${question}`} className="flex flex-col gap-1">
                <p className="text-13 text-soft">{question}</p>
                <p className="font-serif text-18 text-ink">{decision}</p>
                <p className="text-13 text-soft">{reasoning}</p>
                <p className="text-12 text-faint">
                  <TimeAgo at={timestamp} />
                </p>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {talk !== undefined && (
        <details className="group/talk flex flex-col">
          <summary className="w-fit rounded-md text-13 font-semibold text-soft hover:text-ink">The talk</summary>
          <div className="pt-6">{talk}</div>
        </details>
      )}
    </div>
  );
}
