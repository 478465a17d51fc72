/** One check each: what the hall needs, what was found, what to do about it. A check never throws. */
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import type { SandboxState } from '../../kernel/agents/sandbox/contract.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import { runCommand } from '../../kernel/processes/command.ts';
import { errorFactsOf } from '../../kernel/pure/errors.ts';
import { checkTmux } from '../../kernel/terminals/tmux/version.ts';
import type { DoctorCheck } from './contract.ts';

type Finding = Omit<DoctorCheck, 'name'>;

const commandTimeoutMs = 10_000;
/** Below this free space a worktree or a log may fail to be written. Bytes. */
const littleSpace = 500 * 1024 * 1024;

/** @param version like `20.19.3` */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > 20 || (major === 20 && minor >= 19);
  return isEnough
    ? good(`Node ${version}.`)
    : bad(`Node ${version}; 20.19 or newer is needed.`, 'Install a newer Node, then start the hall again.');
}

/** @param output what `git --version` prints; undefined when there is no git */
export function checkGitVersion(output: string | undefined): Finding {
  const [version, major, minor] = /(\d+)\.(\d+)[.\d]*/.exec(output ?? '') ?? [];
  if (version === undefined) return bad('No git was found.', 'Install git 2.38 or newer, for example: apt install git');
  const isEnough = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 38);
  return isEnough
    ? good(`git ${version}.`)
    : bad(`git ${version}; 2.38 or newer is needed.`, 'Install a newer git, then repeat: guild-hall doctor');
}

export async function checkGit(ctx: GitContext, cwd: string): Promise<Finding> {
  const result = await runCommand(ctx, { file: 'git', args: ['--version'], cwd, timeoutMs: commandTimeoutMs });
  return checkGitVersion(result.exitCode === 0 ? result.stdout : undefined);
}

/** Commits bear the person's name, so git has to know it. */
export async function checkIdentity(ctx: GitContext, cwd: string): Promise<Finding> {
  const name = await settingOf(ctx, cwd, 'user.name');
  const email = await settingOf(ctx, cwd, 'user.email');
  if (name !== '' && email !== '') return good(`Commits are made as ${name} <${email}>.`);
  const missing = name === '' ? 'user.name' : 'user.email';
  return note(
    `git has no ${missing} for all repositories; each project needs one of its own.`,
    `git config --global ${missing} "${name === '' ? 'Your Name' : 'you@example.com'}"`,
  );
}

async function settingOf(ctx: GitContext, cwd: string, name: string): Promise<string> {
  const request = { file: 'git', args: ['config', '--get', name], cwd, timeoutMs: commandTimeoutMs };
  return (await runCommand(ctx, request)).stdout.trim();
}

/** @param path of the agent's program; undefined when its package is not there */
export async function checkAgent(path: string | undefined): Promise<Finding> {
  const hint = 'Install the packages again, optional ones too: npm install';
  if (path === undefined) return bad('The agent’s program for this machine is not installed.', hint);
  try {
    await access(path, constants.X_OK);
    return good(`The agent’s program is at ${path}.`);
  } catch {
    // Not there or not executable: either way it cannot be started.
    return bad(`The agent’s program cannot be started: ${path}`, hint);
  }
}

export async function checkHome(home: HomePaths): Promise<Finding> {
  try {
    const facts = await stat(home.root);
    if (!facts.isDirectory()) return bad(`${home.root} is not a folder.`, 'Remove it, or set GUILD_HALL_HOME.');
    await access(home.root, constants.R_OK | constants.W_OK | constants.X_OK);
    const mode = facts.mode & 0o777;
    if ((mode & 0o077) === 0) return good(`${home.root} is yours alone.`);
    return bad(`${home.root} can be read by others (mode ${mode.toString(8)}).`, `chmod 700 '${home.root}'`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return note(`${home.root} is not there yet.`, 'guild-hall up');
    return bad(`${home.root} cannot be used: ${(error as Error).message}`, `ls -ld '${home.root}'`);
  }
}

export async function checkToken(home: HomePaths): Promise<Finding> {
  try {
    const mode = (await stat(home.token)).mode & 0o777;
    if ((mode & 0o077) === 0) return good('The token can be read by you alone.');
    return bad(`The token can be read by others (mode ${mode.toString(8)}).`, `chmod 600 '${home.token}'`);
  } catch {
    // It is made at the first start.
    return note('There is no token yet; it is made at the first start.', 'guild-hall up');
  }
}

/** @param folder one that exists */
export async function checkDisk(folder: string): Promise<Finding> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const words = `${(free / 1024 ** 3).toFixed(1)} GiB free for the home.`;
    return free < littleSpace ? bad(words, `Make room; to see where: df -h '${folder}'`) : good(words);
  } catch (error) {
    return note(`The free space is not known: ${(error as Error).message}`, `df -h '${folder}'`);
  }
}

/** Only terminals need it: without it everything else works. */
export async function checkTerminals(ctx: GitContext): Promise<Finding> {
  try {
    return good(`tmux ${await checkTmux(ctx, process.env)}.`);
  } catch (error) {
    const { message, hint } = errorFactsOf(error);
    return note(message, hint);
  }
}

/** @param isRequired config.yaml wants no agent to start without */
export function checkSandbox({ kind, reason, hint }: SandboxState, isRequired: boolean): Finding {
  if (kind !== 'none') return good(`Agents run in a sandbox (${kind}).`);
  return isRequired
    ? bad(`No agent can be started: a sandbox is required, and there is none. ${reason}`, hint)
    : note(`Agents are not sandboxed, and have no shell. ${reason}`, hint);
}

function good(found: string): Finding {
  return { state: 'good', found, hint: '' };
}

function note(found: string, hint: string): Finding {
  return { state: 'note', found, hint };
}

function bad(found: string, hint: string): Finding {
  return { state: 'bad', found, hint };
}
