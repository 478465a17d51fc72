/** An event model as a list: for narrow pages, and for who does not see the picture. */
import type { ReactNode } from 'react';
import type { ModelElement, Slice } from '../../../src/features/contexts/contract/blocks.ts';

export function ModelList({ slices }: { readonly slices: readonly Slice[] }) {
  return (
    <div className="flex flex-col gap-4 pt-2">
      {slices.map((slice, nth) => (
        <section key={nth} aria-label={slice.label} className="flex flex-col gap-1 border-t border-line pt-2 text-13">
          <p className="text-15 font-medium text-ink">{slice.label}</p>
          {slice.screen !== undefined && <Line word="Screen">{slice.screen}</Line>}
          {slice.command && <Element word="Command" element={slice.command} />}
          {slice.events.map((each, at) => (
            <Element key={at} word="Event" element={each} />
          ))}
          {slice.projections.map((each, at) => (
            <Element key={at} word="Projection" element={each} />
          ))}
          {slice.sideEffects.map((each, at) => (
            <Line key={at} word="Effect">
              {each}
            </Line>
          ))}
        </section>
      ))}
    </div>
  );
}

function Element({ word, element }: { readonly word: string; readonly element: ModelElement }) {
  const { name, isNew, fields, feeds } = element;
  return (
    <Line word={word}>
      <span className="font-mono text-12 text-ink">{name}</span>
      {isNew && ' (new)'}
      {feeds.length > 0 && `, feeds ${feeds.join(', ')}`}
      {fields.length > 0 && (
        <span className="block font-mono text-12 text-soft">
          {fields.map(([field, type]) => `${field}: ${type}`).join(', ')}
        </span>
      )}
    </Line>
  );
}

function Line({ word, children }: { readonly word: string; readonly children: ReactNode }) {
  return (
    <p className="flex gap-3 leading-5 text-ink">
      <span className="w-20 shrink-0 text-soft">{word}</span>
      <span className="min-w-0 flex-1 wrap-anywhere">{children}</span>
    </p>
  );
}
