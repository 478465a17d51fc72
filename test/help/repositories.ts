/** Temporary folders and small real git repositories for tests. Removed when the test that asked for them is over. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/kernel/clock/clock.ts';

// Whatever git reads from the machine's own settings must not decide how a test ends. Where test/help/setup.ts ran
// before, this is done already.
for (const name of Object.keys(process.env)) {
  if (name.startsWith('GIT_') && name !== 'GIT_CONFIG_NOSYSTEM') delete process.env[name];
}
if (!process.env['HOME']?.startsWith(tmpdir())) {
  const home = mkdtempSync(join(tmpdir(), 'gh-home-'));
  process.env['HOME'] = home;
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
}

/** A fresh folder (its real path), removed when the present test is over. Call it inside a test. */
export async function tempFolder(): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** Removes a folder in which a process that is about to end may still write. */
export async function removeFolder(folder: string): Promise<void> {
  for (let triesLeft = 50; ; triesLeft -= 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (triesLeft === 0) throw error;
      await systemClock.sleep(100);
    }
  }
}

/** Text or bytes of a file; a link's target; or an executable's text. */
export type FileContent = string | Uint8Array | { readonly link: string } | { readonly executable: string };

type Files = Readonly<Record<string, FileContent>>;

export interface RepositoryRequest {
  /** Committed as the first commit. With no files at all the repository has no commit. Default: one README.md. */
  readonly files?: Files;
  /** `user.name` and `user.email` of the repository; null leaves them unset. */
  readonly identity?: { readonly name: string; readonly email: string } | null;
  readonly branch?: string;
  /** Where to make it; a fresh temporary folder when left out. */
  readonly path?: string;
}

export interface TestRepository {
  readonly path: string;
  /** Runs git there and gives what it printed, without the last line end. */
  git(...args: readonly string[]): string;
  /** Writes files into the checkout. */
  write(files: Files): void;
  /** Writes files and commits everything; gives the commit. */
  commit(message: string, files?: Files): string;
}

export const testIdentity = { name: 'Test Person', email: 'person@example.invalid' };

export async function makeRepository(request: RepositoryRequest = {}): Promise<TestRepository> {
  const path = request.path ?? join(await tempFolder(), 'repository');
  mkdirSync(path, { recursive: true });
  const repository = repositoryAt(path);
  repository.git('init', '--quiet', `--initial-branch=${request.branch ?? 'main'}`);
  const identity = request.identity === undefined ? testIdentity : request.identity;
  appendFileSync(join(path, '.git', 'config'), `[gc]\n\tauto = 0\n${identity === null ? '' : sectionOf(identity)}`);
  const files = request.files ?? { 'README.md': '# A small project\n' };
  if (Object.keys(files).length > 0) record(repository, 'First', files);
  return repository;
}

/** As text, since a run of git for each takes a test longer than all it asks of a repository. */
const sectionOf = ({ name, email }: typeof testIdentity): string =>
  `[user]\n\tname = ${JSON.stringify(name)}\n\temail = ${JSON.stringify(email)}\n`;

function record({ git, write }: Pick<TestRepository, 'git' | 'write'>, message: string, files: Files): void {
  write(files);
  git('add', '--all');
  git('-c', 'user.name=Test Person', '-c', 'user.email=person@example.invalid', 'commit', '--quiet', '-m', message);
}

/** The same handle for a checkout that exists, a worktree for instance. */
export function repositoryAt(path: string): TestRepository {
  const git = (...args: readonly string[]): string => runTestGit(path, args);
  const write = (files: Files): void => writeFiles(path, files);
  return {
    path,
    git,
    write,
    commit: (message, files = {}) => {
      record({ git, write }, message, files);
      return git('rev-parse', 'HEAD');
    },
  };
}

/**
 * Runs git in `cwd` as a person would; throws with git's words when it fails. Looking takes no lock: a test that asks
 * for `status` again and again must not be what keeps the hall from its index.
 */
export function runTestGit(cwd: string, args: readonly string[]): string {
  const all = ['-c', 'commit.gpgsign=false', ...args];
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0' };
  return execFileSync('git', all, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(/\n$/, '');
}

/** Makes `count` commits on top of `tip`, each with a file `many.md` of its own text, quickly; gives the last. */
export function manyCommits(repository: TestRepository, tip: string, count: number): string {
  const lines = Array.from({ length: count }, (_, at) =>
    [
      'commit refs/heads/many',
      `committer ${testIdentity.name} <${testIdentity.email}> ${1_900_000_000 + at} +0000`,
      'data 4\nmany',
      ...(at === 0 ? [`from ${tip}`] : []),
      'M 100644 inline many.md',
      `data <<END\n${at}\nEND\n`,
    ].join('\n'),
  );
  const input = lines.join('\n');
  execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: repository.path, input });
  return repository.git('rev-parse', 'refs/heads/many');
}

export function writeFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) {
      writeFileSync(path, content);
    } else if ('link' in content) {
      rmSync(path, { force: true });
      symlinkSync(content.link, path);
    } else {
      writeFileSync(path, content.executable);
      chmodSync(path, 0o755);
    }
  }
}
