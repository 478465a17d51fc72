/** What an agent asks the person, put to them at the terminal where the answer to their words is followed. */
import type { PermissionPart } from '../../features/sessions/contract.ts';
import type { HallClient } from './client.ts';
import type { FollowParts } from './follow.ts';
import type { Progress } from './progress.ts';
import type { LogPrinter } from './render/commission-logs.ts';
import { howToAnswer, permissionLine, printLine } from './render/session-parts.ts';
import { oneLine, plainText } from './terminal.ts';

export interface Asking {
  readonly parts: FollowParts;
  readonly client: HallClient;
  readonly id: string;
  readonly printer: LogPrinter;
  readonly progress: Progress;
  readonly asJson: boolean;
  /** Ends the wait for the person's word: somebody else answered. */
  asked: AbortController | undefined;
}

/** The person at the terminal is asked; where nobody sits there, it is said how it is answered from elsewhere. */
export function ask(asking: Asking, part: PermissionPart): void {
  const { parts, printer, progress, asJson, id } = asking;
  const { prompt, terminal: term } = parts;
  progress.clear();
  asking.asked = new AbortController();
  if (!asJson) printLine(printer, permissionLine(part, term));
  if (asJson || prompt === undefined || !term.isTty) {
    term.err(howToAnswer(id, part, term));
    return;
  }
  const { signal } = asking.asked;
  askHere(asking, part, signal).catch((error: unknown) => {
    const words = error instanceof Error ? error.message : String(error);
    if (!signal.aborted) term.err(`${plainText(words)}\n${howToAnswer(id, part, term)}`);
  });
}

async function askHere({ client, id, parts }: Asking, part: PermissionPart, signal: AbortSignal): Promise<void> {
  const { options, requestId } = part;
  const choices = options.map(({ name }, index) => `${index + 1} ${oneLine(name, 40)}`).join('   ');
  for (;;) {
    const typed = await parts.prompt!.ask(`${choices} > `, signal);
    if (typed === undefined) return;
    const word = typed.trim().toLowerCase();
    const option = options[Number(word) - 1] ?? options.find((one) => word !== '' && one.id.toLowerCase() === word);
    if (option === undefined) continue;
    await client.call('session.answer', { id, request: requestId, option: option.id }, signal);
    return;
  }
}
