/** `guild-hall down`: asks the hall to stop, waits until it is gone, forces it when it does not answer. */
import { findHall, connectHall, type HallRecord } from '../interfaces/cli/client.ts';
import { createProgress, withProgress } from '../interfaces/cli/progress.ts';
import type { Terminal } from '../interfaces/cli/terminal.ts';
import { systemClock } from '../kernel/clock/clock.ts';
import { silentLog } from '../kernel/log/log.ts';
import { isSameProcess } from '../kernel/processes/identity.ts';
import { stopProcessGroup } from '../kernel/processes/group.ts';
import type { HomePaths } from '../kernel/projects/home.ts';
import { removeRecord } from './record.ts';
import { tmuxSocketOf } from './tmux-socket.ts';

/** How long a hall that was asked may take to end its turns and agents. Milliseconds. */
const patienceMs = 45_000;
/** How long one that does not answer may take before it is forced. Milliseconds. */
const graceMs = 5_000;

export async function runDown(home: HomePaths, term: Terminal, asJson: boolean): Promise<number> {
  const record = await findHall(home.root);
  if (!record) return report(term, asJson, { stopped: false, pid: null }, `No hall is running on ${home.root}.`);
  const { pid } = record.identity;
  const progress = createProgress(term, systemClock.sleep, asJson);
  let goesOn: readonly string[] = [];
  const isDone = async (): Promise<boolean> => {
    const running = await ask(home);
    goesOn = (running ?? []).flatMap((what) => /^terminal (.+)$/.exec(what)?.[1] ?? []);
    return running !== undefined && (await isGone(record));
  };
  if (await withProgress(progress, 'the hall to end its turns and agents', isDone)) {
    const sentence = `The hall (pid ${pid}) has stopped.${wordsOnTerminals(home, goesOn)}`;
    return report(term, asJson, { stopped: true, pid, terminals: goesOn }, sentence);
  }
  const outcome = await stopProcessGroup({ clock: systemClock, log: silentLog }, record.identity, { graceMs });
  await removeRecord(home);
  const how =
    outcome === 'killed'
      ? 'did not answer and was forced to end; nothing that was acknowledged is lost'
      : 'has stopped';
  return report(term, asJson, { stopped: true, pid }, `The hall (pid ${pid}) ${how}.`);
}

/** Terminals outlive the hall; it has to be said how they end. */
function wordsOnTerminals(home: HomePaths, ids: readonly string[]): string {
  if (ids.length === 0) return '';
  const many = ids.length === 1 ? 'A terminal goes' : `${ids.length} terminals go`;
  const end = `tmux -S ${tmuxSocketOf(home)} kill-server`;
  return `\n${many} on without it: ${ids.join(', ')}. The next hall takes them up; to end them all now: ${end}`;
}

/** @returns what ran, `<kind> <id>` each; undefined where it does not answer */
async function ask(home: HomePaths): Promise<readonly string[] | undefined> {
  try {
    const { running } = (await (await connectHall(home.root)).call('hall.stop', {})) as { running: string[] };
    return running;
  } catch {
    // It does not answer, or just went: what follows looks at the process itself.
    return undefined;
  }
}

async function isGone(record: HallRecord): Promise<boolean> {
  const deadline = systemClock.monotonicMs() + patienceMs;
  while (systemClock.monotonicMs() < deadline) {
    if (!(await isSameProcess(record.identity))) return true;
    await systemClock.sleep(25);
  }
  return false;
}

function report(term: Terminal, asJson: boolean, facts: Record<string, unknown>, sentence: string): number {
  term.out(asJson ? `${JSON.stringify(facts)}\n` : `${sentence}\n`);
  return 0;
}
