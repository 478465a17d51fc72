/** Where the hall itself writes for a program in a sandbox, the program can put nothing in the folder's place. */
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestSandbox } from '../../../../../test/fixtures/test-sandbox.ts';
import { tempFolder } from '../../../../../test/help/repositories.ts';
import { silentLog } from '../../../log/log.ts';
import { runCommand } from '../../../processes/command.ts';
import { projectNameSchema } from '../../../pure/ids.ts';
import { terminalIdSchema } from '../../../terminals/contract.ts';
import { shellEntry } from './plain.ts';
import { prepareTerminalAgent, type TerminalAgentParts } from './prepare.ts';

test('a program in a sandbox cannot put a link in the place of the folder of rests [SEC-SANDBOX]', async () => {
  const sandbox = await makeTestSandbox();
  onTestFinished(() => sandbox.close());
  const gateway = { baseUrl: 'http://127.0.0.1:4711', grant: undefined!, revoke: () => undefined };
  const parts: TerminalAgentParts = { gateway, sandbox, maxRetries: () => 0, environment: process.env };
  const folder = join(await tempFolder(), 'own');
  const script =
    'touch "$TMPDIR/rest/mine" && echo WROTE; mv "$TMPDIR/rest" "$TMPDIR/gone" || rmdir "$TMPDIR/rest" || echo HELD';
  const { request, leave } = await prepareTerminalAgent(
    { log: silentLog },
    parts,
    { entry: shellEntry, settings: {} },
    {
      id: terminalIdSchema.parse('mo-1'),
      project: projectNameSchema.parse('sample'),
      folder,
      cwd: await tempFolder(),
      write: false,
      isAttended: false,
      command: ['/bin/sh', '-c', script],
      mark: 'mark',
    },
  );
  onTestFinished(leave);
  const { file, args, cwd, env } = request;
  const { stdout, stderr } = await runCommand({ log: silentLog }, { file, args, cwd, env, timeoutMs: 20_000 });
  expect(stderr).toMatch(/busy/i);
  expect(stdout).toBe('WROTE\nHELD\n');
});
