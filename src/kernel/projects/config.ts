/** `config.yaml`: read, changed by the hall, watched for the person's own changes. */
import { chmod, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'yaml';
import { editYamlFields } from '../artifacts/fields.ts';
import { type Problem, readYamlFields } from '../artifacts/parse.ts';
import { hasErrorCode, readTextIfExists, writeAtomically } from '../artifacts/write.ts';
import { plainValue, printOptions } from '../artifacts/yaml-text.ts';
import type { BackgroundContext } from '../background/background.ts';
import type { ClockContext, IdContext } from '../clock/clock.ts';
import { createLocks } from '../locks/locks.ts';
import type { LogContext } from '../log/log.ts';
import { withFileLock } from '../processes/filelock.ts';
import { fail, HallError } from '../pure/errors.ts';
import type { ProjectName } from '../pure/ids.ts';
import type { HomePaths } from './home.ts';
import { parseConfig } from './parse-config.ts';
import { defaultCap, defaultConfig, type HallConfig } from './settings.ts';
import { watchConfig } from './watch-config.ts';

export type { HallConfig } from './settings.ts';
export { defaultConfig } from './settings.ts';

export interface ConfigContext {
  /** The settings that are in force. */
  readonly config: () => HallConfig;
  readonly home: HomePaths;
}

export interface ConfigRead {
  readonly config: HallConfig;
  readonly problems: readonly Problem[];
}

const newFile = '# Settings of the hall. Edit them by hand as you like: your order and comments stay.\n';
const lockWaitMs = 10_000;

/**
 * The settings as they stand in the file. A bad entry is left out and named; a file that cannot be read at all gives
 * `lastGood`, and says why. Never throws for what is in the file.
 */
export async function readConfig(
  ctx: LogContext,
  home: HomePaths,
  lastGood: HallConfig = defaultConfig,
): Promise<ConfigRead> {
  const text = await readTextIfExists(home.config).catch((error: Error) => error);
  if (text instanceof Error) {
    const message = `The file cannot be read: ${text.message}`;
    return { config: lastGood, problems: [{ file: home.config, line: 1, column: 1, message }] };
  }
  const { config, problems } = parseConfig(text ?? '', home.config);
  if (config === undefined)
    ctx.log.warn({ problem: problems[0] }, 'config.yaml cannot be read; the last good settings stay');
  return { config: config ?? lastGood, problems };
}

/**
 * Changes the file. Comments, order and unknown settings stay; callers in any process wait for each other.
 * @throws `conflict` when the file cannot be parsed, or when the person changes it at the same moment
 */
export async function editConfig(
  ctx: ClockContext & IdContext,
  home: HomePaths,
  edit: (document: Document) => void,
): Promise<void> {
  await withFileLock(ctx, join(home.locks, 'config.lock'), async () => editUnderLock(home, edit), {
    waitMs: lockWaitMs,
  });
}

async function editUnderLock(home: HomePaths, edit: (document: Document) => void): Promise<void> {
  const before = await readTextIfExists(home.config);
  const text = before ?? newFile;
  const { document, errors } = readYamlFields(text);
  const [error] = errors;
  if (error !== undefined) throw unreadable(home.config, error.line, error.column, error.message);
  applyEdit(home.config, document, edit);
  const changed = textOfEdit(text, document, home.config);
  if (changed === text) return;
  if ((await readTextIfExists(home.config)) !== before) {
    throw fail('conflict', `${home.config} was changed by somebody else just now.`, 'Save it there, then try again.');
  }
  // A person may keep the file elsewhere and have a link here: what the link names is written.
  const target = await realpath(home.config).catch((problem: unknown) => {
    if (hasErrorCode(problem, 'ENOENT')) return home.config;
    throw problem;
  });
  await writeAtomically(target, changed, { mode: 0o600 });
}

function applyEdit(file: string, document: Document, edit: (document: Document) => void): void {
  // `projects:` with nothing after it counts as not there, so that an edit need not know that form.
  for (const list of ['projects', 'models'])
    if (document.has(list) && document.get(list) === undefined) document.delete(list);
  try {
    edit(document);
  } catch (error) {
    if (error instanceof HallError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const hint = `Bring it into the documented form by hand, then try again: guild-hall config check`;
    throw fail('conflict', `${file} has a form that the hall cannot change: ${reason}.`, hint, { file }, error);
  }
}

/** Changed settings are put into the person's text; where comments inside of them would go, all is printed anew. */
function textOfEdit(text: string, edited: Document, file: string): string {
  const refuseAt = (line: number, column: number, message: string) => unreadable(file, line, column, message);
  const after = (edited.toJS() ?? {}) as Record<string, unknown>;
  const { fields } = readYamlFields(text);
  const given = Object.entries(after).map(([key, value]) => [key, plainValue(value)] as const);
  const remove = Object.keys(fields).filter((key) => !Object.hasOwn(after, key));
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const inPlace = editYamlFields(text, { set: Object.fromEntries(given), append: {}, remove }, refuseAt, eol);
  const anew = edited.toString({ ...printOptions, indentSeq: !/^- /m.test(text) });
  const kept = new Set(commentsIn(inPlace));
  return commentsIn(anew).every((comment) => kept.has(comment)) ? inPlace : anew.replaceAll(/\r?\n/g, eol);
}

function commentsIn(text: string): string[] {
  return [...text.matchAll(/(?<=^|\s)#[^\r\n]*/g)].map(([comment]) => comment.trim());
}

function unreadable(file: string, line: number, column: number, message: string): HallError {
  return fail(
    'conflict',
    `${file} was not changed: line ${line}, column ${column}: ${message.replace(/\.$/, '')}.`,
    `Mend line ${line} of the file by hand, then try again.`,
    { file, line, column },
  );
}

/** Settings that follow the file. */
export interface OpenConfig extends ConfigContext {
  readonly problems: () => readonly Problem[];
  /** As `editConfig`; in force when it resolves. */
  readonly changeConfig: (edit: (document: Document) => void) => Promise<void>;
  readonly close: () => Promise<void>;
}

type OpenContext = ClockContext & IdContext & LogContext & BackgroundContext;

/**
 * Reads the settings and follows their file. A file that breaks leaves the last good settings in force.
 * @param onChange called after the settings, or their problems, have changed
 */
export async function openConfig(
  ctx: OpenContext,
  home: HomePaths,
  onChange: (read: ConfigRead) => void = () => {},
): Promise<OpenConfig> {
  await closeToOthers(home);
  let current = await readConfig(ctx, home);
  const reads = createLocks();
  const reload = async (): Promise<void> =>
    reads.with('config', async () => {
      const next = await readConfig(ctx, home, current.config);
      if (isDeepStrictEqual(next, current)) return;
      current = next;
      onChange(next);
    });
  const watch = await watchConfig(ctx, home, () => ctx.spawn('read config.yaml', reload));
  // What was changed between the first read and the watch's beginning.
  await reload();
  return {
    home,
    config: () => current.config,
    problems: () => current.problems,
    changeConfig: async (edit) => {
      await editConfig(ctx, home, edit);
      await reload();
    },
    close: async () => watch.close(),
  };
}

/** The file may hold a key. */
async function closeToOthers(home: HomePaths): Promise<void> {
  const facts = await stat(home.config).catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (facts?.isFile() === true && (facts.mode & 0o077) !== 0) await chmod(home.config, 0o600);
}

/** How many activities of `kind` may be open in the project at once. */
export function capOf(ctx: ConfigContext, project: { readonly name: ProjectName }, kind: string): number {
  const { caps, projects } = ctx.config();
  return projects.find(({ name }) => name === project.name)?.caps?.[kind] ?? caps[kind] ?? defaultCap;
}
