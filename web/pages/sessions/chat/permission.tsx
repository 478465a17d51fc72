/** A question of the agent: whether it may do something, with its own options. It waits as long as the person wants. */
import { ShieldQuestion } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import type { PermissionPart } from '../../../../src/features/sessions/contract.ts';
import { useShortcut } from '../../../app/keyboard.tsx';
import { Button } from '../../../kit/button.tsx';
import { Keys } from '../../../kit/key.tsx';
import { Problem } from '../../../kit/states.tsx';
import { Part, sayInput } from '../../../kit/steps/step-lines.tsx';
import { inBackground } from '../../../state/background.ts';
import { useAct, useAwayReason } from '../../../state/hall.tsx';
import { inOrder, type PermissionOption } from './permission-words.ts';
import { toolWords } from './tool-words.ts';
import { Changes } from './work.tsx';

export interface PermissionProps {
  readonly part: PermissionPart;
  readonly project: string;
  readonly id: string;
  readonly agent: string;
  readonly folder: string;
  /** The first that waits: the digits are its. */
  readonly isFirst: boolean;
}

export function Permission({ part, project, id, agent, folder, isFirst }: PermissionProps) {
  const titleId = useId();
  const away = useAwayReason();
  const answering = useAct('session.answer');
  const chosen = useRef<string>(undefined);
  const options = inOrder(part.options);
  const answer = (option: PermissionOption | undefined) => {
    if (option === undefined || away !== undefined || answering.isBusy) return;
    chosen.current = option.id;
    inBackground(answering.act({ project, id, request: part.requestId, option: option.id }));
  };
  const element = useKeepsFocus();
  const { verb, subject } = toolWords(part, folder);
  const isInputTold = typeof part.input !== 'object' || part.input === null || Object.keys(part.input).length === 0;
  return (
    <section
      ref={element}
      aria-labelledby={titleId}
      data-question
      className="flex animate-arrive flex-col gap-3 rounded-md border border-waiting bg-raised px-4 py-3"
    >
      <p id={titleId} className="flex items-start gap-2.5 text-15 text-ink">
        <ShieldQuestion aria-hidden size={18} className="mt-0.5 shrink-0 text-waiting" />
        <span className="min-w-0">
          <span className="font-medium">{agent} asks whether it may go on:</span> {verb}{' '}
          {subject !== '' && <code className="font-mono text-13 wrap-anywhere">{subject}</code>}
        </span>
      </p>
      {part.diffs.length > 0 ? (
        <div className="max-h-[40vh] overflow-y-auto" tabIndex={0} role="region" aria-label="What it would change">
          <Changes diffs={part.diffs} folder={folder} isOpen={part.diffs.length < 4} />
        </div>
      ) : (
        !isInputTold && <Part label="What it would do" text={sayInput(part.input as object)} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        {options.map((option, nth) => (
          <Button
            key={option.id}
            tone={nth === 0 && option.kind.startsWith('allow') ? 'primary' : 'plain'}
            isBusy={answering.isBusy && chosen.current === option.id}
            blockedBecause={away ?? (answering.isBusy ? 'The answer is on its way' : undefined)}
            onClick={() => answer(option)}
            className="max-phone:h-11 max-phone:flex-1"
          >
            {option.name}
            {isFirst && nth < 9 && (
              <span className="max-phone:hidden">
                <Digit digit={nth + 1} label={option.name} onPress={() => answer(option)} />
              </span>
            )}
          </Button>
        ))}
      </div>
      {answering.problem && <Problem facts={answering.problem} />}
    </section>
  );
}

interface DigitProps {
  readonly digit: number;
  readonly label: string;
  readonly onPress: () => void;
}

function Digit({ digit, label, onPress }: DigitProps) {
  useShortcut(String(digit), label, onPress, 'The question');
  return (
    <span aria-hidden className="opacity-80">
      <Keys keys={String(digit)} />
    </span>
  );
}

/** When it is answered it leaves; the focus that was in it goes to the answer around it, and is not lost. */
function useKeepsFocus() {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = element;
    const article = current?.closest<HTMLElement>('article');
    return () => {
      // React has taken it out already when the focus is nowhere.
      setTimeout(() => {
        if (document.activeElement === document.body) article?.focus({ preventScroll: true });
      });
    };
  }, []);
  return element;
}

/** To the first question that waits. @returns whether there is one */
export function focusQuestion(): boolean {
  const question = document.querySelector<HTMLElement>('[data-question]');
  question?.scrollIntoView({ block: 'center' });
  question?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  return question !== null;
}
