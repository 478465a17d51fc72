/**
 * The check before a merge: the person's own words from config.yaml, run on what a worker left. What an agent wrote is
 * executed by it, so it runs in the sandbox, with nothing of the hall's environment that is not named here.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Enclosure } from '../../../kernel/agents/sandbox/contract.ts';
import { faultPoint } from '../../../kernel/clock/fault.ts';
import { branchTip } from '../../../kernel/git/branches.ts';
import { removeTree } from '../../../kernel/git/removal.ts';
import { ensureFullWorktree } from '../../../kernel/git/worktrees.ts';
import { type CommandResult, runCommand } from '../../../kernel/processes/command.ts';
import { findProgram } from '../../../kernel/processes/find-program.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionRecord } from '../contract.ts';
import { attemptMark } from '../reactions/killing.ts';
import { announceTimeline } from '../reactions/live.ts';
import { appendTimeline, requireCommission } from '../store/files.ts';
import { runOf } from '../store/run.ts';
import { type GateResult, mergingOf, readMerging } from '../store/merging.ts';
import { branchOf, commissionLock, type CommissionRef, ownerOf, stateFolder, worktreeOf } from '../store/place.ts';

export interface GateOutcome {
  readonly ok: boolean;
  /** In a sentence, why it is not ok; empty where it is. */
  readonly reason: string;
}

/** Milliseconds. */
const timeLimitMs = 15 * 60_000;
/** Characters of the end of what it printed that are kept, and of what is looked through for secrets before that. */
const maxOutput = 8_000;
const maxLooked = 100_000;
/** Of the hall's own environment only these; keys, tokens and proxies of the person stay out. */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TERM'] as const;

/**
 * Runs the project's `verify` on this commit of the branch, in the attempt's worktree; once for a commit. What it found
 * is in the timeline when this returns. The caller holds the merging lock, and `saveRest` has run.
 * @returns null where the project has none
 */
export async function runGate(ctx: CommissionsContext, ref: CommissionRef, tip: string): Promise<GateOutcome | null> {
  const words = ctx.config().projects.find(({ name }) => name === ref.project.name)?.commissions?.verify;
  if (words === undefined) return null;
  const record = await requireCommission(ref.project, ref.id);
  const known = (await readMerging(ctx, ref, record.attempt)).gate;
  const result = known?.tip === tip ? known : await checkAnew(ctx, ref, record, { words, tip });
  await tellResult(ctx, ref, record.attempt, result);
  const [reason = ''] = result.output.split('\n', 1);
  return { ok: result.ok, reason: result.ok ? '' : reason };
}

interface Check {
  readonly words: readonly string[];
  readonly tip: string;
}

async function checkAnew(
  ctx: CommissionsContext,
  ref: CommissionRef,
  { attempt }: CommissionRecord,
  { words, tip }: Check,
): Promise<GateResult> {
  const file = mergingOf(ctx, ref);
  await file.write({ ...(await readMerging(ctx, ref, attempt)), saved: tip, isChecking: true });
  const { ok, output } = await check(ctx, ref, attempt, { words, tip });
  faultPoint('commission:after:check');
  const command = await ctx.scrub(words.join(' '));
  const gate = { tip, ok, at: ctx.clock.nowIso(), command, output };
  await file.write({ ...(await readMerging(ctx, ref, attempt)), gate });
  return gate;
}

interface Checked {
  readonly ok: boolean;
  /** Its first line tells how it went. */
  readonly output: string;
}

async function check(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  { words, tip }: Check,
): Promise<Checked> {
  const cwd = worktreeOf(ctx, ref, attempt);
  const tmp = join(stateFolder(ctx, ref), 'check');
  let enclosure: Enclosure | undefined;
  try {
    await ensureFullWorktree(ctx, {
      repo: ref.project.path,
      path: cwd,
      branch: branchOf(ref, attempt),
      owner: ownerOf(ref, attempt),
    });
    await removeTree(tmp);
    await mkdir(tmp, { recursive: true, mode: 0o700 });
    enclosure = await ctx.enclose?.({ project: ref.project.name, cwd, tmp });
    if ((enclosure?.kind ?? 'none') === 'none' && ctx.config().commissions.verifyWithoutSandbox !== true)
      return noSandbox;
    const token = (await runOf(ctx, ref).read())?.token;
    const request = { words, cwd, tmp, enclosure, timeoutMs: timeLimitMs, token };
    const checked = await untilStopped(ctx, ref, (signal) => runCheck(ctx, { ...request, signal }));
    if (checked === undefined) throw new HallStops();
    if ((await branchTip(ctx, ref.project.path, branchOf(ref, attempt))) === tip) return checked;
    return { ok: false, output: `the branch was moved while the check ran\n${checked.output}` };
  } catch (error) {
    if (error instanceof HallStops) throw error;
    const { message, hint } = errorFactsOf(error);
    return { ok: false, output: `the check could not be run: ${message} ${hint}` };
  } finally {
    await enclosure?.leave();
    await removeTree(tmp);
  }
}

