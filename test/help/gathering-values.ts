/** A gathering at its close, and what its harvest is kept with. Without a test's own folders: programs of test/fixtures use it, too. */
import { join } from 'node:path';
import { type Gathering, gatheringSchema } from '../../src/features/gatherings/contract/gathering.ts';
import type { HarvestContext } from '../../src/features/gatherings/harvest/plan.ts';
import { systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { createLocks } from '../../src/kernel/locks/locks.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { homePaths } from '../../src/kernel/projects/home.ts';
import { defaultConfig } from '../../src/kernel/projects/settings.ts';
import { projectNameSchema } from '../../src/kernel/pure/ids.ts';
import { scrub } from '../../src/kernel/secrets/scrub.ts';

/** `folder` has `home` and `repository` in it. */
export function harvestContext(folder: string): HarvestContext {
  const home = homePaths(join(folder, 'home'));
  const project = { name: projectNameSchema.parse('sample'), path: join(folder, 'repository') };
  const config = { ...defaultConfig, projects: [project] };
  return {
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    locks: createLocks(),
    home,
    config: () => config,
    scrub,
    isRehearsal: () => false,
  };
}

const seat = { isSpawned: false, state: 'here' } as const;
export const circle: Gathering['seats'] = gatheringSchema.shape.seats.parse([
  { ...seat, number: 1, name: 'Ada', role: 'speaker', terminal: 'ada-20261122-140000-aaaa' },
  { ...seat, number: 2, name: 'Bo', role: 'speaker', terminal: 'bo-20261122-140000-bbbb' },
  { ...seat, number: 3, name: 'Mo', role: 'speaker', terminal: null },
  { ...seat, number: 4, name: 'Hal', role: 'harvester', terminal: 'hal-20261122-140000-cccc' },
]);

/** Of 22 November 2026: all rounds were held, the harvester was asked. */
export function atClose(change: Partial<Gathering> = {}): Gathering {
  return gatheringSchema.parse({
    id: 'what-is-alive-20261122-140000-k3f9',
    project: 'sample',
    rhythm: 'daily',
    question: 'What is alive?',
    structure: { inhale: 1, hold: 1, exhale: 1 },
    beatsPerTurn: 3,
    beatIntervalSeconds: 60,
    graceSeconds: 20,
    extraBeats: 2,
    harvestSeconds: 300,
    startedBy: 'person',
    startedAt: '2026-11-22T14:00:00.000Z',
    seats: circle,
    stage: 'closing',
    round: 0,
    spoken: [],
    turn: null,
    kept: [],
    close: { why: { kind: 'rounds' }, at: '2026-11-22T14:30:00.000Z' },
    harvest: null,
    end: null,
    outbox: [],
    ...change,
  });
}

/** As it is asked for. */
export const wholeHarvest = `## What emerged
Nobody had said aloud that the build is too slow.

## What is known now
Half of the circle would drop the cache. **Bo** would not.

## Next thread
What would we do with an hour more a day?

## Individual, tangible
- Ada measures the build, by Friday.
  With the cache and without it.
- [ ] Bo writes the numbers down

## Collective, tangible
- \`docs/build.md\`: a section on the cache

## Individual, intangible
- The cache was put in for a machine that is gone.

## Collective, intangible
- A build that nobody waits for
`;
