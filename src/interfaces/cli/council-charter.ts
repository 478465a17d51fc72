/** Asks for the charter of a council where a person sits and did not give one. */
import type { FollowParts } from './follow.ts';

/** Nothing typed leaves the input without one: the hall says what follows. */
export async function askCharter(parts: FollowParts, input: Record<string, unknown>, asJson: boolean): Promise<void> {
  const { prompt, terminal: term } = parts;
  if (input['charter'] !== undefined || input['resume'] !== undefined || asJson || prompt === undefined) return;
  const leaving = new AbortController();
  const stopListening = parts.onInterrupt(() => leaving.abort());
  term.out(`What is the council to settle? ${term.style('dim', 'One to three sentences: its charter.')}\n`);
  try {
    const charter = await prompt.ask('> ', leaving.signal);
    if (charter !== undefined && charter.trim() !== '') input['charter'] = charter;
  } finally {
    stopListening();
  }
}
