/** Hands what a program said to everybody who listens. */
import type { Speech } from '../contract.ts';
import type { Terminals } from '../live.ts';
import type { Listener } from '../shapes.ts';

/** Tells everybody of something that nobody has to take. What one of them throws stops neither the others nor the terminal. */
export function announce({ ctx, listeners }: Terminals, say: (listener: Listener) => void): void {
  for (const listener of listeners) {
    try {
      say(listener);
    } catch (error) {
      ctx.log.error({ err: error }, 'somebody who listens to terminals failed');
    }
  }
}

/** Resolves when all have taken it. @throws what the first that refused it threw; all others have been told */
export async function tell(terminals: Terminals, speech: Speech): Promise<void> {
  const results = await Promise.allSettled([...terminals.listeners].map(async ({ onSpeech }) => onSpeech?.(speech)));
  const refused = results.find((result) => result.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
}
