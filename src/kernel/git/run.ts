/**
 * The one place where git is called. A call is a list of words, never a shell line; it sees nothing of the caller's
 * `GIT_*` variables, runs no hooks and signs nothing, has an end in time, and waits a little for a lock that somebody
 * else holds.
 */
import type { ClockContext } from '../clock/clock.ts';
import { faultPoint } from '../clock/fault.ts';
import type { LogContext } from '../log/log.ts';
import { type CommandResult, runCommand } from '../processes/command.ts';
import { explainGit, lockFileNamedBy } from './explain.ts';
import { forgetProgram, gitProgram } from './program.ts';

/** Where git puts new objects instead of into the repository, and where it finds those that are there. Absolute paths. */
export interface ObjectStore {
  readonly folder: string;
  readonly also: string;
}

/** With `objects`, calls store nothing in the repository itself. */
export type GitContext = ClockContext & LogContext & { readonly objects?: ObjectStore };

export interface GitOptions {
  /** Takes files in as they stand, byte for byte, whatever line ends the person's settings ask for. */
  readonly asStored?: boolean;
  readonly input?: string | Uint8Array;
  /** Milliseconds; default two minutes. */
  readonly timeoutMs?: number;
  /** Exit codes that are answers, not failures. Default: 0 alone. */
  readonly okExitCodes?: readonly number[];
  /** Absolute path of an index to use in place of the checkout's own. */
  readonly indexFile?: string;
  /** Absolute; takes the folder where it runs for a checkout of this one, whatever repository that folder says it is. */
  readonly gitDir?: string;
  /** `latin1` keeps one character for each byte. Default `utf8`. */
  readonly encoding?: 'utf8' | 'latin1';
  readonly maxOutputBytes?: number;
}

export interface GitRequest extends GitOptions {
  readonly cwd: string;
  readonly args: readonly string[];
}

/** For steps that write a whole checkout. Milliseconds. */
export const longTimeoutMs = 15 * 60_000;
const usualTimeoutMs = 2 * 60_000;

/** Waits between tries while a lock is held: about three seconds in all. Milliseconds. */
const lockWaits = [20, 40, 80, 160, 300, 400, 500, 500, 500, 500];

const settings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'commit.gpgsign=false',
  'gc.auto=0',
  'maintenance.auto=false',
  // A name made up from the machine's would stand in the person's history.
  'user.useConfigOnly=true',
  'i18n.commitEncoding=utf-8',
  'submodule.recurse=false',
  'core.splitIndex=false',
  'merge.directoryRenames=false',
  'branch.autoSetupMerge=false',
  'worktree.guessRemote=false',
  'worktree.useRelativePaths=false',
  'advice.detachedHead=false',
  // Each of these in the person's own settings would put words into an answer, or refuse or hide work.
  'log.showSignature=false',
  'i18n.logOutputEncoding=utf-8',
  'color.ui=false',
  'core.safecrlf=false',
  'core.ignoreStat=false',
  'merge.renames=true',
  'index.sparse=false',
  'sparse.expectFilesOutsideOfPatterns=false',
];
/** Files come out of the repository as they are in it; what goes in follows the person's settings, but for the hall's own. */
const checkoutSettings = ['core.autocrlf=false', 'core.eol=lf'];
const checkoutVerbs = new Set(['worktree-add', 'read-tree', 'sparse-checkout-set']);

function prefixFor(verb: string, asStored: boolean): string[] {
  const chosen = asStored || checkoutVerbs.has(verb) ? [...settings, ...checkoutSettings] : settings;
  return ['--no-pager', '--literal-pathspecs', ...chosen.flatMap((setting) => ['-c', setting])];
}

/** The environment of every git call: the hall's own without `GIT_*`, then what the call needs. */
export function gitEnvironment(
  base: NodeJS.ProcessEnv,
  indexFile?: string,
  objects?: ObjectStore,
): Record<string, string | undefined> {
  const kept = Object.entries(base).filter(([name]) => !name.startsWith('GIT_'));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    LANGUAGE: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_EDITOR: ':',
    // Large files stay the small pointers that the repository holds: nothing is fetched behind the person's back.
    GIT_LFS_SKIP_SMUDGE: '1',
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...(objects === undefined ? {} : objectVariables(objects)),
  };
}

function placeVariables({ gitDir, cwd }: GitRequest): Record<string, string> {
  return gitDir === undefined ? {} : { GIT_DIR: gitDir, GIT_WORK_TREE: cwd };
}

function objectVariables({ folder, also }: ObjectStore): Record<string, string> {
  // Quoted, so that a path with the sign between two paths in it stays one.
  return { GIT_OBJECT_DIRECTORY: folder, GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(also) };
}

/**
 * Runs git and gives the facts.
 * @throws HallError in git's own words with a hint, when the exit code is not one of `okExitCodes`
 */
export async function runGit(ctx: GitContext, request: GitRequest): Promise<CommandResult> {
  const verb = verbOf(request.args);
  faultPoint(`git:before:${verb}`);
  for (let attempt = 0; ; attempt += 1) {
    const result = await runCommand(ctx, {
      file: await gitProgram(),
      args: [...prefixFor(verb, request.asStored === true), ...request.args],
      cwd: request.cwd,
      env: { ...gitEnvironment(process.env, request.indexFile, ctx.objects), ...placeVariables(request) },
      timeoutMs: request.timeoutMs ?? usualTimeoutMs,
      ...(request.input === undefined ? {} : { input: request.input }),
      ...(request.encoding === undefined ? {} : { encoding: request.encoding }),
      ...(request.maxOutputBytes === undefined ? {} : { maxOutputBytes: request.maxOutputBytes }),
    });
    if (isAnswer(result, request.okExitCodes ?? [0])) {
      faultPoint(`git:after:${verb}`);
      return result;
    }
    if (result.failedToStart !== undefined) forgetProgram();
    const wait = lockWaits[attempt];
    if (wait === undefined || lockFileNamedBy(result.stderr) === undefined) throw explainGit(result, request, verb);
    await ctx.clock.sleep(wait);
  }
}

/** Runs git and gives what it printed, unchanged. */
export async function git(
  ctx: GitContext,
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await runGit(ctx, { cwd, args, ...options })).stdout;
}

/** Runs git and gives the one word that it printed: an object's name, mostly. */
export async function gitWord(
  ctx: GitContext,
  cwd: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  return (await git(ctx, cwd, args, options)).trim();
}

/** The pieces of `-z` output. */
export function splitNul(output: string): string[] {
  const pieces = output.split('\0');
  if (pieces.at(-1) === '') pieces.pop();
  return pieces;
}

function isAnswer(result: CommandResult, okExitCodes: readonly number[]): boolean {
  const ended = !result.timedOut && !result.truncated && result.exitCode !== null;
  // A held lock is a failure whatever else the exit code may mean for this call.
  return ended && okExitCodes.includes(result.exitCode) && (result.exitCode === 0 || !lockFileNamedBy(result.stderr));
}

/** `commit-tree`, `worktree-add`: what the step does, for fault points and messages. */
function verbOf(args: readonly string[]): string {
  const [verb = 'nothing', second = ''] = args;
  return ['worktree', 'sparse-checkout'].includes(verb) ? `${verb}-${second}` : verb;
}
