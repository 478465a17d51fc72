/** What a program asks in a dialog, with what it can be answered by. */
import type { TerminalView } from '../../../src/features/terminals/contract.ts';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import { Button } from '../button.tsx';
import { plainTitle } from '../plain-title.ts';
import { Problem } from '../states.tsx';

export function Asks({ terminal }: { readonly terminal: TerminalView }) {
  const { id, name, status, question } = terminal;
  const asks = status === 'dialog';
  const away = useAwayReason();
  const shown = useRead('terminal.show', { id }, { enabled: asks });
  const answering = useAct('terminal.type');
  if (!asks) return null;
  const choices = shown.data?.status === 'dialog' ? shown.data.choices : [];
  const answer = (key: string, label: string) => {
    // Only if it still asks that: another question is not answered by this.
    inBackground(answering.act({ id, text: key, choice: label, ...(question !== null && { question }) }));
  };
  return (
    <div role="status" className="flex animate-arrive flex-col gap-2 rounded-md bg-waiting-wash px-3 py-2.5 text-13">
      <p className="text-ink">
        <span className="text-waiting">
          <span aria-hidden>◐ </span>
          {name} asks{question === null ? ' something' : ':'}
        </span>{' '}
        {question !== null && (
          <span dir="auto" className="whitespace-pre-line">
            {question.includes('\n') && '\n'}
            {plainTitle(question)}
          </span>
        )}
      </p>
      {choices.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {choices.map(({ key, label }) => (
            <Button
              key={key}
              isBusy={answering.isBusy}
              blockedBecause={away}
              onClick={() => answer(key, label)}
              className="max-w-full overflow-hidden"
            >
              <span className="text-faint">{key}</span> <span className="truncate">{plainTitle(label)}</span>
            </Button>
          ))}
        </div>
      ) : (
        <p className="text-soft">Answer it in the terminal. Messages for it wait until then.</p>
      )}
      {answering.problem && <Problem facts={answering.problem} />}
    </div>
  );
}