const noSandbox: Checked = {
  ok: false,
  output:
    'the check was not run, because there is no sandbox for it\n' +
    'It runs what an agent wrote. See what is missing: guild-hall doctor. Or allow it to run with all your rights: ' +
    '`commissions: { verifyWithoutSandbox: true }` in config.yaml. Then: guild-hall commission merge <id>',
};

export interface CheckRequest {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly tmp: string;
  readonly enclosure: Pick<Enclosure, 'wrap'> | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Of the attempt: by it what a killed hall left of a check is found, and ended. */
  readonly token?: string | undefined;
}

/** The check was broken off: nothing was found, and the next start of the hall checks again. */
class HallStops extends Error {}

/** Undefined when the hall has stopped meanwhile: what was found then means nothing. */
async function untilStopped<T>(
  ctx: CommissionsContext,
  ref: CommissionRef,
  work: (stopping: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const { promise, resolve } = deferred<Promise<T> | undefined>();
  ctx.spawn(`check commission ${ref.id}`, async (stopping) => {
    const done = work(stopping);
    await done.catch(() => undefined); // whoever asked for it is told
    resolve(stopping.aborted ? undefined : done);
  });
  return await promise;
}

/** Runs the words, without a shell between. */
export async function runCheck(
  ctx: Pick<CommissionsContext, 'log' | 'scrub'>,
  { words: [name = '', ...args], cwd, tmp, enclosure, timeoutMs, signal, token }: CheckRequest,
): Promise<Checked> {
  const file = await findProgram(name, { cwd, path: process.env['PATH'] });
  if (file === undefined) return { ok: false, output: `the check could not be run: there is no program ${name}` };
  const command = enclosure?.wrap({ file, args }) ?? { file, args };
  const result = await runCommand(ctx, { ...command, cwd, env: environmentOf(tmp, token), timeoutMs, signal });
  const printed = await ctx.scrub(plain(`${result.stdout}\n${result.stderr}`).trim().slice(-maxLooked));
  return { ok: isGreen(result), output: `${howItWent(result, timeoutMs)}\n${printed.slice(-maxOutput)}`.trim() };
}

function environmentOf(tmp: string, token: string | undefined): Record<string, string> {
  const kept = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  // CI: programs that ask questions, or follow files, know that nobody is there.
  return { ...Object.fromEntries(kept), HOME: tmp, TMPDIR: tmp, CI: 'true', ...(token && { [attemptMark]: token }) };
}

function isGreen({ exitCode, timedOut, truncated }: CommandResult): boolean {
  return exitCode === 0 && !timedOut && !truncated;
}

function howItWent(result: CommandResult, timeoutMs: number): string {
  if (result.failedToStart !== undefined) return `the check could not be run: ${result.failedToStart}`;
  if (result.timedOut) return `the check took longer than ${Math.round(timeoutMs / 1000)} seconds and was ended`;
  if (result.truncated) return 'the check printed more than 64 MiB and was ended';
  if (result.signal !== null) return `the check was ended by ${result.signal}`;
  return result.exitCode === 0 ? 'the check succeeded' : `the check failed with exit code ${result.exitCode}`;
}

/** Without colours and other signs for terminals. */
function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}

async function tellResult(
  ctx: CommissionsContext,
  ref: CommissionRef,
  attempt: number,
  { ok, at, command, output }: GateResult,
): Promise<void> {
  await ctx.locks.with(commissionLock(ref), async () => {
    const { timeline } = await requireCommission(ref.project, ref.id);
    // Written before the hall was killed: it is not told twice.
    if (timeline.some((entry) => entry.event === 'gate' && entry.timestamp >= at)) return;
    const entry = { timestamp: at, attempt, event: 'gate' as const, ok, command, output };
    announceTimeline(ctx, ref, (await appendTimeline(ref.project, ref.id, [entry])).added);
  });
}
