/** The event model of a text: one picture of all its slices, where the first of them stands. */
import { Maximize2 } from 'lucide-react';
import { lazy, Suspense, use, useState } from 'react';
import type { Slice } from '../../../src/features/contexts/contract/blocks.ts';
import { isTooMuch } from '../../../src/features/contexts/fold/event-model.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../overlay.tsx';
import { ModelList } from './model-list.tsx';
import { Slices } from './slices.ts';

/** What draws is loaded when the first picture is shown. */
const ModelFlow = lazy(async () => ({ default: (await import('./model-flow.tsx')).ModelFlow }));

export function EventModel({ slice }: { readonly slice: Slice }) {
  const known = use(Slices);
  // Of a text that is drawn in parts the slices may not be known yet.
  const slices = known.length === 0 ? [slice] : known;
  const isFirst = slices[0]?.slice === slice.slice && slices[0].label === slice.label;
  if (isFirst) return isTooMuch(slices) ? <TooMuch slices={slices} /> : <Picture slices={slices} />;
  return (
    <p className="border-l-2 border-line-strong py-0.5 pl-3 font-sans text-13 text-soft">
      {slice.label}: in the event model above
    </p>
  );
}

/** The list is made when it is asked for: it is as long as what made the picture too large. */
function TooMuch({ slices }: { readonly slices: readonly Slice[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2 font-sans text-13 text-soft">
      <p>The event model of {slices.length} slices is too large to be drawn as one picture.</p>
      <Button tone="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        The same as a list
      </Button>
      {isOpen && <ModelList slices={slices} />}
    </div>
  );
}

function Picture({ slices }: { readonly slices: readonly Slice[] }) {
  const [isLarge, setLarge] = useState(false);
  const name = slices.length === 1 ? `Event model: ${slices[0]!.label}` : `Event model of ${slices.length} slices`;
  return (
    <figure aria-label={name} className="flex flex-col gap-2 font-sans">
      <figcaption className="flex items-center justify-between gap-3 text-13 text-soft">
        {name}
        <Button tone="quiet" icon={Maximize2} onClick={() => setLarge(true)} className="max-phone:hidden">
          Larger
        </Button>
      </figcaption>
      <div className="relative h-[26rem] rounded-lg border border-line bg-sunk max-phone:hidden">
        <Suspense fallback={<p className="p-4 text-13 text-soft">Drawing the event model</p>}>
          <ModelFlow slices={slices} name={name} />
        </Suspense>
      </div>
      <details className="text-15 max-phone:hidden">
        <summary className="cursor-pointer text-13 text-soft">The same as a list</summary>
        <ModelList slices={slices} />
      </details>
      {/* A picture that one pans is nothing for a narrow page that one scrolls. */}
      <div className="phone:hidden">
        <ModelList slices={slices} />
      </div>
      <Dialog title={name} isOpen={isLarge} onOpenChange={setLarge} width="page">
        <div className="relative h-[70vh] rounded-lg border border-line bg-sunk">
          <Suspense>
            <ModelFlow slices={slices} name={name} />
          </Suspense>
        </div>
      </Dialog>
    </figure>
  );
}
