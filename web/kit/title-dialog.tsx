/** Asks for another title of something. */
import { useState } from 'react';
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { inBackground } from '../state/background.ts';
import { useAwayReason } from '../state/hall.tsx';
import { Button } from './button.tsx';
import { TextField } from './field.tsx';
import { Dialog, DialogActions } from './overlay.tsx';
import { Refusal } from './refusal.tsx';
import { Problem } from './states.tsx';

export interface TitleDialogProps {
  readonly heading: string;
  readonly description: string;
  /** As it is now. */
  readonly title: string;
  /** Characters. */
  readonly maxLength: number;
  readonly problem: ErrorFacts | undefined;
  readonly isBusy: boolean;
  /** Resolves with undefined where it did not come about; `problem` tells then. */
  readonly onRename: (title: string) => Promise<unknown>;
  /** For titles that are refused where they look like a secret: the person means it. */
  readonly onRenameAllTheSame?: (title: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function TitleDialog(props: TitleDialogProps) {
  const { heading, description, title, maxLength, problem, isBusy, onRename, onRenameAllTheSame, onClose } = props;
  const away = useAwayReason();
  const [text, setText] = useState(title);
  const isEmpty = text.trim() === '';
  const save = async (rename: TitleDialogProps['onRename']) => {
    if (isEmpty || away !== undefined) return;
    if ((await rename(text.trim())) !== undefined) onClose();
  };
  return (
    <Dialog title={heading} description={description} isOpen onOpenChange={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(save(onRename));
        }}
      >
        <TextField
          label="Title"
          value={text}
          maxLength={maxLength}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
        />
        {problem !== undefined &&
          (onRenameAllTheSame === undefined ? (
            <Problem facts={problem} />
          ) : (
            <Refusal
              facts={problem}
              allowLabel="Rename all the same"
              onAllow={() => inBackground(save(onRenameAllTheSame))}
            />
          ))}
        <DialogActions>
          <Button onClick={onClose}>Leave it</Button>
          <Button
            type="submit"
            tone="primary"
            isBusy={isBusy}
            blockedBecause={away ?? (isEmpty ? 'A title has words' : undefined)}
          >
            Rename
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
