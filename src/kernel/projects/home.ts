/** Where everything of one hall lives. */
import { chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fail } from '../pure/errors.ts';
import type { ProjectName } from '../pure/ids.ts';

/** Absolute paths. */
export interface HomePaths {
  readonly root: string;
  readonly config: string;
  readonly token: string;
  readonly packages: string;
  readonly memory: string;
  /** Integration worktrees, one folder a project. */
  readonly projects: string;
  readonly worktrees: string;
  /** Of this machine only: never to be copied to another one. */
  readonly state: string;
  readonly events: string;
  /** Identities of the processes that the hall has started. */
  readonly processes: string;
  readonly secrets: string;
  /** What is shown to agents' programs in place of a repository's own files, and their way to the model; while they run. */
  readonly sandbox: string;
  readonly locks: string;
  readonly log: string;
  integrationWorktree(project: ProjectName): string;
}

export function homePaths(root: string): HomePaths {
  const state = join(root, 'state');
  return {
    root,
    config: join(root, 'config.yaml'),
    token: join(root, 'token'),
    packages: join(root, 'packages'),
    memory: join(root, 'memory'),
    projects: join(root, 'projects'),
    worktrees: join(root, 'worktrees'),
    state,
    events: join(state, 'events'),
    processes: join(state, 'processes'),
    secrets: join(state, 'secrets'),
    sandbox: join(state, 'sandbox'),
    locks: join(state, 'locks'),
    log: join(state, 'hall.log'),
    integrationWorktree: (project) => join(root, 'projects', project),
  };
}

/**
 * The home's folder: `GUILD_HALL_HOME`, else `.guild-hall` in the person's own home.
 * @throws `invalid` when the variable holds a relative path, or a folder that is more than a hall's home
 */
export function homeRoot(env: Readonly<Record<string, string | undefined>>): string {
  const personHome = env['HOME'] ?? homedir();
  const named = env['GUILD_HALL_HOME'];
  if (named === undefined || named === '') return join(personHome, '.guild-hall');
  const root = resolve(expandTilde(named, personHome));
  if (!isAbsolute(expandTilde(named, personHome))) {
    throw fail(
      'invalid',
      `GUILD_HALL_HOME is ${JSON.stringify(named)}; expected an absolute path.`,
      `Set it to the whole path, for example: export GUILD_HALL_HOME=${root}`,
    );
  }
  if (root === '/' || root === resolve(personHome)) {
    throw fail(
      'invalid',
      `GUILD_HALL_HOME is ${JSON.stringify(named)}; expected a folder of its own for the hall.`,
      `Set it to a folder inside, for example: export GUILD_HALL_HOME=${join(root, '.guild-hall')}`,
    );
  }
  return root;
}

/** Makes the home's folders, and closes the home to others (0700). */
export async function ensureHome(home: HomePaths): Promise<void> {
  const { root, packages, memory, projects, worktrees, state, events, processes, secrets, locks } = home;
  for (const folder of [root, packages, memory, projects, worktrees, state, events, processes, secrets, locks]) {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (((await stat(folder)).mode & 0o777) !== 0o700) await chmod(folder, 0o700);
    } catch (error) {
      throw fail(
        'unavailable',
        `The hall's folder ${folder} cannot be used: ${error instanceof Error ? error.message : String(error)}.`,
        'Make it a folder that you own, or set GUILD_HALL_HOME to another place.',
        { folder },
        error,
      );
    }
  }
}

/** `~` and `~/x` as a shell would read them; anything else as it is. */
export function expandTilde(path: string, personHome: string): string {
  return path === '~' || path.startsWith('~/') ? join(personHome, path.slice(1)) : path;
}
