/** The scenario file on disk: looked at before each answer, read again when it has changed. */
import { readFile, stat } from 'node:fs/promises';

import type { LogContext } from '../../log/log.ts';
import { parseScenario, type Scenario } from './scenario.ts';

/** What was read last, and which state of the file that was. */
export interface ScenarioFile {
  stamp?: string;
  scenario?: Scenario;
}

const none: Scenario = { entries: [], problems: [] };

/** The scenario as the file says it now. A file that cannot be read is a problem of the scenario, not a failure. */
export async function readScenario(ctx: LogContext, file: ScenarioFile, path: string | undefined): Promise<Scenario> {
  if (path === undefined) return none;
  const stamp = await stampOf(path);
  if (file.stamp === stamp && file.scenario !== undefined) return file.scenario;
  const scenario = await readFile(path, 'utf8').then(
    (source) => parseScenario(source, path),
    (error: NodeJS.ErrnoException): Scenario => {
      const message = `the scenario file cannot be read (${error.code ?? error.message})`;
      return { entries: [], problems: [{ file: path, line: 1, column: 1, message }] };
    },
  );
  for (const problem of scenario.problems) ctx.log.warn({ problem }, 'a scenario entry is left out');
  file.stamp = stamp;
  file.scenario = scenario;
  return scenario;
}

async function stampOf(path: string): Promise<string> {
  // A file that is not there is a state of its own: reading it next tells why.
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  return facts === undefined ? `${path} is not there` : `${path} ${facts.mtimeNs} ${facts.size} ${facts.ino}`;
}
