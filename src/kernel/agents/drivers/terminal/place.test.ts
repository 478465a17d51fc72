/** What a program in a sandbox is given by where it works. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestSandbox } from '../../../../../test/fixtures/test-sandbox.ts';
import { tempFolder } from '../../../../../test/help/repositories.ts';
import { silentLog } from '../../../log/log.ts';
import { projectNameSchema } from '../../../pure/ids.ts';
import { terminalIdSchema } from '../../../terminals/contract.ts';
import { shellEntry } from './plain.ts';
import { prepareTerminalAgent, type TerminalAgentParts } from './prepare.ts';
import type { PreparedTerminal, TerminalAgentRequest } from './shapes.ts';

async function prepared(more: Partial<TerminalAgentRequest>): Promise<PreparedTerminal> {
  const sandbox = await makeTestSandbox();
  onTestFinished(() => sandbox.close());
  const gateway = { baseUrl: 'http://127.0.0.1:4711', grant: undefined!, revoke: () => undefined };
  const parts: TerminalAgentParts = { gateway, sandbox, maxRetries: () => 0, environment: process.env };
  const ready = await prepareTerminalAgent(
    { log: silentLog },
    parts,
    { entry: shellEntry, settings: {} },
    {
      id: terminalIdSchema.parse('mo-1'),
      project: projectNameSchema.parse('sample'),
      folder: join(await tempFolder(), 'own'),
      cwd: await tempFolder(),
      write: false,
      isAttended: false,
      command: ['/bin/true'],
      mark: 'mark',
      ...more,
    },
  );
  onTestFinished(ready.leave);
  return ready;
}

test.each([
  [homedir(), true, 'It works in your home folder, and may read and write all that is there: your keys,'],
  [homedir(), false, 'It works in your home folder, and may read all that is there: your keys, your settings.'],
  [join(homedir(), '..'), false, 'It works in your home folder'],
])('in %s it is told what that gives away: %s', async (cwd, write, said) => {
  const { sandbox } = await prepared({ cwd, write });
  expect(sandbox.reason).toContain(said);
});

test('elsewhere nothing is to be told', async () => {
  expect((await prepared({})).sandbox.reason).toBe('');
});
