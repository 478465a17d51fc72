/** What was written in a meeting and came too late. */
import { Button } from '../../kit/button.tsx';
import { Section } from '../../kit/layout.tsx';
import { inBackground } from '../../state/background.ts';
import type { ConversationStore } from '../../state/conversation-store.ts';
import { useOutbox } from '../../state/outbox.ts';
import { Said } from '../../kit/said.tsx';

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
