/** What several tests share may be in any state after one that failed: its second try gets it anew. */
import { beforeEach } from 'vitest';

/** Runs `steps` before each second try. Call it after the hooks that made it the first time. */
export function beforeSecondTry(...steps: readonly (() => Promise<void>)[]): void {
  beforeEach(async ({ task }) => {
    if ((task.result?.retryCount ?? 0) > 0) for (const step of steps) await step();
  });
}
