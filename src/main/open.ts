/** `guild-hall open`: a one-time sign-in link, opened in a browser where there is one, and printed. */
import { fstatSync } from 'node:fs';
import type { SignInLink } from '../features/signins/contract.ts';
import { openPagePath } from '../features/signins/store.ts';
import { connectHall } from '../interfaces/cli/client.ts';
import { renderSignInLink } from '../interfaces/cli/render/signins.ts';
import type { Terminal } from '../interfaces/cli/terminal.ts';
import { writeAtomically } from '../kernel/artifacts/write.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import { silentLog } from '../kernel/log/log.ts';
import { startProcess, type StartedProcess } from '../kernel/processes/start.ts';
import { HallError } from '../kernel/pure/errors.ts';
import type { HomePaths } from '../kernel/projects/home.ts';

export interface OpenRequest {
  readonly home: HomePaths;
  readonly term: Terminal;
  readonly asJson: boolean;
  /** False: only the link is printed. */
  readonly wantsBrowser: boolean;
}

/** How long a program that opens browsers may take to say that it cannot. Milliseconds. */
const patienceMs = 3_000;

/** @throws HallError `unavailable` when no hall runs */
export async function runOpen({ home, term, asJson, wantsBrowser }: OpenRequest): Promise<number> {
  const link = (await (await connectHall(home.root)).call('signin.link', {})) as SignInLink;
  const problem = wantsBrowser ? await openBrowser(home, link.url) : undefined;
  const isOpened = wantsBrowser && problem === undefined;
  if (asJson) {
    term.out(`${JSON.stringify({ ...link, opened: isOpened })}\n`);
    return 0;
  }
  term.out(renderSignInLink(link, term));
  if (isOpened) term.out('It is being opened in your browser. If no page comes, open it yourself.\n');
  if (problem !== undefined) term.out(`${problem}\n${howFromElsewhere(link, term)}`);
  return 0;
}

function howFromElsewhere({ url }: SignInLink, term: Terminal): string {
  const { port } = new URL(url);
  return term.style(
    'dim',
    `From another machine: ssh -L ${port}:127.0.0.1:${port} <this machine>, then open it there.\n`,
  );
}

/**
 * Opens the link by way of a page that only its owner can read: the words of a running program can be read by everybody
 * on the machine.
 * @returns why no browser was opened; undefined when one was
 */
async function openBrowser(home: HomePaths, url: string): Promise<string | undefined> {
  const file = browserOpener(process.platform, process.env);
  if (file === undefined) return 'There is no screen here to open a browser on; open the link in one on this machine.';
  const page = openPagePath(home);
  await writeAtomically(page, openPage(url), { mode: 0o600 });
  try {
    const ended = await endOf(startProcess({ log: silentLog }, openerRequest(file, page, home)));
    return ended ? `No browser could be opened (${file} ended with ${ended}); open the link yourself.` : undefined;
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    return `No browser could be opened: there is no program "${file}". Open the link yourself.`;
  }
}

function openerRequest(file: string, page: string, home: HomePaths) {
  return { file, args: [page], cwd: home.root, env: process.env, stdio: 'ignore' as const, detached: true };
}

/** What opens a file in the person's browser; undefined where there is no screen. */
function browserOpener(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'darwin') return 'open';
  return (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '' ? 'xdg-open' : undefined;
}

/** How it failed; undefined when it went well, or goes on: some browsers keep the program that opened them. */
async function endOf(started: StartedProcess): Promise<string | undefined> {
  const enough = new AbortController();
  const late = systemClock.sleep(patienceMs, enough.signal).then(
    () => undefined,
    // It came to its end first.
    () => undefined,
  );
  const end = await Promise.race([started.exited, late]);
  enough.abort();
  started.child.unref();
  if (end === undefined || end.exitCode === 0) return undefined;
  return end.signal ?? `exit code ${end.exitCode}`;
}

function openPage(url: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="referrer" content="no-referrer" />
    <meta http-equiv="refresh" content="0;url=${url}" />
    <title>Guild Hall</title>
  </head>
  <body><p><a href="${url}">Guild Hall</a></p></body>
</html>
`;
}

/**
 * Whether what is printed goes into the system's journal, which others may read and which is kept: no place for a
 * link that signs in. systemd names the journal's stream in `JOURNAL_STREAM` as `<device>:<inode>`.
 */
export function isJournal(env: NodeJS.ProcessEnv): boolean {
  const { dev, ino } = fstatSync(1);
  return env['JOURNAL_STREAM'] === `${dev}:${ino}`;
}
