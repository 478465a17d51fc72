/** Puts a council's question to whoever sits at the terminal, and sends the answer. */
import { type Asked, type CouncilView, councilViewSchema } from '../../features/councils/contract.ts';
import { questionName } from '../../features/councils/contract/asking.ts';
import { HallError } from '../../kernel/pure/errors.ts';
import { askPerson, howToAnswer, questionText } from './council-asking.ts';
import { type Following, sayNext, whileAway } from './council-ends.ts';
import { endSpeaking, printAside } from './council-screen.ts';
import { isGone, leftByInterrupt } from './follow.ts';
import { printError } from './report.ts';

/** @returns the exit code where it ends here; undefined when it was answered, by whomever */
export async function answerQuestion(
  following: Following,
  view: CouncilView,
  asked: Asked,
): Promise<number | undefined> {
  const { parts, asJson, id, screen } = following;
  const { terminal: term, prompt } = parts;
  endSpeaking(screen);
  if (asJson) return 0;
  printAside(screen, questionText(asked, term));
  if (prompt === undefined) {
    term.out(`${howToAnswer(id, asked, term)}\n`);
    return 0;
  }
  following.asked = true;
  const elsewhere = new AbortController();
  const either = AbortSignal.any([following.leaving.signal, elsewhere.signal]);
  const listening = untilAnswered(following, view.cursor, either).then(
    (isAnswered) => (isAnswered ? elsewhere.abort() : undefined),
    () => undefined,
  );
  try {
    const given = await askPerson(prompt, term, asked, either);
    if (given !== undefined) {
      await send(following, view, asked, given);
      following.asked = false;
      return undefined;
    }
    if (!elsewhere.signal.aborted) {
      term.err('\n');
      sayNext(following, 'The council waits.');
      return leftByInterrupt;
    }
    term.out(`\n${term.style('dim', 'answered from elsewhere')}\n`);
    following.asked = false;
    return undefined;
  } finally {
    elsewhere.abort();
    await listening;
  }
}

/** An answer that the hall does not take is told, and the question put again. */
async function send(
  following: Following,
  view: CouncilView,
  { question }: Asked,
  given: { readonly answer: string; readonly text?: string },
) {
  const { id, project, parts } = following;
  let isAgain = false;
  try {
    await whileAway(following, async () => {
      if (isAgain && !(await isAsStill(following, view))) return;
      isAgain = true;
      await following.client.call('council.answer', { id, project, ...given, question: questionName(question) });
    });
  } catch (error) {
    const told = error instanceof HallError && ['invalid', 'conflict', 'unavailable'].includes(error.code);
    if (!told || isGone(error)) throw error;
    parts.terminal.err(printError(parts.terminal, error));
  }
}

/** Whether the council stands where it was asked: a hall that went away may have heard the answer before. */
async function isAsStill({ client, id, project, leaving }: Following, before: CouncilView): Promise<boolean> {
  const now = councilViewSchema.parse(await client.call('council.show', { id, project }, leaving.signal));
  const isSameQuestion = JSON.stringify(now.asked?.question) === JSON.stringify(before.asked?.question);
  return now.status === before.status && isSameQuestion && now.transcript.length === before.transcript.length;
}

/** True once somebody answered at another door, or the council stands otherwise. */
async function untilAnswered({ client, id, project }: Following, after: string, signal: AbortSignal): Promise<boolean> {
  try {
    for await (const event of client.events({ subject: `council:${id}`, after, signal })) {
      const isHere = event.project === null || event.project === project;
      if (isHere && (event.type === 'council.answered' || event.type === 'council.status')) return true;
    }
  } catch (error) {
    // A hall that went away: the question stands until it is back.
    if (!isGone(error)) throw error;
  }
  return false;
}
