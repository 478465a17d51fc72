/** Opens the parts of the kernel that everything else stands on. */
import { join, relative, sep } from 'node:path';
import { removeStaleTempFiles } from '../kernel/artifacts/write.ts';
import { createBackground } from '../kernel/background/background.ts';
import { systemClock, systemIds } from '../kernel/clock/clock.ts';
import { openEventStream } from '../kernel/events/events.ts';
import { createLocks } from '../kernel/locks/locks.ts';
import type { Log } from '../kernel/log/log.ts';
import { openConfig } from '../kernel/projects/config.ts';
import { readyToFind } from '../kernel/secrets/find.ts';
import type { HomePaths } from '../kernel/projects/home.ts';
import type { KernelContext } from './context.ts';
import type { Stage } from './stage.ts';

/** How long background work may take to end when the hall stops. Milliseconds. */
const backgroundGraceMs = 10_000;

export function hallLockPath(home: HomePaths): string {
  return join(home.state, 'hall.lock');
}

/**
 * The hall writes everywhere in its home, but of checkouts only in `.lore/`; the rest of them is the repository's and
 * may be very large.
 */
export function mayHoldTempFiles(home: HomePaths, folder: string): boolean {
  const [top, ...below] = relative(home.root, folder).split(sep);
  if (top === 'sample') return false;
  if (top === 'projects') return below.length < 2 || below[1] === '.lore';
  if (top === 'worktrees') return below.length < 3 || below[2] === '.lore';
  return true;
}

/** The home exists and its lock is held. Files that a killed hall left half-written are removed. */
export async function openKernel(home: HomePaths, log: Log, stage: Stage): Promise<KernelContext> {
  await readyToFind();
  await removeStaleTempFiles(home.root, (folder) => mayHoldTempFiles(home, folder));
  const base = { clock: systemClock, ids: systemIds, log };
  const events = await openEventStream(base, home.events);
  stage.opened('events', () => events.close());
  const background = createBackground(log);
  stage.opened('background', async () => {
    const late = await background.stop(backgroundGraceMs);
    if (late.length > 0) log.warn({ late }, 'background work did not end in time');
  });
  const running = { ...base, spawn: background.spawn };
  const settings = await openConfig(running, home, ({ problems }) => {
    log.info({ problems: problems.length }, 'config.yaml was changed');
    events.publish({ type: 'config.changed', project: null, subject: null, data: { problems: [...problems] } });
  });
  stage.opened('config', settings.close);
  const { config, changeConfig, problems } = settings;
  const { ask: askToEnd } = background;
  return { ...running, askToEnd, locks: createLocks(), events, home, config, changeConfig, configProblems: problems };
}
