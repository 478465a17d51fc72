/** What git says when it fails, as an error with the next thing to do. */
import { existsSync, statSync } from 'node:fs';
import { type ErrorCode, fail, type HallError } from '../pure/errors.ts';
import type { CommandResult } from '../processes/command.ts';

/** The lock that stood in the way, when that was the reason. */
export function lockFileNamedBy(stderr: string): string | undefined {
  return /Unable to create '([^\n]+\.lock)': File exists/.exec(stderr)?.[1];
}

interface Explanation {
  readonly sign: RegExp;
  readonly code: ErrorCode;
  readonly says: (where: string, found: RegExpExecArray) => string;
  readonly hint: (where: string, found: RegExpExecArray) => string;
}

/** The first sign that is found counts. */
const explanations: readonly Explanation[] = [
  {
    sign: /Unable to create '([^\n]+\.lock)': File exists/,
    code: 'unavailable',
    says: (_, found) => `Another git is at work, or one was broken off and left its lock: ${found[1]}`,
    hint: (_, found) => `Wait for it to end. When no git is running there, remove the lock: rm '${found[1]}'`,
  },
  {
    sign: /No space left on device|Disk quota exceeded/,
    code: 'unavailable',
    says: (where) => `The disk is full: git could not write in ${where}.`,
    hint: (where) => `Make room, then repeat; to see where: df -h '${where}'`,
  },
  {
    sign: /Read-only file system/,
    code: 'unavailable',
    says: (where) => `The disk is read-only: git could not write in ${where}.`,
    hint: () => 'Make it writable again (a disk with faults is often made read-only by the system), then repeat.',
  },
  {
    sign: /dubious ownership/,
    code: 'forbidden',
    says: (where) => `The repository at ${where} belongs to another user, so git refuses to work in it.`,
    hint: (where) => `If you trust it: git config --global --add safe.directory '${where}'`,
  },
  {
    sign: /not a git repository/,
    code: 'invalid',
    says: (where) => `${where} is not in a git repository.`,
    hint: (where) => `Name a folder that is, or make it one: git -C '${where}' init`,
  },
  {
    sign: /Please tell me who you are|user\.useConfigOnly|no email was given|no name was given|empty ident name/,
    code: 'conflict',
    says: (where) => `Git does not know your name for commits in ${where}.`,
    hint: (where) =>
      `Set it once: git -C '${where}' config user.name "Your Name"; git -C '${where}' config user.email "you@your.host"`,
  },
  {
    sign: /'([^'\n]+)' is already (?:checked out|used by worktree) at '([^'\n]+)'/,
    code: 'conflict',
    says: (_, found) => `The branch ${found[1]} is checked out at ${found[2]}; the hall needs it for itself.`,
    hint: (_, found) => `Put another branch there: git -C '${found[2]}' switch main`,
  },
  {
    sign: /'refs\/heads\/([^'\n]+)' exists; cannot create '([^'\n]+)'/,
    code: 'conflict',
    says: (_, found) => `A branch "${found[1]}" stands in the way of ${found[2]}: git cannot hold both.`,
    hint: (where, found) => `Rename it: git -C '${where}' branch -m '${found[1]}' '${found[1]}-old'`,
  },
  {
    sign: /(?:smudge|clean|process)[^\n]* filter '?([\w-]+)'? failed|external filter '([^'\n]+)' failed/,
    code: 'unavailable',
    says: (where, found) => `The filter ${found[1] ?? found[2]} that ${where} demands for its files failed.`,
    hint: () => 'Install the program that the filter calls (for large files: git-lfs), then repeat.',
  },
  {
    sign: /Permission denied|insufficient permission|Operation not permitted/,
    code: 'forbidden',
    says: (where) => `Git may not write in ${where}.`,
    hint: (where) => `Look at who owns it: ls -ld '${where}' '${where}/.git'`,
  },
  {
    sign: /object file .* is empty|loose object .* is corrupt|bad object|unable to read tree|index file corrupt|bad signature/,
    code: 'conflict',
    says: (where) => `The repository at ${where} is damaged.`,
    hint: (where) => `See what is wrong: git -C '${where}' fsck --full`,
  },
  {
    sign: /cannot be used with unmerged|You need to resolve your current index|: unmerged \(|error building trees/,
    code: 'conflict',
    says: (where) => `A merge was begun and not finished in ${where}.`,
    hint: (where) => `Finish it or give it up: git -C '${where}' merge --abort`,
  },
];

/** The error for a git call that failed. */
export function explainGit(
  result: CommandResult,
  request: { readonly cwd: string; readonly args: readonly string[] },
  verb: string,
): HallError {
  const { cwd } = request;
  const details = { cwd, verb, exitCode: result.exitCode, stderr: result.stderr.slice(0, 2_000) };
  if (result.failedToStart !== undefined) return explainNoStart(cwd, details);
  if (result.timedOut || result.truncated) {
    return fail(
      'unavailable',
      `git ${verb} in ${cwd} was ended: ${result.timedOut ? 'it took too long' : 'it printed too much'}.`,
      'Look whether the disk answers and nothing else holds the repository, then repeat.',
      details,
    );
  }
  for (const { sign, code, says, hint } of explanations) {
    const found = sign.exec(result.stderr);
    if (found) return fail(code, `${says(cwd, found)} ${wordsOf(result)}`.trim(), hint(cwd, found), details);
  }
  return fail(
    'conflict',
    `git ${verb} failed in ${cwd}: ${wordsOf(result) || `exit code ${result.exitCode ?? result.signal}`}`,
    `Look at the repository: git -C '${cwd}' status`,
    details,
  );
}

function explainNoStart(cwd: string, details: Record<string, unknown>): HallError {
  if (!existsSync(cwd)) {
    return fail(
      'not_found',
      `The folder ${cwd} does not exist.`,
      'If it was moved, tell the hall the new place.',
      details,
    );
  }
  if (!statSync(cwd).isDirectory()) {
    return fail('invalid', `${cwd} is a file, not a folder.`, 'Name the folder of a repository.', details);
  }
  return fail(
    'unavailable',
    'git is not installed, or not on PATH.',
    'Install git 2.38 or newer; then see: git --version',
    details,
  );
}

/** Git's own words, without its prefixes, at most 400 characters. */
function wordsOf(result: CommandResult): string {
  const lines = result.stderr.split('\n').filter((line) => /^(?:fatal|error): /.test(line));
  const said = (lines.length > 0 ? lines : result.stderr.split('\n')).map((line) =>
    line.replace(/^(?:fatal|error): /, ''),
  );
  const text = said.join('; ').replaceAll(/\s+/g, ' ').trim();
  return text === '' ? '' : `(git: ${text.length > 400 ? `${text.slice(0, 400)}…` : text})`;
}
