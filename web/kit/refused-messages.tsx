/** Messages that were not taken: each with its words and the reason, until the person decides about it. */
import type { Outbox, RefusedMessage } from '../state/outbox.ts';
import { Button } from './button.tsx';
import { Refusal } from './refusal.tsx';

export interface RefusedMessagesProps {
  readonly outbox: Pick<Outbox, 'refused' | 'sendAgain' | 'takeOut'>;
  /** Puts the words back into the field, and takes the message out of the outbox; left out where there is no field. */
  readonly onTakeBack?: ((words: string, message: RefusedMessage) => void) | undefined;
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
                  {onTakeBack && <Button onClick={() => onTakeBack(message.text, message)}>Take the words back</Button>}
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
