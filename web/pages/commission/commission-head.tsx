/** The head: who, what, in which state, since when, on which branch, at what cost; and the two actions that matter. */
import { Link } from '@tanstack/react-router';
import { CircleStop, Ellipsis, Play, RotateCcw, ScanEye } from 'lucide-react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { sinceOf } from '../../../src/features/commissions/fold/record.ts';
import { useIntent } from '../../app/intents.tsx';
import { BranchName } from '../../kit/branch-name.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { commissionState, mergeTrouble } from '../../kit/commission-state.ts';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { ObjectHead } from '../../kit/layout.tsx';
import { sayUsage } from '../../kit/money.ts';
import { Menu, type MenuItem } from '../../kit/overlay.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Problem } from '../../kit/states.tsx';
import { Since, TimeAgo } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import type { Asking } from './dialogs.tsx';
import { sayWholeUsage } from './figures.ts';

export interface CommissionHeadProps {
  /** Undefined while it is not read. */
  readonly view: CommissionView | undefined;
  readonly id: string;
  readonly onAsk: (asking: Asking) => void;
}

export function CommissionHead({ view, id, onAsk }: CommissionHeadProps) {
  const away = useAwayReason();
  const dispatch = useAct('commission.dispatch');
  const review = useAct('commission.review');
  const hold = useAct('commission.hold');
  if (view === undefined) return <ObjectHead title={id} />;
  const { project, worker, title } = view.commission;
  const may = new Set(view.allowed);
  const problem = dispatch.problem ?? review.problem ?? hold.problem;
  const takeOut = () => inBackground(hold.act({ project, id }));
  return (
    <>
      <ObjectHead
        title={title}
        mark={<WorkerGlyph name={worker} size={26} />}
        facts={<Facts view={view} />}
        actions={
          <>
            {may.has('review') && (
              <Button
                tone={mergeTrouble(view.commission.merge) === undefined ? 'primary' : 'plain'}
                icon={ScanEye}
                isBusy={review.isBusy}
                blockedBecause={away}
                onClick={() => inBackground(review.act({ project, id }))}
              >
                Mark reviewed
              </Button>
            )}
            {hasChain(view) && (
              <Button tone="primary" icon={Play} blockedBecause={away} onClick={() => onAsk('dispatch')}>
                Dispatch the chain…
              </Button>
            )}
            {(may.has('dispatch') || isBlockedIdle(view)) && !hasChain(view) && (
              <Button
                tone="primary"
                icon={Play}
                isBusy={dispatch.isBusy}
                blockedBecause={away}
                onClick={() => inBackground(dispatch.act({ project, id, withDependencies: isBlockedIdle(view) }))}
              >
                Dispatch
              </Button>
            )}
            {may.has('hold') && (
              <Button className="max-phone:hidden" isBusy={hold.isBusy} blockedBecause={away} onClick={takeOut}>
                Take out of the queue
              </Button>
            )}
            {may.has('redispatch') && (
              <Button tone="primary" icon={RotateCcw} blockedBecause={away} onClick={() => onAsk('redispatch')}>
                Dispatch again
              </Button>
            )}
            {isUnderWay(view) && may.has('cancel') && (
              <Button icon={CircleStop} blockedBecause={away} onClick={() => onAsk('cancel')}>
                Cancel
              </Button>
            )}
            <Rest view={view} onAsk={onAsk} onTakeOut={takeOut} />
          </>
        }
      />
      {problem && (
        <div className="pt-2">
          <Problem facts={problem} />
        </div>
      )}
    </>
  );
}

function isUnderWay({ commission: { status } }: CommissionView): boolean {
  return status === 'dispatched' || status === 'in_progress';
}

/** It waits for others that nobody has dispatched. */
function hasChain({ commission: { status }, phase, undispatched }: CommissionView): boolean {
  return (status === 'pending' || status === 'blocked') && phase === null && undispatched.length > 0;
}

/** Blocked, and nobody asked for it to start when what it waits for is there. */
function isBlockedIdle({ commission: { status, queuedAt }, phase }: CommissionView): boolean {
  return status === 'blocked' && queuedAt === null && phase === null;
}

function Facts({ view }: { readonly view: CommissionView }) {
  const { commission, process, phase, openQuestions, queue } = view;
  const { project, id, worker, branch, usage } = commission;
  const state = commissionState({ ...commission, process, queue, openQuestions: openQuestions.length });
  const used = usage === null ? undefined : sayUsage(usage);
  const ending = phase === null ? undefined : endings[phase];
  const isRunning = commission.status === 'in_progress' && process !== null;
  // One line that never wraps: a figure that comes later must not move the page.
  return (
    <div className="flex min-w-0 flex-1 items-baseline gap-x-3 overflow-hidden whitespace-nowrap phone:gap-x-4">
      {openQuestions.length > 0 && ending === undefined ? (
        <Link {...toQuestions} params={{ project, id }} className="rounded-sm hover:underline">
          <StateMark {...state} />
        </Link>
      ) : (
        <StateMark {...(ending === undefined ? state : { kind: 'active', word: ending, isMoving: true })} />
      )}
      <span>{isRunning ? <Since at={process.startedAt} /> : <TimeAgo at={sinceOf(commission)} />}</span>
      <span className="max-phone:hidden">{worker}</span>
      {used !== undefined && (
        <span title={usage === null ? undefined : sayWholeUsage(usage)} className="max-phone:hidden">
          {used}
        </span>
      )}
      {branch !== null && <BranchName name={branch} />}
    </div>
  );
}

/** Where what it asks is answered. */
const toQuestions = { to: '/projects/$project/commissions/$id', search: {}, hash: 'questions' } as const;

const endings: Readonly<Partial<Record<NonNullable<CommissionView['phase']>, string>>> = {
  ending: 'ending',
  merging: 'merging',
  cancelling: 'stopping',
};

interface RestProps {
  readonly view: CommissionView;
  readonly onTakeOut: () => void;
  readonly onAsk: (asking: Asking) => void;
}

/** What is done seldom. */
function Rest({ view, onAsk, onTakeOut }: RestProps) {
  const show = useIntent();
  const away = useAwayReason();
  const { project, id, branch, path, worker } = view.commission;
  const may = new Set(view.allowed);
  const copy = (text: string) => inBackground(navigator.clipboard.writeText(text));
  const items: MenuItem[] = [];
  if (may.has('edit')) items.push({ label: 'Change it…', onSelect: () => onAsk('edit'), blockedBecause: away });
  if (may.has('hold')) {
    items.push({ label: 'Take out of the queue', onSelect: onTakeOut, blockedBecause: away, isPhoneOnly: true });
  }
  items.push(
    {
      label: 'Write one that waits for this',
      onSelect: () => show({ kind: 'commission', project, depends: id }),
      blockedBecause: away,
    },
    {
      label: 'Talk it over in a meeting',
      onSelect: () => show({ kind: 'meeting', project, worker, artifact: path }),
      blockedBecause: away,
    },
    { label: 'Copy link', onSelect: () => copy(location.href) },
  );
  if (branch !== null) items.push({ label: 'Copy branch name', onSelect: () => copy(branch) });
  const folder = view.process?.worktree;
  if (folder !== undefined) items.push({ label: 'Copy folder', onSelect: () => copy(folder) });
  if (may.has('cancel') && !isUnderWay(view)) {
    items.push({ label: 'Cancel…', onSelect: () => onAsk('cancel'), blockedBecause: away, isDanger: true });
  }
  return <Menu trigger={<IconButton icon={Ellipsis} label="More" />} items={items} />;
}
