/** Where words are written: it grows, takes images from the clipboard, from a file and from wherever they are dropped. */
import { ImagePlus } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { maxPrompt } from '../../../../src/features/sessions/contract.ts';
import { IconButton } from '../../../kit/button.tsx';
import { AttachmentStrip, type Attachments, filesOf } from './attachments.tsx';
import type { Command } from './slash.ts';
import { SlashMenu, useSlash } from './slash-menu.tsx';

export interface FieldProps {
  readonly ref: RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly attachments: Attachments;
  readonly commands: readonly Command[];
  readonly onSend: () => void;
  /** Esc, where it closes nothing of the field's own. */
  readonly onEscape: () => void;
  /** Under the words: what can be chosen, in the order of reading. */
  readonly tools?: ReactNode;
  /** A word about what is written: why it cannot be sent, or what a command wants. */
  readonly note: ReactNode;
  readonly actions: ReactNode;
  readonly rows?: number;
}

/** Why words cannot be sent as they are; undefined where they can. */
export function whyNotSent(text: string): string | undefined {
  if (text.length > maxPrompt) return `${(text.length - maxPrompt).toLocaleString()} characters too long`;
  return text.trim() === '' ? 'Write something first' : undefined;
}

export function Field(props: FieldProps) {
  const { ref, label, placeholder, text, setText, attachments, commands, onSend, onEscape, note, rows = 1 } = props;
  const id = useId();
  const slash = useSlash(commands, text, (next) => {
    setText(next);
    ref.current?.focus();
  });
  const { isOver, ...drop } = useDrop(attachments.add);
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // While an input method composes, Enter takes its word, and Escape drops it.
    if (event.nativeEvent.isComposing || event.keyCode === 229 || slash.press(event)) return;
    if (event.key === 'Escape') onEscape();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    onSend();
  };
  const isMenu = slash.commands.length > 0;
  return (
    <div
      {...drop}
      className={`relative flex flex-col rounded-lg border bg-raised focus-within:border-ember focus-within:outline-1 focus-within:outline-ember ${isOver ? 'border-ember bg-ember-wash' : 'border-line-strong'}`}
    >
      <SlashMenu slash={slash} id={`${id}-commands`} />
      <AttachmentStrip attachments={attachments} />
      <textarea
        ref={ref}
        id={id}
        rows={rows}
        dir="auto"
        value={text}
        aria-label={label}
        aria-describedby={`${id}-note`}
        aria-invalid={text.length > maxPrompt || undefined}
        {...(isMenu && {
          'aria-autocomplete': 'list' as const,
          'aria-controls': `${id}-commands`,
          'aria-activedescendant': `${id}-commands-${slash.chosen}`,
        })}
        placeholder={isOver ? 'Drop the images here' : placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onPaste={(event) => {
          const files = filesOf(event.clipboardData);
          if (files.length === 0) return;
          // Some programs put a picture beside the words: what is text is pasted as text.
          if (event.clipboardData.getData('text/plain') === '') event.preventDefault();
          attachments.add(files);
        }}
        className="max-h-[38vh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-2.5 pb-1 text-15 leading-normal outline-none [field-sizing:content] placeholder:text-faint focus-visible:outline-none"
      />
      <div className="flex flex-wrap items-center gap-x-1 gap-y-1 px-2 pb-2">
        <ChooseImages onAdd={attachments.add} />
        {props.tools}
        <span
          id={`${id}-note`}
          className="min-w-0 flex-1 truncate px-1.5 text-right text-12 text-faint max-phone:empty:hidden"
        >
          {note}
        </span>
        <div className="ml-auto flex items-center gap-2">{props.actions}</div>
      </div>
    </div>
  );
}

function ChooseImages({ onAdd }: { readonly onAdd: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton icon={ImagePlus} label="Add images" onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Images"
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={(event) => {
          onAdd([...(event.target.files ?? [])]);
          // The same file may be chosen again.
          event.target.value = '';
        }}
      />
    </>
  );
}

/** Files that are dragged over it are for it. */
function useDrop(onAdd: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  return {
    isOver,
    onDragEnter: over,
    onDragOver: over,
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      const files = filesOf(event.dataTransfer);
      if (files.length === 0) return;
      event.preventDefault();
      onAdd(files);
    },
  };
}
