/** Where the person writes. Enter sends, Shift+Enter begins a new line; what is not sent is kept. */
import { ArrowUp, CircleStop } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId } from 'react';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import { useDraft } from '../../state/drafts.ts';
import { useAwayReason } from '../../state/hall.tsx';
import type { Outbox } from '../../state/outbox.ts';
import { RefusedMessages } from '../../kit/refused-messages.tsx';
import { focusLastSpeech } from '../../kit/speech.tsx';

/** Characters; the hall takes no longer message. */
const longest = 400_000;

export interface ComposerProps {
  readonly draftKey: string;
  readonly worker: string;
  readonly outbox: Outbox;
  readonly isAnswering: boolean;
  readonly interrupt: { readonly run: () => void; readonly isBusy: boolean };
  readonly onSent: () => void;
  readonly ref: RefObject<HTMLTextAreaElement | null>;
}

export function Composer({ draftKey, worker, outbox, isAnswering, interrupt, onSent, ref }: ComposerProps) {
  const id = useId();
  const away = useAwayReason();
  const [text, setText] = useDraft(draftKey);
  const tooLong = text.length > longest ? text.length - longest : 0;
  const why =
    away ??
    (tooLong > 0 ? `${tooLong.toLocaleString()} characters too long` : undefined) ??
    (text.trim() === '' ? 'Write something first' : undefined);
  const send = () => {
    if (why !== undefined) return;
    outbox.send(text);
    setText('');
    onSent();
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter takes its word, and Escape drops it.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && !focusLastSpeech()) event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  useShortcut('c', 'Write', () => ref.current?.focus(), 'This meeting');
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
          outbox.takeOut(message);
          ref.current?.focus();
        }}
      />
      <div className="flex flex-col rounded-lg border border-line-strong bg-raised focus-within:border-ember focus-within:outline-1 focus-within:outline-ember">
        <textarea
          ref={ref}
          id={id}
          rows={1}
          dir="auto"
          value={text}
          aria-label={`Words for ${worker}`}
          aria-describedby={`${id}-note`}
          aria-invalid={tooLong > 0 || undefined}
          placeholder={isAnswering ? 'Write on; it is answered after this one' : `Say something to ${worker}`}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={press}
          className="max-h-[38vh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-15 leading-normal outline-none [field-sizing:content] placeholder:text-faint focus-visible:outline-none"
        />
        <div className="flex items-center gap-2 px-2 pb-2">
          <span
            id={`${id}-note`}
            className={`min-w-0 flex-1 truncate px-1.5 text-12 ${tooLong > 0 ? 'text-failed' : 'text-faint'}`}
          >
            {tooLong > 0 ? `▲ ${why}` : (away ?? <Hint />)}
          </span>
          {isAnswering && (
            <Button
              tone="quiet"
              icon={CircleStop}
              className="phone:hidden"
              isBusy={interrupt.isBusy}
              blockedBecause={away}
              onClick={() => {
                interrupt.run();
                // The button goes with the answer.
                focusLastSpeech();
              }}
            >
              Interrupt
            </Button>
          )}
          <Button type="submit" tone="primary" icon={ArrowUp} blockedBecause={why}>
            Send
          </Button>
        </div>
      </div>
    </form>
  );
}

function Hint() {
  return <span className="max-phone:hidden">Enter sends, Shift Enter begins a new line</span>;
}
