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

/** How long a hall that was asked may take to end its turns and agents. Milliseconds. */
const patienceMs = 45_000;
/** How long one that does not answer may take before it is forced. Milliseconds. */
const graceMs = 5_000;

export async function runDown(home: HomePaths, term: Terminal, asJson: boolean): Promise<number> {
  const record = await findHall(home.root);
  if (!record) return report(term, asJson, { stopped: false, pid: null }, `No hall is running on ${home.root}.`);
  const { pid } = record.identity;
  const progress = createProgress(term, systemClock.sleep, asJson);
  const isDone = async (): Promise<boolean> => (await ask(home)) && (await isGone(record));
  if (await withProgress(progress, 'the hall to end its turns and agents', isDone)) {
    return report(term, asJson, { stopped: true, pid }, `The hall (pid ${pid}) has stopped.`);
  }
  const outcome = await stopProcessGroup({ clock: systemClock, log: silentLog }, record.identity, { graceMs });
  await removeRecord(home);
  const how =
    outcome === 'killed'
      ? 'did not answer and was forced to end; nothing that was acknowledged is lost'
      : 'has stopped';
  return report(term, asJson, { stopped: true, pid }, `The hall (pid ${pid}) ${how}.`);
}

async function ask(home: HomePaths): Promise<boolean> {
  try {
    await (await connectHall(home.root)).call('hall.stop', {});
    return true;
  } catch {
    // It does not answer, or just went: what follows looks at the process itself.
    return false;
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
