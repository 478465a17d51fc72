/** One message for a terminal, put in when its program is free, and what became of it. */
import { useEffect, useState } from 'react';
import type { TerminalEvents, TerminalSent, TerminalView } from '../../../src/features/terminals/contract.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea } from '../../kit/field.tsx';
import { Problem } from '../../kit/states.tsx';
import { StateMark, type StateMarkProps } from '../../kit/state-mark.tsx';
import { inBackground } from '../../state/background.ts';
import { useDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useHall } from '../../state/hall.tsx';

export function Say({ terminal }: { readonly terminal: TerminalView }) {
  const { id, name, status } = terminal;
  const away = useAwayReason();
  const sending = useAct('terminal.send');
  const [text, setText] = useDraft(`terminal.${id}`);
  const [sent, setSent] = useState<TerminalSent>();
  const receipt = useReceipt(sent);
  const why = away ?? (text.trim() === '' ? 'Write something first' : undefined);
  const send = async () => {
    const done = await sending.act({ sessionId: id, message: text });
    if (done === undefined) return;
    setSent(done);
    setText('');
  };
  return (
    <section aria-label="Say something" className="max-w-[44rem]">
      <form
        className="flex flex-col items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (why === undefined && !sending.isBusy) inBackground(send());
        }}
      >
        <div className="w-full">
          <TextArea
            label={`A message for ${name}`}
            rows={2}
            value={text}
            onChange={(event) => setText(event.target.value)}
            hint={
              status === 'idle' ? 'Put in as one message, with Enter.' : 'Put in as one message as soon as it is free.'
            }
          />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" isBusy={sending.isBusy} blockedBecause={why}>
            Send
          </Button>
          <span role="status">{receipt && <StateMark {...sayReceipt(receipt)} />}</span>
        </div>
        {receipt?.state === 'failed' && <p className="text-13 text-soft">{receipt.why}</p>}
        {sending.problem && <Problem facts={sending.problem} />}
      </form>
    </section>
  );
}

type Receipt = TerminalSent['receipt'];

function sayReceipt(receipt: Receipt): StateMarkProps {
  const { state } = receipt;
  if (state === 'delivered' && receipt.silent === true)
    return { kind: 'waiting', word: 'put in; it shows no sign of having read it' };
  if (state === 'queued') return { kind: 'waiting', word: 'waits until it is free' };
  return state === 'delivered' ? { kind: 'done', word: 'delivered' } : { kind: 'failed', word: 'not delivered' };
}

/** What became of a message that was sent here. */
function useReceipt(sent: TerminalSent | undefined): Receipt | undefined {
  const { link } = useHall();
  const [later, setLater] = useState<{ readonly message: string; readonly receipt: Receipt }>();
  useEffect(() => {
    const hear = ({ type, data }: { readonly type: string; readonly data: unknown }) => {
      if (type !== 'terminal.receipt') return;
      // Also of one whose answer has not come yet.
      const { message, receipt } = data as TerminalEvents['terminal.receipt'];
      setLater({ message, receipt });
    };
    link.eventListeners.add(hear);
    return () => void link.eventListeners.delete(hear);
  }, [link]);
  return later !== undefined && later.message === sent?.message ? later.receipt : sent?.receipt;
}
