/** A part over the page that is loaded when it is first shown. When it does not come, the page stays and says so. */
import { type ReactNode, useEffect, useState } from 'react';
import { Dialog } from '../kit/overlay.tsx';
import { Problem } from '../kit/states.tsx';

export interface LaterProps<Part> {
  /** Stays the same function: another one loads another part. */
  readonly load: () => Promise<Part>;
  readonly onClose: () => void;
  readonly children: (part: Part) => ReactNode;
}

export function Later<Part>({ load, onClose, children }: LaterProps<Part>) {
  const [loaded, setLoaded] = useState<{ readonly part: Part }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (part) => setLoaded({ part }),
      () => setFailed(true),
    );
  }, [load]);
  if (loaded) return children(loaded.part);
  if (!hasFailed) return null;
  return (
    <Dialog title="Not there yet" isOpen onOpenChange={onClose}>
      <Problem
        facts={{
          code: 'unavailable',
          message: 'This part of the page was never loaded, and the hall does not give it now.',
          hint: 'Try again when the hall answers; what is on the page stays meanwhile.',
        }}
      />
    </Dialog>
  );
}
