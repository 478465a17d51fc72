/** Hands what a program said to everybody who listens. */
import type { Speech } from '../contract.ts';
import type { Terminals } from '../live.ts';

/** Resolves when all have taken it. @throws what the first that refused it threw; all others have been told */
export async function tell(terminals: Terminals, speech: Speech): Promise<void> {
  const results = await Promise.allSettled([...terminals.listeners].map(async ({ onSpeech }) => onSpeech?.(speech)));
  const refused = results.find((result) => result.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
}
