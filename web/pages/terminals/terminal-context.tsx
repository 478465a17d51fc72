/** What is known of a terminal, and a word for it that is put in when it is free. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { TerminalEvents, TerminalSent, TerminalView } from '../../../src/features/terminals/contract.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea } from '../../kit/field.tsx';
import { Section } from '../../kit/layout.tsx';
import { Problem } from '../../kit/states.tsx';
import { StateMark, type StateMarkProps } from '../../kit/state-mark.tsx';
import { commandOf } from '../../kit/terminal/terminal-state.ts';
import { TimeAgo } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { useDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason, useHall } from '../../state/hall.tsx';

export function TerminalContext({ terminal }: { readonly terminal: TerminalView }) {
  const { status, startedAt, startedBy, sandbox, cwd, conversation, end } = terminal;
  return (
    <>
      {status !== 'ended' && <Say terminal={terminal} />}
      <Section title="What it is">
        <dl className="flex flex-col gap-2.5 text-13">
          <Fact name="Runs">
            <code className="font-mono text-12 break-all">{commandOf(terminal)}</code>
          </Fact>
          <Fact name="In">
            <code className="font-mono text-12 break-all">{cwd}</code>
          </Fact>
          <Fact name="Started">
            <TimeAgo at={startedAt} /> {startedBy.kind === 'person' ? 'by you' : `by a ${startedBy.kind}`}
          </Fact>
          {end !== null && (
            <Fact name="Ended">
              <TimeAgo at={end.at} />
              {end.exitCode !== null && `, exit code ${end.exitCode}`}
            </Fact>
          )}
          <Fact name="Sandbox">
            {sandbox.kind === 'none' ? (
              <>
                <StateMark kind="note" word="none" />
                {sandbox.reason !== '' && <span className="block pt-0.5 text-12 text-faint">{sandbox.reason}</span>}
              </>
            ) : (
              sandbox.kind
            )}
          </Fact>
          {conversation !== null && (
            <Fact name="Talks">
              <Link to="/conversations/$id" params={{ id: conversation }} className="underline hover:text-ember-strong">
                in a conversation
              </Link>
            </Fact>
          )}
        </dl>
      </Section>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)] gap-2">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 text-ink">{children}</dd>
    </div>
  );
}

/** One message, put in when the program is free, and what became of it. */
function Say({ terminal }: { readonly terminal: TerminalView }) {
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
    <Section title="Say something">
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
    </Section>
  );
}

type Receipt = TerminalSent['receipt'];

function sayReceipt({ state }: Receipt): StateMarkProps {
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
