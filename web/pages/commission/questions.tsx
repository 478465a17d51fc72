/** What the worker asks and nobody answered yet, with the place to answer. */
import { CircleHelp } from 'lucide-react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { useAct } from '../../state/hall.tsx';
import { WordsForm } from './words-form.tsx';

/** To the first field for an answer. */
export function focusQuestions(): void {
  const field = document.querySelector<HTMLElement>('#questions textarea');
  field?.scrollIntoView({ block: 'center' });
  field?.focus({ preventScroll: true });
}

type Question = CommissionView['openQuestions'][number];

export function Questions({ view }: { readonly view: CommissionView }) {
  const { openQuestions, process } = view;
  if (openQuestions.length === 0) return null;
  return (
    <section id="questions" aria-label="Questions" className="flex scroll-mt-24 flex-col gap-6">
      {openQuestions.map((question, nth) => (
        <OpenQuestion
          key={question.id}
          view={view}
          question={question}
          isFirst={nth === 0}
          reaches={process === null ? 'The next attempt reads it.' : 'The worker reads it while it works.'}
        />
      ))}
    </section>
  );
}

interface OpenQuestionProps {
  readonly view: CommissionView;
  readonly question: Question;
  readonly isFirst: boolean;
  readonly reaches: string;
}

function OpenQuestion({ view, question, isFirst, reaches }: OpenQuestionProps) {
  const { project, id, worker } = view.commission;
  const answer = useAct('commission.answer');
  const send = async (text: string, allowSecrets: boolean) => {
    const done = await answer.act({ project, id, question: question.id, text, ...(allowSecrets && { allowSecrets }) });
    return done !== undefined;
  };
  const isCompleted = view.commission.status === 'completed';
  return (
    <article aria-label={`Question of ${worker}`} className="flex flex-col gap-3 border-l-2 border-waiting pl-4">
      <header className="flex items-center gap-2 text-13 text-waiting">
        <CircleHelp aria-hidden size={15} />
        <span className="font-medium">{worker} asks</span>
        <span className="text-12 text-faint">
          <TimeAgo at={question.at} />
        </span>
      </header>
      <Markdown text={question.text} />
      <WordsForm
        label="Your answer"
        draftKey={`answer.${project}/${id}.${question.id}`}
        verb="Answer"
        act={answer}
        onSend={send}
        isPrimary={isFirst && !view.allowed.includes('review') && !view.allowed.includes('redispatch')}
        hint={isCompleted ? 'It is kept in the timeline.' : reaches}
      />
    </article>
  );
}
