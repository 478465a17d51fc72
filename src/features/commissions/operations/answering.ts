/** The person's words to a worker: they reach the one that runs, and are kept for the next attempt in any case. */
import { fail } from '../../../kernel/pure/errors.ts';
import { didYouMean } from '../../../kernel/pure/nearest.ts';
import type { CommissionsContext } from '../context.ts';
import type { AnswerTaken, CommentTaken, CommissionRecord, TimelineEntry } from '../contract.ts';
import { announceTimeline } from '../reactions/live.ts';
import { commitRecord } from '../reactions/status.ts';
import { normaliseDependency } from '../rules/dependencies.ts';
import { appendWord, readWords } from '../store/attempt.ts';
import { appendTimeline, requireCommission } from '../store/files.ts';
import { attemptFolder, commissionLock, type CommissionRef } from '../store/place.ts';
import { runOf } from '../store/run.ts';
import { answersTo, openQuestionsOf, questionsOf } from './questions.ts';
import { isUnderWay } from './standing.ts';

/**
 * Answers a question; without one, the only open one, else the words go to the running worker as they are. Said again,
 * the same answer is taken once.
 * @throws HallError `not_found`, `invalid` and `conflict` where it is not clear what is answered, or nobody would hear it
 */
export async function answerQuestion(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { text, question }: { readonly text: string; readonly question?: string | undefined },
): Promise<AnswerTaken> {
  return ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    const runs = await isHeard(ctx, ref, record);
    const id = questionMeant(record, question, runs);
    if (id === null || !answersTo(record.timeline, id).includes(text)) {
      requireUnanswered(record, id);
      const at = { timestamp: ctx.clock.nowIso(), attempt: record.attempt };
      await keep(
        ctx,
        ref,
        id === null ? { ...at, event: 'comment', text } : { ...at, event: 'answer', question: id, text },
      );
    }
    if (runs) await tellWorker(ctx, ref, record.attempt, { question: id, text });
    return { id: ref.id, project: ref.project.name, question: id, reaches: runs ? 'worker' : 'next_attempt' };
  });
}

/** A process of it runs, and is not being ended. */
async function isHeard(ctx: CommissionsContext, ref: CommissionRef, record: CommissionRecord): Promise<boolean> {
  if (!isUnderWay(record)) return false;
  const run = await runOf(ctx, ref).read();
  return run?.step === 'running' && run.attempt === record.attempt;
}

/** null: plain words to the running worker. */
function questionMeant(record: CommissionRecord, given: string | undefined, runs: boolean): string | null {
  if (given !== undefined) return requireQuestion(record, given);
  const [only, ...others] = openQuestionsOf(record);
  if (only !== undefined && others.length === 0) return only.id;
  if (only !== undefined) {
    throw fail(
      'invalid',
      `Commission ${record.id} has ${others.length + 1} open questions: ${[only, ...others].map(({ id }) => id).join(', ')}.`,
      `Name one: guild-hall commission answer ${record.id} --question ${only.id} "…"`,
    );
  }
  if (runs) return null;
  throw fail(
    'conflict',
    `Commission ${record.id} has no open question, and no worker of it runs that could hear you.`,
    `Leave a remark for the next attempt: guild-hall commission comment ${record.id} "…"`,
    { id: record.id, status: record.status },
  );
}

function requireQuestion({ id, timeline }: CommissionRecord, given: string): string {
  const known = questionsOf(timeline).map((question) => question.id);
  if (known.includes(given)) return given;
  throw fail(
    'not_found',
    `Commission ${id} has no question ${given}; it has ${known.join(', ') || 'none'}.`,
    `${didYouMean(given, known)}See: guild-hall commission show ${id}`,
    { known },
  );
}

function requireUnanswered({ id, timeline }: CommissionRecord, question: string | null): void {
  if (question === null || answersTo(timeline, question).length === 0) return;
  throw fail(
    'conflict',
    `Question ${question} of commission ${id} has an answer already.`,
    `Add to it with a remark: guild-hall commission comment ${id} "…"`,
    { id, question },
  );
}

async function keep(ctx: CommissionsContext, ref: CommissionRef, entry: TimelineEntry): Promise<void> {
  const { added } = await appendTimeline(ref.project, ref.id, [entry]);
  await commitRecord(ctx, ref, `Keep the person's words to commission ${ref.id}`);
  announceTimeline(ctx, ref, added);
}

/** An answer that a killed hall had kept and not handed on is handed on when it is said again. */
async function tellWorker(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  word: { readonly question: string | null; readonly text: string },
): Promise<void> {
  const folder = attemptFolder(ctx, ref, attempt);
  const said = word.question === null ? [] : await readWords(folder);
  if (said.some(({ question, text }) => question === word.question && text === word.text)) return;
  await appendWord(folder, { at: ctx.clock.nowIso(), ...word });
}

/** A remark on the work, or on one line of it. @throws HallError `invalid` for a path outside, `conflict` before any work */
export async function commentCommission(
  ctx: CommissionsContext,
  ref: CommissionRef,
  input: { readonly text: string; readonly path?: string | undefined; readonly line?: number | undefined },
): Promise<CommentTaken> {
  const path = requirePath(input);
  return ctx.locks.with(commissionLock(ref), async () => {
    const record = await requireCommission(ref.project, ref.id);
    if (record.attempt === 0) throw nothingYet(record);
    await keep(ctx, ref, {
      timestamp: ctx.clock.nowIso(),
      attempt: record.attempt,
      event: 'comment',
      ...(path === undefined ? {} : { path }),
      ...(input.line === undefined ? {} : { line: input.line }),
      text: input.text,
    });
    return { id: ref.id, project: ref.project.name, path: path ?? null, line: input.line ?? null };
  });
}

function requirePath({
  path: given,
  line,
}: {
  readonly path?: string | undefined;
  readonly line?: number | undefined;
}) {
  if (given === undefined && line !== undefined) {
    throw fail('invalid', 'A line was given without its file.', 'Name the file: --path src/parser.ts --line 12');
  }
  if (given === undefined) return undefined;
  const path = normaliseDependency(given);
  if (path !== undefined) return path;
  throw fail(
    'invalid',
    `${JSON.stringify(given.slice(0, 120))} is no path inside the project.`,
    'Give a path relative to the project, like src/parser.ts, without "..".',
  );
}

function nothingYet({ id, status }: CommissionRecord): Error {
  return fail(
    'conflict',
    `Commission ${id} is ${status ?? 'not readable'} and has not run; there is no work to remark on.`,
    `Change what it asks for: guild-hall commission edit ${id} --prompt "…"`,
    { id, status },
  );
}
