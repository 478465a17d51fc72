/** Words to the worker while it works; it reads them when its next tool answers. Folded until somebody wants it. */
import { MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import { WordsForm } from './words-form.tsx';

export function TellWorker({ view }: { readonly view: CommissionView }) {
  const { project, id, worker } = view.commission;
  const away = useAwayReason();
  const tell = useAct('commission.comment');
  const [isOpen, setOpen] = useState(false);
  if (!view.allowed.includes('comment')) return null;
  if (!isOpen) {
    return (
      <Button
        tone="quiet"
        icon={MessageSquarePlus}
        className="-ml-3 self-start"
        blockedBecause={away}
        onClick={() => setOpen(true)}
      >
        Remark on the work
      </Button>
    );
  }
  const send = async (text: string, allowSecrets: boolean) => {
    const done = await tell.act({ project, id, text, ...(allowSecrets && { allowSecrets }) });
    if (done !== undefined) setOpen(false);
    return done !== undefined;
  };
  return (
    <WordsForm
      autoFocus
      label={`A remark on what ${worker} does`}
      draftKey={`remark.${project}/${id}`}
      verb="Keep the remark"
      act={tell}
      onSend={send}
      hint="It is kept in the timeline; the next attempt reads it."
      onLeave={() => setOpen(false)}
    />
  );
}
