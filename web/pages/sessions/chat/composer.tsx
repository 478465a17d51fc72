/** Where the person writes to an agent. Enter sends, Shift+Enter begins a new line, Esc stops what runs; what is not sent is kept. */
import { ArrowUp, Square } from 'lucide-react';
import type { RefObject } from 'react';
import type { SessionView } from '../../../../src/features/sessions/contract.ts';
import { useShortcut } from '../../../app/keyboard.tsx';
import { Button } from '../../../kit/button.tsx';
import { RefusedMessages } from '../../../kit/refused-messages.tsx';
import { focusLastSpeech } from '../../../kit/speech.tsx';
import type { SetDraft } from '../../../state/drafts.ts';
import { useAwayReason } from '../../../state/hall.tsx';
import type { SessionOutbox } from '../../../state/session-outbox.ts';
import type { Attachments } from './attachments.tsx';
import { Choices } from './choices.tsx';
import { Field, whyNotSent } from './field.tsx';
import { commandOf } from './slash.ts';

export interface ComposerProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly project: string;
  readonly session: Pick<SessionView['session'], 'id' | 'choices' | 'commands'>;
  /** For people. */
  readonly agent: string;
  readonly outbox: SessionOutbox;
  readonly draft: Draft;
  readonly isRunning: boolean;
  readonly stop: { readonly run: () => void; readonly isBusy: boolean };
  readonly onSent: () => void;
}

/** What is written and not sent. */
export interface Draft {
  readonly text: string;
  readonly setText: SetDraft;
  readonly attachments: Attachments;
}

export function Composer(props: ComposerProps) {
  const { ref, project, session, agent, outbox, draft, isRunning, stop, onSent } = props;
  const { text, setText, attachments } = draft;
  const away = useAwayReason();
  const why = away ?? whyNotSent(text);
  const send = () => {
    if (why !== undefined) return;
    outbox.send(
      text,
      attachments.list.map(({ name, blob, was }) => ({ name, blob, was })),
    );
    setText('');
    attachments.clear(attachments.list);
    onSent();
  };
  useShortcut('c', 'Write', () => ref.current?.focus(), 'This session');
  const hint = commandOf(session.commands, text)?.hint ?? '';
  const isTooLong = why !== undefined && why.endsWith('too long');
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <RefusedMessages
        outbox={outbox}
        onTakeBack={(words, message) => {
          setText((now) => [words, now].filter(Boolean).join('\n\n'));
          outbox.takeBack(message, attachments.addKept);
          ref.current?.focus();
        }}
      />
      <Field
        ref={ref}
        label={`Words for ${agent}`}
        placeholder={isRunning ? 'Write on; it is answered after this one' : `Say something to ${agent}`}
        text={text}
        setText={setText}
        attachments={attachments}
        commands={session.commands}
        onSend={send}
        onEscape={() => {
          if (isRunning) stop.run();
          else if (!focusLastSpeech()) ref.current?.blur();
        }}
        tools={<Choices project={project} id={session.id} choices={session.choices} />}
        note={
          isTooLong ? (
            <span className="text-failed">▲ {why}</span>
          ) : (
            (away ?? (hint === '' ? <Keys isRunning={isRunning} /> : hint))
          )
        }
        actions={
          <>
            {isRunning && (
              <Button
                icon={Square}
                isBusy={stop.isBusy}
                blockedBecause={away}
                onClick={() => {
                  stop.run();
                  ref.current?.focus();
                }}
                title="Stop the answer (Esc)"
              >
                Stop
              </Button>
            )}
            <Button type="submit" tone="primary" icon={ArrowUp} blockedBecause={why}>
              Send
            </Button>
          </>
        }
      />
    </form>
  );
}

function Keys({ isRunning }: { readonly isRunning: boolean }) {
  return (
    <span className="max-phone:hidden">
      {isRunning ? 'Enter sends, Esc stops' : 'Enter sends, Shift Enter begins a new line'}
    </span>
  );
}
