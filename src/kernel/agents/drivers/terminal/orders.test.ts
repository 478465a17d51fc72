import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestSandbox } from '../../../../../test/fixtures/test-sandbox.ts';
import { tempFolder } from '../../../../../test/help/repositories.ts';
import { systemClock, systemIds } from '../../../clock/clock.ts';
import { silentLog } from '../../../log/log.ts';
import { projectNameSchema } from '../../../pure/ids.ts';
import { terminalIdSchema } from '../../../terminals/contract.ts';
import { createSandbox } from '../../sandbox/sandbox.ts';
import { aiderEntry } from './aider.ts';
import { prepareTerminalAgent, type TerminalAgentParts } from './prepare.ts';

const ctx = { clock: systemClock, ids: systemIds, log: silentLog };

test.each([
  ['.aider.conf.yml', 'off', false, true],
  ['.env', 'off', false, true],
  ['.aider.conf.yml', 'off', true, false],
  ['.aider.conf.yml', 'required', false, false],
  ['README.md', 'off', false, false],
] as const)(
  'aider beside %s, sandbox %s, wanted without one %s: refused %s',
  async (file, mode, unsandboxed, isRefused) => {
    const settings = () => ({ mode, network: 'full', readable: [] }) as const;
    const options = { folder: await tempFolder(), hidden: [], repositoryOf: () => undefined, settings };
    const sandbox = mode === 'off' ? createSandbox(ctx, options) : await makeTestSandbox({ settings });
    onTestFinished(() => sandbox.close());
    const model = { baseUrl: 'http://127.0.0.1:4711', token: 'gh-token', model: 'm' };
    const gateway = { baseUrl: model.baseUrl, grant: () => model, revoke: () => undefined };
    const parts: TerminalAgentParts = { gateway, sandbox, maxRetries: () => 0, environment: process.env };
    const root = await tempFolder();
    const cwd = join(root, 'deep');
    mkdirSync(join(root, '.git'));
    mkdirSync(cwd);
    writeFileSync(join(root, file), 'load: orders.txt');
    const preparing = prepareTerminalAgent(
      { log: silentLog },
      parts,
      { entry: aiderEntry, settings: { command: ['/bin/true'] } },
      {
        id: terminalIdSchema.parse('mo-1'),
        project: projectNameSchema.parse('sample'),
        folder: join(await tempFolder(), 'own'),
        cwd,
        write: true,
        unsandboxed,
        isAttended: true,
        mark: 'mark',
      },
    );
    if (isRefused) await expect(preparing).rejects.toMatchObject({ facts: { code: 'conflict' } });
    else await expect(preparing.then(({ leave }) => leave())).resolves.toBeUndefined();
  },
);
