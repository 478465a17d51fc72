/** What was asked for. Before it starts it stands open, and can be changed; afterwards it is one line that opens. */
import { ChevronRight, PencilLine } from 'lucide-react';
import { useMemo } from 'react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { addressesFrom } from '../../kit/artifact-address.ts';
import { Button } from '../../kit/button.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { firstLine } from '../../kit/plain-words.ts';
import { useAwayReason } from '../../state/hall.tsx';
import type { Asking } from './dialogs.tsx';

export interface OrderProps {
  readonly view: CommissionView;
  readonly onAsk: (asking: Asking) => void;
}

export function Order({ view, onAsk }: OrderProps) {
  const away = useAwayReason();
  const { commission, allowed } = view;
  const { project, prompt } = commission;
  const addressOf = useMemo(() => addressesFrom(project, undefined), [project]);
  const text = <Markdown text={prompt} addressOf={addressOf} />;
  if (allowed.includes('edit') || commission.attempt === 0) {
    return (
      <section aria-label="What is to be there" className="flex flex-col gap-2">
        <div className="flex min-h-8 items-center gap-2">
          <h2 className="flex-1 text-13 font-semibold text-soft">What is to be there in the end</h2>
          {allowed.includes('edit') && (
            <Button tone="quiet" icon={PencilLine} blockedBecause={away} onClick={() => onAsk('edit')}>
              Change it
            </Button>
          )}
        </div>
        {text}
      </section>
    );
  }
  return (
    <details className="group/order">
      <summary className="-ml-1.5 flex min-h-8 w-fit max-w-full list-none items-center gap-1.5 rounded-md px-1.5 text-13 font-semibold text-soft hover:bg-hover hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 transition-transform duration-120 group-open/order:rotate-90"
        />
        <span className="shrink-0">What was asked for</span>
        <span className="min-w-0 truncate font-normal text-faint group-open/order:hidden">{firstLine(prompt)}</span>
      </summary>
      <div className="pt-2">{text}</div>
    </details>
  );
}
