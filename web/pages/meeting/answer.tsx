/** An answer: set like a document, with its steps between the words and how it ended beneath. */
import { Check, Copy } from 'lucide-react';
import { memo, type ReactNode, useState } from 'react';
import type { Answer as AnswerFacts } from '../../../src/features/meetings/fold/conversation.ts';
import { IconButton } from '../../kit/button.tsx';
import { type AddressOf, Markdown } from '../../kit/markdown/markdown.tsx';
import { Problem } from '../../kit/states.tsx';
import { useNow } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { segmentsOf } from './segments.ts';
import { Fact } from '../../kit/speech.tsx';
import { Steps } from '../../kit/steps/step-lines.tsx';

export interface AnswerProps {
  readonly answer: AnswerFacts;
  readonly addressOf: AddressOf;
  /** What can be done when it did not end well. */
  readonly action?: ReactNode;
}

export function Answer({ answer, addressOf, action }: AnswerProps) {
  const isRunning = answer.state === 'running';
  const segments = segmentsOf(answer.text, answer.tools);
  return (
    <div className="flex flex-col gap-3">
      {segments.map((segment, nth) =>
        // Segments never change their place: the number is the identity.
        segment.kind === 'steps' ? (
          <Steps key={nth} calls={segment.calls} isRunning={isRunning} />
        ) : (
          <Words
            key={nth}
            text={segment.text}
            isGrowing={isRunning && nth === segments.length - 1}
            addressOf={addressOf}
          />
        ),
      )}
      {answer.retry && <Retry retry={answer.retry} />}
      <Ending answer={answer} isEmpty={segments.length === 0} action={action} />
    </div>
  );
}

interface WordsProps {
  readonly text: string;
  readonly isGrowing: boolean;
  readonly addressOf: AnswerProps['addressOf'];
}

const Words = memo(function Words({ text, isGrowing, addressOf }: WordsProps) {
  return <Markdown text={text.replace(/^\s*\n/, '')} isGrowing={isGrowing} addressOf={addressOf} />;
});

const ways: Readonly<Record<string, string>> = {
  overloaded: 'The model is overloaded',
  rate_limit: 'The model’s rate limit is reached',
  server_error: 'The model’s server failed',
};

function Retry({ retry }: { readonly retry: NonNullable<AnswerFacts['retry']> }) {
  const leftMs = Date.parse(retry.at) + retry.delayMs - useNow();
  return (
    <Fact mark="◐">
      {ways[retry.errorClass] ?? `The model did not answer (${retry.errorClass.replaceAll('_', ' ')})`};{' '}
      {leftMs > 500 ? `asked again in ${Math.ceil(leftMs / 1000)} s` : 'being asked again'}, try {retry.attempt}.
    </Fact>
  );
}

interface EndingProps {
  readonly answer: AnswerFacts;
  readonly isEmpty: boolean;
  readonly action: ReactNode;
}

function Ending({ answer, isEmpty, action }: EndingProps) {
  const { state, error } = answer;
  if (state === 'running') return null;
  if (error !== null)
    return <Problem facts={{ code: 'internal', message: error.reason, hint: error.hint }} action={action} />;
  if (state === 'interrupted') return <Fact>Interrupted here. {action}</Fact>;
  if (state === 'cut-off') return <Fact mark="◐">Cut off: the hall stopped here. {action}</Fact>;
  return isEmpty ? <Fact>It ended without a word. {action}</Fact> : null;
}

export function CopyAnswer({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  if (text === '') return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <IconButton
      icon={isCopied ? Check : Copy}
      label={isCopied ? 'Copied' : 'Copy this answer'}
      onClick={() => inBackground(copy())}
    />
  );
}
