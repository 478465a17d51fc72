/** `guild-hall up`: runs the hall in this process until it is asked to stop, or starts one that runs by itself. */
import { closeSync, readFileSync } from 'node:fs';
import { findHall, type HallRecord } from '../interfaces/cli/client.ts';
import { createProgress, withProgress } from '../interfaces/cli/progress.ts';
import { plainText, type Terminal } from '../interfaces/cli/terminal.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import { silentLog } from '../kernel/log/log.ts';
import { startProcess, type StartedProcess } from '../kernel/processes/start.ts';
import { deferred } from '../kernel/pure/deferred.ts';
import { errorFactsOf, errorTable, fail, type ErrorFacts, type HallError } from '../kernel/pure/errors.ts';
import { readConfig } from '../kernel/projects/config.ts';
import { ensureHome, type HomePaths } from '../kernel/projects/home.ts';
import type { HallAddress } from './hall.ts';
import { createFileLog, openLogFile, rotateLog } from './log-file.ts';
import { isJournal, runOpen } from './open.ts';
import { packageRoot, packageVersion } from './package.ts';
import { printProblem } from './problems.ts';
import { alreadyRunning } from './refusals.ts';

export interface UpRequest {
  readonly home: HomePaths;
  /** Undefined: the one in config.yaml, else 4747. */
  readonly port: number | undefined;
  readonly term: Terminal;
  readonly asJson: boolean;
  /** Opens the pages in a browser when the hall answers. */
  readonly wantsBrowser: boolean;
  /** Calls back when the process is told to end. */
  readonly onStop: (listener: () => void) => void;
}

/** How long a hall that was started by itself may take until it answers. Milliseconds. */
const startPatienceMs = 60_000;

/** @returns the exit code, when the hall has stopped. @throws HallError when it cannot start */
export async function runUp(request: UpRequest): Promise<number> {
  const { home, term } = request;
  await requireNoHall(home);
  await ensureHome(home);
  const log = createFileLog(home.log, process.env['GUILD_HALL_LOG_LEVEL'] ?? 'info');
  const stopAsked = deferred();
  request.onStop(() => stopAsked.resolve());
  const port = request.port === undefined ? {} : { port: request.port };
  // Whoever only starts a hall that runs by itself does not read all of it.
  const { buildHall } = await import('./hall.ts');
  const hall = buildHall({ home, ...port, log, version: packageVersion(), onStopAsked: () => stopAsked.resolve() });
  let exitCode = 0;
  const stopOnFault = (error: unknown): void => {
    log.fatal({ err: error }, 'a fault that nobody caught');
    exitCode = errorTable.internal.exit;
    stopAsked.resolve();
  };
  process.on('uncaughtException', stopOnFault).on('unhandledRejection', stopOnFault);
  const address = await hall.start();
  await sayAddress(request, address);
  await stopAsked.promise;
  await hall.stop();
  process.off('uncaughtException', stopOnFault).off('unhandledRejection', stopOnFault);
  if (!request.asJson) term.out('The hall has stopped.\n');
  return exitCode;
}

/** @returns 0 when the hall answers. @throws HallError with the hall's own reason when it does not come up */
export async function runDetached(request: UpRequest, entry: readonly string[]): Promise<number> {
  const { home } = request;
  await requireNoHall(home);
  await ensureHome(home);
  rotateLog(home.log);
  const logFile = openLogFile(home.log);
  const port = request.port === undefined ? [] : ['--port', String(request.port)];
  const started = startProcess(
    { log: silentLog },
    {
      file: process.execPath,
      args: [...process.execArgv, ...entry, 'up', '--json', ...port],
      cwd: packageRoot(),
      env: { ...process.env, GUILD_HALL_HOME: home.root },
      stdio: ['ignore', 'ignore', logFile],
      detached: true,
    },
  );
  closeSync(logFile);
  const progress = createProgress(request.term, systemClock.sleep, request.asJson);
  const answered = async (): Promise<HallRecord> => await waitUntilItAnswers(home, started);
  const record = await withProgress(progress, 'the hall to answer', answered);
  started.child.unref();
  await sayAddress(request, { pid: record.identity.pid, url: record.url, port: Number(new URL(record.url).port) });
  return 0;
}

async function requireNoHall(home: HomePaths): Promise<void> {
  const running = await findHall(home.root);
  if (running) throw alreadyRunning(home, running.identity.pid, running.url);
}

/** The hall writes its record when it answers. It, or its end, is waited for, not a time. */
async function waitUntilItAnswers(home: HomePaths, started: StartedProcess): Promise<HallRecord> {
  let ended = false;
  const end = started.exited.then(() => {
    ended = true;
  });
  const deadline = systemClock.monotonicMs() + startPatienceMs;
  while (!ended && systemClock.monotonicMs() < deadline) {
    const record = await findHall(home.root);
    if (record?.identity.pid === started.pid) return record;
    await Promise.race([end, systemClock.sleep(20)]);
  }
  throw ended ? reasonInLog(home) : tooSlow(home);
}

/** A hall that could not start says why in the last line of its log. */
function reasonInLog(home: HomePaths): HallError {
  const lines = readFileSync(home.log, 'utf8').trimEnd().split('\n');
  for (const line of lines.toReversed().slice(0, 20)) {
    const facts = factsOf(line);
    if (facts) return fail(facts.code, facts.message, facts.hint, facts.details);
  }
  const said = lines.toReversed().find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '';
  return fail('internal', `The hall ended while it was starting: ${said.slice(0, 300)}`, `See the log: ${home.log}`);
}

function factsOf(line: string): ErrorFacts | undefined {
  try {
    const value = JSON.parse(line) as Partial<ErrorFacts>;
    const isFacts = typeof value.code === 'string' && value.code in errorTable && typeof value.message === 'string';
    return isFacts ? (value as ErrorFacts) : undefined;
  } catch {
    // A line of something else, such as a stack trace.
    return undefined;
  }
}

function tooSlow(home: HomePaths): HallError {
  return fail(
    'unavailable',
    'The hall was started but does not answer yet.',
    `Look at it: guild-hall status, and ${home.log}`,
  );
}

/**
 * With what is wrong in config.yaml: whoever starts the hall should not have to ask for it. The link that signs in is
 * for a person's eyes: it is neither in the JSON nor in the journal.
 */
async function sayAddress(request: UpRequest, { pid, url, port }: HallAddress): Promise<void> {
  const { term, asJson, home } = request;
  const { problems } = await readConfig({ log: silentLog }, home);
  if (asJson) return term.out(`${JSON.stringify({ pid, url, port, home: home.root, problems })}\n`);
  const wrong = problems.map((problem) => `${term.style('red', '▲')} ${plainText(printProblem(problem))}\n`);
  term.out(`${term.style('green', '●')} The hall is at ${term.style('bold', url)} (pid ${pid}).\n${wrong.join('')}`);
  return await offerSignIn(request);
}

/** A hall that answers goes on, whatever becomes of the link. */
async function offerSignIn(request: UpRequest): Promise<void> {
  const later = request.term.hint('Sign in: guild-hall open\n');
  if (isJournal(process.env)) return request.term.out(later);
  try {
    await runOpen(request);
  } catch (error) {
    request.term.out(`No sign-in link could be made: ${plainText(errorFactsOf(error).message)}\n${later}`);
  }
  return undefined;
}
