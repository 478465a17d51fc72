/** The first words of a session that is not there yet, with images. What is not sent is kept. */
import { ArrowUp } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Button } from '../../../kit/button.tsx';
import { inBackground } from '../../../state/background.ts';
import { useDraft } from '../../../state/drafts.ts';
import { base64Of } from '../../../state/session-outbox.ts';
import { useAttachments } from './attachments.tsx';
import { Field, whyNotSent } from './field.tsx';

export interface SubmittedWords {
  readonly text: string;
  readonly images: { readonly data: string }[];
  /** What looks like a secret in them is meant. */
  readonly allowSecrets: boolean;
}

export interface FirstWordsProps {
  readonly draftKey: string;
  readonly label: string;
  readonly placeholder: string;
  /** What the button says. */
  readonly verb?: string;
  /** @returns whether they were taken: then they are forgotten here, and what was written since is not */
  readonly onSubmit: (words: SubmittedWords) => Promise<boolean>;
  /** What was refused, and sends the words once more with the person's word for what looks like a secret in them. */
  readonly renderRefusal: (onAllow: () => void) => ReactNode;
  /** The words are others now. */
  readonly onEdit: () => void;
  readonly isBusy: boolean;
  readonly blockedBecause?: string | undefined;
}

export function FirstWords(props: FirstWordsProps) {
  const {
    draftKey,
    label,
    placeholder,
    verb = 'Send',
    onSubmit,
    renderRefusal,
    onEdit,
    isBusy,
    blockedBecause,
  } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(draftKey);
  const attachments = useAttachments(draftKey);
  const why = blockedBecause ?? whyNotSent(text);
  const send = async (allowSecrets: boolean) => {
    if (why !== undefined || isBusy) return;
    const sent = attachments.list;
    const images = await Promise.all(sent.map(async ({ blob }) => ({ data: await base64Of(blob) })));
    if (!(await onSubmit({ text, images, allowSecrets }))) return;
    setText((now) => (now === text ? '' : now));
    attachments.clear(sent);
  };
  const begin = () => inBackground(send(false));
  return (
    <>
      <Field
        ref={field}
        label={label}
        placeholder={placeholder}
        text={text}
        setText={(next) => {
          setText(next);
          onEdit();
        }}
        attachments={attachments}
        commands={[]}
        onSend={begin}
        onEscape={() => field.current?.blur()}
        rows={4}
        note={blockedBecause}
        actions={
          <Button tone="primary" icon={ArrowUp} isBusy={isBusy} blockedBecause={why} onClick={begin}>
            {verb}
          </Button>
        }
      />
      {renderRefusal(() => inBackground(send(true)))}
    </>
  );
}
