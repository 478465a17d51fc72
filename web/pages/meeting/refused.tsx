/** Messages that were not taken: each with its words and the reason, until the person decides about it. */
import { Button } from '../../kit/button.tsx';
import { Section } from '../../kit/layout.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { inBackground } from '../../state/background.ts';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { type Outbox, useOutbox } from '../../state/outbox.ts';
import { Said } from '../../kit/said.tsx';

export interface RefusedMessagesProps {
  readonly outbox: Outbox;
  /** The words go back into the field. */
  readonly onTakeBack: (words: string) => void;
}

/** So much of the words is shown: enough to know them again. Characters. */
const shownWords = 300;

export function RefusedMessages({ outbox, onTakeBack }: RefusedMessagesProps) {
  if (outbox.refused.length === 0) return null;
  return (
    <ul aria-label="Not sent" className="flex max-h-[38vh] flex-col gap-2 overflow-y-auto">
      {outbox.refused.map((message) => {
        const isAboutSecrets = message.problem.details?.['kind'] === 'secrets';
        return (
          <li key={message.messageId} className="flex flex-col gap-1">
            <p dir="auto" className="line-clamp-2 px-1 text-13 wrap-anywhere text-soft">
              {message.text.slice(0, shownWords)}
            </p>
            <Refusal
              facts={message.problem}
              onAllow={() => outbox.sendAgain(message, true)}
              allowLabel="Send it all the same"
              action={
                <div className="flex flex-wrap gap-2">
                  {!isAboutSecrets && <Button onClick={() => outbox.sendAgain(message, false)}>Send again</Button>}
                  <Button
                    onClick={() => {
                      outbox.takeOut(message);
                      onTakeBack(message.text);
                    }}
                  >
                    Take the words back
                  </Button>
                  <Button tone="quiet" onClick={() => outbox.takeOut(message)}>
                    Throw them away
                  </Button>
                </div>
              }
            />
          </li>
        );
      })}
    </ul>
  );
}

export interface LeftWordsProps {
  readonly store: ConversationStore;
  readonly project: string;
  readonly id: string;
}

/** Of a meeting that is over: what was written in it and came too late. There is no field to take it back into. */
export function LeftWords({ store, project, id }: LeftWordsProps) {
  const outbox = useOutbox(store, project, id);
  if (outbox.refused.length === 0) return null;
  return (
    <Section title="Not sent before the end" count={outbox.refused.length}>
      <ul className="flex flex-col gap-5">
        {outbox.refused.map((message) => (
          <li key={message.messageId} className="flex flex-col gap-2">
            <Said text={message.text} />
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => inBackground(navigator.clipboard.writeText(message.text))}>Copy the words</Button>
              <Button tone="quiet" onClick={() => outbox.takeOut(message)}>
                Throw them away
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
