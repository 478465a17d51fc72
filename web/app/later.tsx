/**
 * A part over the page that is loaded when it is first shown. Until it is there, what is typed waits for it: the keys
 * of the page rest, and the first field of the part takes the letters. When it does not come, the page stays and says so.
 */
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Dialog } from '../kit/overlay.tsx';
import { Problem } from '../kit/states.tsx';

export interface LaterProps<Part> {
  /** Stays the same function: another one loads another part. */
  readonly load: () => Promise<Part>;
  readonly onClose: () => void;
  readonly children: (part: Part) => ReactNode;
}

/** What has come, by the function that loads it: it is shown at once the next time. */
const come = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads a part before it is wanted. */
export async function loadAhead(load: () => Promise<unknown>): Promise<void> {
  come.set(load, await load());
}

export function Later<Part>({ load, onClose, children }: LaterProps<Part>) {
  const [part, setPart] = useState(() => come.get(load) as Part | undefined);
  const [hasFailed, setFailed] = useState(false);
  const typed = useRef('');
  useEffect(() => {
    if (part !== undefined) return;
    let isGone = false;
    load().then(
      (loaded) => {
        come.set(load, loaded);
        if (isGone) return;
        // No key comes between the moment it is shown and the moment its field has the focus.
        flushSync(() => setPart(loaded));
        typeInto(document.activeElement, typed.current);
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [load, part]);
  if (part !== undefined) return children(part);
  if (!hasFailed) return <Coming typed={typed} onClose={onClose} />;
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

/** Holds the keys until the part is there; Escape does not wait for it. */
function Coming({ typed, onClose }: { readonly typed: { current: string }; readonly onClose: () => void }) {
  const take = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1);
    else if ([...event.key].length === 1) typed.current += event.key;
  });
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => take(event);
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, []);
  return null;
}

function typeInto(field: Element | null, text: string): void {
  const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  // A box to tick has no place for letters.
  if (text === '' || !isField || field.selectionStart === null) return;
  field.setRangeText(text, field.value.length, field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
