/** How many run and may run, in one quiet line. */
import type { Limits } from '../../../src/features/commissions/contract.ts';

export interface LimitsLineProps {
  readonly limits: Limits;
  /** Left out: of all projects. */
  readonly project: string | undefined;
}

export function LimitsLine({ limits, project }: LimitsLineProps) {
  const { running, global, waitingForReview, reviewLimit } = limits;
  const own = limits.projects.find((each) => each.project === project);
  const isPaused = reviewLimit > 0 && waitingForReview >= reviewLimit;
  return (
    <>
      {own !== undefined && (
        <span>
          {own.running} of {own.limit} run
        </span>
      )}
      <span>
        {running} of {global} {own === undefined ? 'run' : 'in all projects'}
      </span>
      {isPaused && (
        <span className="text-waiting">
          <span aria-hidden>◐ </span>
          {waitingForReview} wait for your review; nothing new starts until fewer than {reviewLimit} do
        </span>
      )}
    </>
  );
}
