/**
 * What every driver must do, as tests. A driver's own test calls `describeConformance` with a rig; the model behind the
 * rig is scripted, so that each test knows every word, and the agent's program is the real one.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { describeAsking } from './conformance-asking.ts';
import { type Bench, benchOf, type ConformanceRig } from './conformance-bench.ts';
import { describeFailures } from './conformance-failures.ts';
import { describeTurns } from './conformance-turns.ts';

export function describeConformance(name: string, createRig: () => Promise<ConformanceRig>): void {
  describe(`conformance of the driver ${name}`, () => {
    let bench: Bench;
    beforeAll(async () => {
      bench = benchOf(await createRig());
    });
    afterAll(async () => {
      await bench.driver.stop();
      await bench.close();
    });
    describeTurns(() => bench);
    describeFailures(() => bench);
    describeAsking(() => bench);
  });
}
