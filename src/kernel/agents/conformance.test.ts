import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const drivers = join(import.meta.dirname, 'drivers');
const names = readdirSync(drivers).filter((name) => existsSync(join(drivers, name, 'driver.ts')));

test('the test of each driver runs the whole suite that all share, and switches nothing of it off [SYS-DRIVER]', () => {
  expect(names).toContain('claude');
  for (const name of names) {
    const own = readFileSync(join(drivers, name, 'driver.test.ts'), 'utf8');
    expect(own).toMatch(new RegExp(`^describeConformance\\('${name}', `, 'm'));
  }
  for (const part of ['conformance', 'conformance-turns', 'conformance-failures', 'conformance-asking']) {
    expect(readFileSync(join(import.meta.dirname, `${part}.ts`), 'utf8')).not.toMatch(
      /\.(skip|todo|only|skipIf|runIf)\b/,
    );
  }
});
