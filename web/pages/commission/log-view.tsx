/** The log, drawn: words set like a document, tool calls as quiet lines, facts between. */
import { Brain } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import type { LiveItem } from '../../../src/features/commissions/fold/live.ts';
import { addressesFrom } from '../../kit/artifact-address.ts';
import { type AddressOf, Markdown } from '../../kit/markdown/markdown.tsx';
import { Steps } from '../../kit/steps/step-lines.tsx';
import { LogFact } from './log-fact.tsx';
import { numberOf, type Segment, segmentsOf, type WordsItem } from './log-segments.ts';

export interface LogViewProps {
  readonly items: readonly LiveItem[];
  readonly view: CommissionView;
  readonly isLive: boolean;
}

export function LogView({ items, view, isLive }: LogViewProps) {
  const { project, timeline } = view.commission;
  const before = useRef<readonly Segment[]>([]);
  const segments = useMemo(() => (before.current = segmentsOf(items, before.current)), [items]);
  const addressOf = useMemo(() => addressesFrom(project, undefined), [project]);
  return (
    <div className="flex flex-col gap-4">
      {segments.map((segment, nth) => (
        <SegmentView
          key={numberOf(segment)}
          segment={segment}
          isNow={isLive && nth === segments.length - 1}
          answer={
            segment.kind === 'fact' && segment.item.kind === 'question' ? answerTo(timeline, segment.item.id) : ''
          }
          addressOf={addressOf}
        />
      ))}
    </div>
  );
}

/** Empty: there is none yet. */
function answerTo(timeline: CommissionView['commission']['timeline'], id: string): string {
  const found = timeline.findLast((entry) => entry.event === 'answer' && entry.question === id);
  return found?.event === 'answer' ? found.text : '';
}

interface SegmentViewProps {
  readonly segment: Segment;
  /** The last one, while the worker works. */
  readonly isNow: boolean;
  readonly answer: string;
  readonly addressOf: AddressOf;
}

const SegmentView = memo(function SegmentView({ segment, isNow, answer, addressOf }: SegmentViewProps) {
  switch (segment.kind) {
    case 'steps':
      return <Steps calls={segment.calls} isRunning={isNow} />;
    case 'fact':
      return <LogFact item={segment.item} answer={answer} />;
    case 'words':
      return segment.item.kind === 'thought' ? (
        <Thought item={segment.item} isNow={isNow} />
      ) : (
        <Markdown text={segment.item.text} isGrowing={isNow} addressOf={addressOf} />
      );
  }
});

function Thought({ item, isNow }: { readonly item: WordsItem; readonly isNow: boolean }) {
  return (
    <details data-steps className="min-w-0">
      <summary className="-ml-1.5 flex min-h-7 list-none items-center gap-2 rounded-md px-1.5 text-13 text-soft hover:bg-hover hover:text-ink [&::-webkit-details-marker]:hidden">
        <Brain aria-hidden size={14} className={`shrink-0 text-faint ${isNow ? 'animate-breathe' : ''}`} />
        <span className="min-w-0 truncate italic">{isNow ? 'Thinking' : item.text.trim().split('\n', 1)[0]}</span>
      </summary>
      <p dir="auto" className="py-1 pl-6 text-13 leading-normal whitespace-pre-wrap text-soft italic">
        {item.text.trim()}
      </p>
    </details>
  );
}
