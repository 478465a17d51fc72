/** A place for some words about a commission, kept as a draft until they are sent. */
import { type KeyboardEvent, type ReactNode } from 'react';
import { Button } from '../../kit/button.tsx';
import { TextArea } from '../../kit/field.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { inBackground } from '../../state/background.ts';
import { readDraft, useDraft } from '../../state/drafts.ts';
import { type Act, useAwayReason } from '../../state/hall.tsx';

export interface WordsFormProps {
  readonly label: string;
  readonly draftKey: string;
  /** The verb on the button. */
  readonly verb: string;
  readonly act: Pick<Act<'commission.answer'>, 'isBusy' | 'problem'>;
  /** @returns whether it was done */
  readonly onSend: (text: string, allowSecrets: boolean) => Promise<boolean>;
  readonly isPrimary?: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly hint?: ReactNode;
  readonly onLeave?: () => void;
}

export function WordsForm(props: WordsFormProps) {
  const {
    label,
    draftKey,
    verb,
    act,
    onSend,
    isPrimary = false,
    placeholder,
    autoFocus = false,
    hint,
    onLeave,
  } = props;
  const away = useAwayReason();
  const [text, setText] = useDraft(draftKey);
  const why = away ?? (text.trim() === '' ? 'Say something first' : undefined);
  const send = async (allowSecrets = false) => {
    if (why !== undefined || act.isBusy) return;
    // What was typed meanwhile was not sent, and stays.
    if ((await onSend(text, allowSecrets)) && readDraft(draftKey) === text) setText('');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onLeave !== undefined) {
      event.stopPropagation();
      onLeave();
    }
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    inBackground(send());
  };
  return (
    <form
      className="flex max-w-[44rem] flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        inBackground(send());
      }}
    >
      <TextArea
        label={label}
        rows={2}
        hint={hint}
        autoFocus={autoFocus}
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      {act.problem && (
        <Refusal
          facts={act.problem}
          allowLabel={`${verb} all the same`}
          isBusy={act.isBusy}
          onAllow={() => inBackground(send(true))}
        />
      )}
      <div className="flex gap-2">
        <Button type="submit" tone={isPrimary ? 'primary' : 'plain'} isBusy={act.isBusy} blockedBecause={why}>
          {verb}
        </Button>
        {onLeave !== undefined && <Button onClick={onLeave}>Leave it</Button>}
      </div>
    </form>
  );
}
