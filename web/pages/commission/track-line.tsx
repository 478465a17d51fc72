/** The life of the commission, as a thin line: what it came through, where it is, what is ahead. */
import type { CommissionRecord } from '../../../src/features/commissions/contract.ts';
import { TimeAgo } from '../../kit/time.tsx';
import { type Stage, stagesOf } from './track.ts';

export function Track({ commission }: { readonly commission: CommissionRecord }) {
  const stages = stagesOf(commission);
  return (
    <ol aria-label="Its life" className="flex max-w-3xl">
      {stages.map((stage, nth) => (
        <li
          key={stage.word}
          aria-current={stage.state === 'now' ? 'step' : undefined}
          className={`relative flex min-w-0 flex-col gap-1.5 ${nth < stages.length - 1 ? 'flex-[1_1_auto]' : 'flex-none'}`}
        >
          <span className="flex items-center">
            <Dot state={stage.state} />
            {nth < stages.length - 1 && (
              <span
                aria-hidden
                className={`mx-1 h-px flex-1 ${stages[nth + 1]?.state === 'ahead' ? 'bg-line' : 'bg-line-strong'}`}
              />
            )}
          </span>
          <span className="flex flex-col pr-2 text-12">
            <span className={`whitespace-nowrap ${words[stage.state]}`}>{stage.word}</span>
            <span className="text-faint max-phone:sr-only">{stage.at !== null && <TimeAgo at={stage.at} />}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

const words: Readonly<Record<Stage['state'], string>> = {
  past: 'text-soft',
  now: 'font-semibold text-ink',
  ahead: 'text-faint',
  failed: 'font-semibold text-failed',
  dropped: 'font-semibold text-soft',
};

function Dot({ state }: { readonly state: Stage['state'] }) {
  const place = 'flex size-3 shrink-0 items-center justify-center text-12 leading-none';
  switch (state) {
    case 'past':
      return (
        <span aria-hidden className={place}>
          <span className="size-2 rounded-full bg-line-strong" />
        </span>
      );
    case 'now':
      return (
        <span aria-hidden className={place}>
          <span className="size-3 rounded-full border-2 border-ember bg-paper" />
        </span>
      );
    case 'ahead':
      return (
        <span aria-hidden className={place}>
          <span className="size-2 rounded-full border border-line-strong bg-paper" />
        </span>
      );
    case 'failed':
      return (
        <span aria-hidden className={`${place} text-failed`}>
          ▲
        </span>
      );
    case 'dropped':
      return (
        <span aria-hidden className={`${place} text-soft`}>
          ×
        </span>
      );
  }
}
