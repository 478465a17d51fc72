/** What kind of repository it is, and whether the hall can work in it. */
import { join } from 'node:path';
import { readTextIfExists } from '../artifacts/write.ts';
import { fail } from '../pure/errors.ts';
import { branchTip } from './branches.ts';
import { exists } from './paths.ts';
import { type GitContext, git, gitWord, runGit, splitNul } from './run.ts';

export interface RepositoryFacts {
  /** The root of the checkout that holds the path; the repository itself when it is bare. Absolute. */
  readonly topLevel: string;
  /** What all checkouts of the repository share; absolute. */
  readonly commonDir: string;
  readonly isBare: boolean;
  readonly hasCommits: boolean;
  /** Null when no branch is checked out. */
  readonly headBranch: string | null;
  /** Tracked files differ from what is committed. */
  readonly isDirty: boolean;
  readonly userName: string | null;
  readonly userEmail: string | null;
  /** Their folders stay empty in the hall's worktrees. */
  readonly hasSubmodules: boolean;
  /** Large files stay pointers in the hall's worktrees. */
  readonly usesLfs: boolean;
  /** A branch `claude`, beside which git cannot hold `claude/…`; null when there is none. */
  readonly oldIntegrationRef: string | null;
  /** How objects are named: `sha1`, or `sha256`, which the hall cannot write. */
  readonly objectFormat: string;
  /** Such as `2.39.5`. */
  readonly gitVersion: string;
}

const oldBranch = 'claude';
/** The first git that merges without a checkout. */
const leastVersion = [2, 38] as const;

/** @throws invalid when `path` is in no repository; not_found when it does not exist */
export async function inspectRepository(ctx: GitContext, path: string): Promise<RepositoryFacts> {
  return await inspectWith(ctx, path, await readGitVersion(ctx, path));
}

async function inspectWith(ctx: GitContext, path: string, gitVersion: string): Promise<RepositoryFacts> {
  const place = ['--path-format=absolute', '--git-common-dir'];
  const answers = await git(ctx, path, ['rev-parse', '--is-bare-repository', '--show-object-format', ...place]);
  const [bare, objectFormat = '', ...rest] = answers.trimEnd().split('\n');
  const commonDir = rest.join('\n');
  const isBare = bare === 'true';
  const topLevel = isBare ? commonDir : await lineOf(ctx, path, ['rev-parse', '--show-toplevel']);
  const head = await maybe(ctx, path, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  const status = ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules=dirty'];
  return {
    topLevel,
    commonDir,
    isBare,
    hasCommits: head !== null,
    headBranch: await maybe(ctx, path, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    isDirty: !isBare && (await git(ctx, topLevel, status)) !== '',
    userName: await maybe(ctx, path, ['config', '--get', 'user.name']),
    userEmail: await maybe(ctx, path, ['config', '--get', 'user.email']),
    hasSubmodules: !isBare && (await exists(join(topLevel, '.gitmodules'))),
    usesLfs: !isBare && (await namesLfs(ctx, topLevel, commonDir)),
    oldIntegrationRef: (await branchTip(ctx, path, oldBranch)) === undefined ? null : oldBranch,
    objectFormat,
    gitVersion,
  };
}

/** `user.name` as git knows it in this repository, from whichever of its settings; undefined for none. */
export async function readUserName(ctx: GitContext, path: string): Promise<string | undefined> {
  return (await maybe(ctx, path, ['config', '--get', 'user.name'])) ?? undefined;
}

/**
 * The facts of a repository in which the hall can work. Changes that are not committed, no branch checked out,
 * submodules and large files are no hindrance.
 * @throws HallError that names the first thing in the way, with the command that removes it
 */
export async function requireUsableRepository(ctx: GitContext, path: string): Promise<RepositoryFacts> {
  const gitVersion = await readGitVersion(ctx, path);
  // Before an older git is asked what it does not know.
  requireVersion(gitVersion);
  const facts = await inspectWith(ctx, path, gitVersion);
  const hindrance = hindranceIn(facts);
  if (hindrance !== undefined) throw fail('conflict', hindrance.message, hindrance.hint, { path: facts.topLevel });
  return facts;
}

function hindranceIn(facts: RepositoryFacts): { message: string; hint: string } | undefined {
  const at = `git -C '${facts.topLevel}'`;
  if (facts.isBare) {
    return {
      message: `${facts.topLevel} is a bare repository: it has no files to work on.`,
      hint: `Clone it, and name the clone: git clone '${facts.topLevel}'`,
    };
  }
  if (facts.objectFormat !== 'sha1') {
    return {
      message: `${facts.topLevel} names its objects by ${facts.objectFormat}; the hall works with sha1 only.`,
      hint: 'Use a repository made without --object-format; history can be carried over: git fast-export, git fast-import',
    };
  }
  if (!facts.hasCommits) {
    return {
      message: `The repository ${facts.topLevel} has no commit yet, so there is nothing to begin from.`,
      hint: `Make the first one: ${at} add . && ${at} commit -m "First"`,
    };
  }
  if (facts.userName === null || facts.userEmail === null) {
    const missing = facts.userName === null ? 'user.name' : 'user.email';
    return {
      message: `Git does not know who commits in ${facts.topLevel}: ${missing} is not set, and the hall commits in your name.`,
      hint: `Set it: ${at} config ${missing} "${missing === 'user.name' ? 'Your Name' : 'you@your.host'}"`,
    };
  }
  if (facts.oldIntegrationRef !== null) {
    const old = facts.oldIntegrationRef;
    return {
      message: `A branch "${old}" stands in the way: beside it git cannot hold branches named ${old}/….`,
      hint: `Rename it, nothing of it is lost: ${at} branch -m ${old} ${old}-old`,
    };
  }
  return undefined;
}

/** Exported for its table of tests. @throws unavailable when `version` is older than the hall needs */
export function requireVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > leastVersion[0] || (major === leastVersion[0] && minor >= leastVersion[1]);
  if (isEnough) return;
  throw fail(
    'unavailable',
    `This is git ${version}; the hall needs ${leastVersion.join('.')} or newer.`,
    'Upgrade git; then see: git --version',
    { version },
  );
}

async function readGitVersion(ctx: GitContext, path: string): Promise<string> {
  const said = await gitWord(ctx, path, ['version']);
  return /\d+(?:\.\d+)+/.exec(said)?.[0] ?? '0.0';
}

async function lineOf(ctx: GitContext, cwd: string, args: readonly string[]): Promise<string> {
  return (await git(ctx, cwd, args)).replace(/\n$/, '');
}

/** One line, or null when git has no answer, or an empty one. */
async function maybe(ctx: GitContext, cwd: string, args: readonly string[]): Promise<string | null> {
  const { exitCode, stdout } = await runGit(ctx, { cwd, args, okExitCodes: [0, 1] });
  const line = stdout.replace(/\n$/, '').trim();
  return exitCode === 0 && line !== '' ? line : null;
}

async function namesLfs(ctx: GitContext, topLevel: string, commonDir: string): Promise<boolean> {
  const tracked = splitNul(await git(ctx, topLevel, ['ls-files', '-z'], { maxOutputBytes: 512 * 1024 * 1024 }));
  const files = tracked.filter((name) => name === '.gitattributes' || name.endsWith('/.gitattributes'));
  for (const file of [join(commonDir, 'info', 'attributes'), ...files.map((name) => join(topLevel, name))]) {
    if (/\bfilter=lfs\b/.test((await readTextIfExists(file)) ?? '')) return true;
  }
  return false;
}
