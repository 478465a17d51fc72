/** What an agent asks the person, put to them at the terminal where the answer to their words is followed. */
import type { PermissionPart } from '../../features/sessions/contract.ts';
import type { HallClient } from './client.ts';
import type { FollowParts } from './follow.ts';
import type { Progress } from './progress.ts';
import type { Prompt } from './prompt.ts';
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
  /** The questions that wait, by their ids. Each ends the wait for the person's word: somebody else answered. */
  readonly open: Map<string, AbortController>;
  /** The last question is put: two at once would both take the same keys. */
  put: Promise<void>;
}

/** The person at the terminal is asked; where nobody sits there, it is said how it is answered from elsewhere. */
export function ask(asking: Asking, part: PermissionPart): void {
  const { parts, printer, progress, asJson, open } = asking;
  const { prompt, terminal: term } = parts;
  progress.clear();
  const answered = new AbortController();
  open.set(part.requestId, answered);
  if (asJson || prompt === undefined || !term.isTty) {
    if (!asJson) printLine(printer, permissionLine(part, term));
    return sayHow(asking, part);
  }
  asking.put = asking.put.then(async () => await putQuestion(asking, part, prompt, answered.signal));
}

/** Somebody answered it, or it is taken back; others go on waiting. */
export function endQuestion({ open }: Asking, requestId: string): void {
  open.get(requestId)?.abort();
  open.delete(requestId);
}

/** Nothing is asked any more. */
export function endQuestions({ open }: Asking): void {
  for (const answered of open.values()) answered.abort();
  open.clear();
}

/** Never rejects: what is wrong with one question holds up none of the others. */
async function putQuestion(asking: Asking, part: PermissionPart, prompt: Prompt, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  printLine(asking.printer, permissionLine(part, asking.parts.terminal));
  try {
    const isAnswered = await askHere(asking, part, prompt, signal);
    if (!isAnswered && !signal.aborted) sayHow(asking, part);
  } catch (error) {
    if (signal.aborted) return;
    asking.parts.terminal.err(`${plainText(error instanceof Error ? error.message : String(error))}\n`);
    sayHow(asking, part);
  }
}

/** By its id: another may come before it is answered. */
function sayHow({ parts: { terminal: term }, id }: Asking, part: PermissionPart): void {
  term.err(howToAnswer(id, part, false, term));
}

/** @returns false where the person types no more, or somebody else answered */
async function askHere(
  { client, id }: Asking,
  { options, requestId }: PermissionPart,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<boolean> {
  const choices = options.map(({ name }, index) => `${index + 1} ${oneLine(name, 40)}`).join('   ');
  for (;;) {
    const typed = await prompt.ask(`${choices} > `, signal);
    if (typed === undefined) return false;
    const word = typed.trim().toLowerCase();
    const option = options[Number(word) - 1] ?? options.find((one) => word !== '' && one.id.toLowerCase() === word);
    if (option === undefined) continue;
    await client.call('session.answer', { id, request: requestId, option: option.id }, signal);
    return true;
  }
}
