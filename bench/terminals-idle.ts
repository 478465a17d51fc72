/**
 * What idle terminals cost: 32 of them, half `cat` and half a small Node program that reads keys itself and tells what it
 * does by signals; the processor time of the process that holds them as the hall does (screens, queues, signals), of
 * tmux's server and of its connection, and the memory of each.
 *
 *   npm run bench -- terminals-idle [--seconds 20] [--terminals 32] [--json <path>]
 *
 * Fails when the process that holds them needs more than 1 % of a core.
 */
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { terminalIdSchema } from '../src/kernel/terminals/contract.ts';
import { startTerminal, statusOf } from '../src/kernel/terminals/terminals.ts';
import { waitUntil } from '../test/help/programs.ts';
import {
  anyManner,
  endTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
} from '../test/help/terminals.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    terminals: { type: 'string', default: '32' },
    json: { type: 'string' },
  },
});
const [seconds, terminals] = [Number(flags.seconds), Number(flags.terminals)];
/** Of one core, in per cent. */
const limit = 1;

interface Used {
  readonly cpuSeconds: number;
  readonly memoryMb: number;
}

const ticksPerSecond = 100;

/** Of another process; Linux. */
function usedBy(pid: number): Used {
  if (!existsSync(`/proc/${pid}/stat`)) return { cpuSeconds: Number.NaN, memoryMb: Number.NaN };
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const memory = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond, memoryMb: Number(memory) / 1024 };
}

function usedHere(): Used {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, memoryMb: process.memoryUsage().rss / 1024 / 1024 };
}

const hall = await openTestTerminals();
try {
  const emptyMb = usedHere().memoryMb;
  for (let number = 0; number < terminals; number += 1) {
    if (number % 2 === 1) await startAgent(hall, signallingManner, { RAW: '1' });
    else await startCat(number);
  }
  for (const id of hall.terminals.live.keys()) await waitUntil(() => statusOf(hall.terminals, id).status === 'idle');
  await sleep(2_000);
  const { connection } = hall.terminals.tmux;
  const [server, client] = [connection!.serverPid!, connection!.process.pid];
  const before = [usedHere(), usedBy(server), usedBy(client)];
  await sleep(seconds * 1_000);
  const after = [usedHere(), usedBy(server), usedBy(client)];
  const percent = after.map(({ cpuSeconds }, at) => ((cpuSeconds - before[at]!.cpuSeconds) / seconds) * 100);
  const result = {
    terminals,
    seconds,
    processPercent: percent[0]!,
    tmuxPercent: percent[1]!,
    connectionPercent: percent[2]!,
    processMb: after[0]!.memoryMb,
    processMbBefore: emptyMb,
    tmuxMb: after[1]!.memoryMb,
    connectionMb: after[2]!.memoryMb,
  };
  const shown = (value: number): string => value.toFixed(2).padStart(8);
  console.log(`${terminals} idle terminals, ${seconds} s, per cent of a core and MB of memory:`);
  console.log(
    `  the process that holds them ${shown(result.processPercent)} % ${shown(result.processMb)} MB (${shown(emptyMb).trim()} MB without)`,
  );
  console.log(`  tmux's server               ${shown(result.tmuxPercent)} % ${shown(result.tmuxMb)} MB`);
  console.log(`  the connection              ${shown(result.connectionPercent)} % ${shown(result.connectionMb)} MB`);
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(result, null, 2)}\n`);
  if (result.processPercent > limit) {
    console.log(`More than ${limit} % of a core.`);
    process.exitCode = 1;
  }
} finally {
  await endTestTerminals(hall);
}

async function startCat(number: number): Promise<void> {
  const id = terminalIdSchema.parse(`cat-${number}`);
  const restFolder = join(hall.folder, 'rest');
  const kind = { id, manner: anyManner, readSignal: undefined, restFolder };
  await startTerminal(hall.terminals, { ...kind, file: 'cat', args: [], cwd: hall.folder, env: {} });
}
