/** One use case as a card: who, what, and what holds before and after. */
import type { UseCase } from '../../../src/features/contexts/contract/blocks.ts';

export function UseCaseCard({ useCase }: { readonly useCase: UseCase }) {
  const { id, name, actor, summary, priority, dependencies, given, when } = useCase;
  return (
    <section
      aria-label={`${id}: ${name}`}
      className="flex flex-col gap-3 rounded-lg border border-line bg-raised px-4 py-3.5 font-sans text-15 text-ink"
    >
      <header className="flex flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 text-13 text-soft">
          <span className="font-mono text-12 font-medium text-ink">{id}</span>
          <span>{actor}</span>
          <span>{priority} priority</span>
          {dependencies.length > 0 && <span>after {dependencies.join(', ')}</span>}
        </p>
        <p dir="auto" className="font-serif text-18 leading-snug font-semibold">
          {name}
        </p>
        <p dir="auto" className="text-soft">
          {summary}
        </p>
      </header>
      <dl className="flex flex-col gap-2">
        <Part word="Given" sentences={given} />
        <Part word="When" sentences={when} />
        <Part word="Then" sentences={useCase.then} />
      </dl>
    </section>
  );
}

function Part({ word, sentences }: { readonly word: string; readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <div className="flex gap-3 max-phone:flex-col max-phone:gap-0.5">
      <dt className="w-12 shrink-0 text-13 leading-6 text-soft">{word}</dt>
      <dd className="flex min-w-0 flex-1 flex-col gap-1">
        {sentences.map((sentence, nth) => (
          // A list of an agent: it may say the same thing twice.
          <p key={nth} dir="auto" className="leading-6 wrap-anywhere">
            {sentence}
          </p>
        ))}
      </dd>
    </div>
  );
}
