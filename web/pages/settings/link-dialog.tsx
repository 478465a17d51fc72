/** A one-time link for another browser of this machine. It is shown here alone, and forgotten with the dialog. */
import { Check, Copy } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

export function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const make = useAct('signin.link');
  const [link, setLink] = useState<OutputOf<'signin.link'>>();
  const [isCopied, setCopied] = useState(false);
  const begin = useEffectEvent(async () => setLink(await make.act({})));
  useEffect(() => inBackground(begin()), []);
  const copy = async (url: string) => {
    await navigator.clipboard.writeText(url);
    setCopied(true);
  };
  return (
    <Dialog
      title="Let in another browser"
      description={
        <p>
          Open this link in a browser of this machine. It works once
          {link && `, until ${clock.format(Date.parse(link.expiresAt))}`}. Whoever opens it can do all that you can.
        </p>
      }
      isOpen
      onOpenChange={onClose}
    >
      {make.problem && <Problem facts={make.problem} />}
      {link === undefined && make.problem === undefined && <Skeleton lines={1} label="Making a link" />}
      {link && (
        <>
          <code className="rounded-md bg-sunk px-3 py-2.5 font-mono text-13 break-all text-ink select-all">
            {link.url}
          </code>
          <DialogActions>
            <Button tone="primary" icon={isCopied ? Check : Copy} onClick={() => inBackground(copy(link.url))}>
              {isCopied ? 'Copied' : 'Copy the link'}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
