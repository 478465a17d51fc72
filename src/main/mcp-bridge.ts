/** `guild-hall mcp`: the hall's MCP door on standard input and output. */
import { resolve } from 'node:path';
import { connectHall, findHall, type HallClient, type HallRecord, notRunning } from '../interfaces/cli/client.ts';
import { createTerminal } from '../interfaces/cli/terminal.ts';
import { runBridge } from '../interfaces/mcp/bridge/bridge.ts';
import type { Reach } from '../interfaces/mcp/bridge/link.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import { readToken } from '../kernel/projects/token.ts';
import { errorFactsOf, fail } from '../kernel/pure/errors.ts';
import type { HomePaths } from '../kernel/projects/home.ts';

export interface McpRequest {
  /** Found when it is needed: where the environment says all, there may be none. */
  readonly home: () => HomePaths;
  readonly env: NodeJS.ProcessEnv;
  readonly projectHere: (client: HallClient) => Promise<string | undefined>;
}

/** How long a hall that another program starts may take until it answers. Milliseconds. */
const otherPatienceMs = 30_000;

/** @returns the exit code, when the input has ended */
export async function runMcp(request: McpRequest): Promise<number> {
  // Whoever types it would wait for an answer that does not come.
  if (process.stdin.isTTY) process.stderr.write('A client of MCP starts this and speaks with it; Ctrl-D ends it.\n');
  await runBridge({
    input: process.stdin,
    write: (line) => void process.stdout.write(line),
    complain: (text) => void process.stderr.write(`guild-hall mcp: ${text}`),
    sleep: systemClock.sleep,
    reach: async (isFirst) => await reachOf(request, isFirst),
  });
  return 0;
}

/** @throws HallError */
async function reachOf(request: McpRequest, isFirst: boolean): Promise<Reach> {
  const { GUILD_HALL_MCP_URL: url = '', GUILD_HALL_MCP_TOKEN: token = '' } = request.env;
  if (url !== '' && token !== '') return { url: addressOf(url), token };
  if (url !== '') {
    throw fail(
      'invalid',
      'GUILD_HALL_MCP_URL is set, but GUILD_HALL_MCP_TOKEN is not: the token of this home is shown to no other address.',
      'Set both, or neither.',
    );
  }
  const home = request.home();
  const hall = (await findHall(home.root)) ?? (isFirst && token === '' ? await startHall(home) : undefined);
  if (hall === undefined) throw notRunning(home.root);
  if (token !== '') return { url: `${hall.url}/mcp`, token };
  const own = await readToken(home);
  if (own === undefined) throw notRunning(home.root);
  const project = await projectOf(request, home);
  return {
    url: `${hall.url}/mcp${project === undefined ? '' : `?project=${encodeURIComponent(project)}`}`,
    token: own,
  };
}

/** Whoever starts this program wants a hall. Nothing of what is said about it may come between the messages. */
async function startHall(home: HomePaths): Promise<HallRecord | undefined> {
  const { runDetached } = await import('./up.ts');
  const quiet = { write: () => true };
  const term = createTerminal({ out: quiet, err: quiet }, {});
  const options = { home, port: undefined, term, asJson: true, wantsBrowser: false, onStop: () => {} };
  try {
    await runDetached(options, [resolve(process.argv[1] ?? '')]);
    return await findHall(home.root);
  } catch (error) {
    // Of a port that is taken, too, it is said that there is a conflict.
    if (errorFactsOf(error).details?.['pid'] === undefined) throw error;
    return await startedByAnother(home);
  }
}

/** Two programs may start it at the same moment; the one that came second waits for the other's. */
async function startedByAnother(home: HomePaths): Promise<HallRecord | undefined> {
  const deadline = systemClock.monotonicMs() + otherPatienceMs;
  for (;;) {
    const hall = await findHall(home.root);
    if (hall || systemClock.monotonicMs() > deadline) return hall;
    await systemClock.sleep(50);
  }
}

/** The project of the folder that the program was started in, as for every command. */
async function projectOf({ projectHere }: McpRequest, home: HomePaths): Promise<string | undefined> {
  return await projectHere(await connectHall(home.root));
}

function addressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href;
  throw fail(
    'invalid',
    `GUILD_HALL_MCP_URL is ${JSON.stringify(text.slice(0, 80))}, which is no address.`,
    'Set it to the address of the MCP door, like http://127.0.0.1:4747/mcp',
  );
}
