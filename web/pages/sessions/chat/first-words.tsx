/** The first words of a session that is not there yet, with images. What is not sent is kept. */
import { ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../kit/button.tsx';
import { inBackground } from '../../../state/background.ts';
import { useDraft } from '../../../state/drafts.ts';
import { base64Of } from '../../../state/session-outbox.ts';
import { useAttachments } from './attachments.tsx';
import { Field, whyNotSent } from './field.tsx';

export interface FirstWordsProps {
  readonly draftKey: string;
  readonly label: string;
  readonly placeholder: string;
  /** What the button says. */
  readonly verb?: string;
  /** @returns whether they were taken: then they are forgotten here */
  readonly onSubmit: (text: string, images: { readonly data: string }[]) => Promise<boolean>;
  readonly isBusy: boolean;
  readonly blockedBecause?: string | undefined;
}

export function FirstWords(props: FirstWordsProps) {
  const { draftKey, label, placeholder, verb = 'Send', onSubmit, isBusy, blockedBecause } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraft(draftKey);
  const attachments = useAttachments(draftKey);
  const why = blockedBecause ?? whyNotSent(text);
  const send = async () => {
    if (why !== undefined || isBusy) return;
    const images = await Promise.all(attachments.list.map(async ({ blob }) => ({ data: await base64Of(blob) })));
    if (!(await onSubmit(text, images))) return;
    setText('');
    attachments.clear();
  };
  const begin = () => inBackground(send());
  return (
    <Field
      ref={field}
      label={label}
      placeholder={placeholder}
      text={text}
      setText={setText}
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
  );
}
