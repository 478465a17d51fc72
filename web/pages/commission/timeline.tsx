/** What happened, in order, over all attempts; by kind and by attempt where one wants less. */
import { memo, useState } from 'react';
import type { CommissionView, TimelineEntry } from '../../../src/features/commissions/contract.ts';
import { Button } from '../../kit/button.tsx';
import { FilterChoice } from '../../kit/filter-bar.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { looksOf } from '../../kit/state-mark.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { type EntryKind, entryKinds, kindsOf, kindWords, tell } from './entries.ts';
import { GateOutput } from './merge-trouble.tsx';

/** So many of the last ones are drawn before more are asked for. */
const shownAtOnce = 200;

export function Timeline({ view }: { readonly view: CommissionView }) {
  const { timeline, attempt } = view.commission;
  const [kind, setKind] = useState<EntryKind | ''>('');
  const [of, setOf] = useState('');
  const [limit, setLimit] = useState(shownAtOnce);
  const there = new Set(timeline.flatMap(kindsOf));
  const found = timeline.filter(
    (entry) => (kind === '' || kindsOf(entry).includes(kind)) && (of === '' || entry.attempt === Number(of)),
  );
  const shown = found.slice(-limit);
  return (
    <section aria-label="Timeline" className="flex flex-col gap-5">
      <div role="group" aria-label="What of it" className="flex flex-wrap items-center gap-2">
        <FilterChoice
          label="Kind"
          value={kind}
          onChange={(value) => setKind(entryKinds.find((each) => each === value) ?? '')}
          options={[
            { value: '', label: 'All that happened' },
            ...entryKinds.filter((each) => there.has(each)).map((each) => ({ value: each, label: kindWords[each] })),
          ]}
        />
        {attempt > 1 && (
          <FilterChoice
            label="Attempt"
            value={of}
            onChange={setOf}
            options={[
              { value: '', label: 'Every attempt' },
              ...Array.from({ length: attempt }, (_, nth) => ({ value: String(nth + 1), label: `Attempt ${nth + 1}` })),
            ]}
          />
        )}
      </div>
      {found.length === 0 && <p className="text-15 text-soft">Nothing of that happened.</p>}
      {found.length > shown.length && (
        <Button tone="quiet" className="self-start" onClick={() => setLimit(limit + shownAtOnce)}>
          {found.length - shown.length} earlier ones
        </Button>
      )}
      <ol className="flex flex-col">
        {shown.map((entry, nth) => (
          <Entry
            key={found.length - shown.length + nth}
            entry={entry}
            beginsAttempt={attempt > 1 && entry.event === 'attempt'}
            isLast={nth === shown.length - 1}
          />
        ))}
      </ol>
    </section>
  );
}

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly beginsAttempt: boolean;
  readonly isLast: boolean;
}

const Entry = memo(function Entry({ entry, beginsAttempt, isLast }: EntryProps) {
  const { mark, title, text, isMarkdown } = tell(entry);
  const { shape, colour } = looksOf(mark);
  return (
    <li
      data-row
      tabIndex={-1}
      className={`relative flex gap-3 pb-4 ${beginsAttempt ? 'mt-4 border-t border-line pt-5' : ''}`}
    >
      <span aria-hidden className="relative flex w-4 shrink-0 justify-center">
        <span className={`h-fit bg-paper py-0.5 text-12 leading-4 ${colour}`}>{shape}</span>
        {!isLast && <span className="absolute top-5 -bottom-4 w-px bg-line" />}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="flex items-baseline gap-x-3">
          <span dir="auto" className="min-w-0 flex-1 text-13 text-ink">
            {title}
          </span>
          <span className="shrink-0 text-12 text-faint">
            <TimeAgo at={entry.timestamp} />
          </span>
        </p>
        {text !== '' && isMarkdown && <Markdown text={text} />}
        {text !== '' && !isMarkdown && (
          <p dir="auto" className="max-w-[44rem] text-13 leading-normal whitespace-pre-wrap text-soft">
            {text}
          </p>
        )}
        {entry.event === 'gate' && <GateOutput command={entry.command} output={entry.output} />}
      </div>
    </li>
  );
});
