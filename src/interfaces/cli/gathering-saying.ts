/** Does what was typed at a gathering. */
import type { GatheringSaid, GatheringStatus } from '../../features/gatherings/contract/gathering-views.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { isGone } from './follow.ts';
import { type Sitting, tell, tellQuietly } from './gathering-sitting.ts';
import { commandHelp, readTyped, type Typed } from './gathering-words.ts';
import { renderStatus, saidText } from './render/gatherings.ts';
import { printError } from './report.ts';

/** One after another, in the order in which it was typed. What the hall refuses is told, and can be typed anew. */
export function sayTyped(sitting: Sitting, text: string, leave: () => void): void {
  const typed = readTyped(text);
  if (typed.kind === 'leave') return leave();
  const before = sitting.sending;
  sitting.sending = before
    .then(async () => doTyped(sitting, typed))
    .catch((error: unknown) => tellError(sitting, error));
  return undefined;
}

async function doTyped(sitting: Sitting, typed: Typed): Promise<void> {
  const { client, id, leaving, parts } = sitting;
  const call = async (operation: string, input: object): Promise<unknown> =>
    await client.call(operation, { id, ...input }, leaving.signal);
  switch (typed.kind) {
    case 'say':
      sitting.typed.add(typed.text);
      return say(sitting, (await call('gathering.say', { text: typed.text })) as GatheringSaid, typed.text);
    case 'host':
      return say(
        sitting,
        (await call('gathering.say', { text: typed.text, asHost: true })) as GatheringSaid,
        typed.text,
      );
    case 'pass':
      return void (await call('gathering.pass', typed.to === undefined ? {} : { to: typed.to }));
    case 'end':
      await call('gathering.end', {});
      return tellQuietly(sitting, 'The gathering goes to its close; the harvest is waited for.');
    case 'status':
      return tell(
        sitting,
        `\n${renderStatus((await call('gathering.status', {})) as GatheringStatus, parts.terminal)}`,
      );
    case 'help':
      return tellQuietly(sitting, commandHelp);
    case 'doubt':
      return tellQuietly(sitting, typed.message);
    case 'nothing':
    case 'leave':
      return undefined;
  }
}

/** What goes out at once is told when it has come. */
function say(sitting: Sitting, said: GatheringSaid, text: string): void {
  if (said.fate !== 'sent') sitting.typed.delete(text);
  if (said.fate === 'kept') tellQuietly(sitting, saidText(said));
}

function tellError(sitting: Sitting, error: unknown): void {
  const { leaving, parts } = sitting;
  if (leaving.signal.aborted) return;
  const facts = errorFactsOf(error);
  const told = isGone(error) ? { ...facts, hint: 'It is waited for; then type it again.' } : facts;
  tell(sitting, printError(parts.terminal, told));
}

/** Told no more often. Milliseconds: the hall takes it for ten seconds. */
const tellTypingEvery = 4_000;

/** In the person's own turn the piece waits for words that are being typed. */
export function noteTyping(sitting: Sitting): void {
  const { view, parts, client, id, leaving } = sitting;
  const now = parts.nowIso?.();
  if (now === undefined || view?.gathering.turn?.holder !== view?.you) return;
  if (sitting.typedAt !== '' && Date.parse(now) - Date.parse(sitting.typedAt) < tellTypingEvery) return;
  sitting.typedAt = now;
  // Missed once, it is told with one of the next keys.
  client.call('gathering.typing', { id }, leaving.signal).catch(() => undefined);
}
