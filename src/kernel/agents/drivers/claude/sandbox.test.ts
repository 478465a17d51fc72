/** The driver with every process of the agent in the real sandbox of this machine. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClaudeRig, type ClaudeRig } from '../../../../../test/fixtures/claude-rig.ts';
import { makeTestSandbox } from '../../../../../test/fixtures/test-sandbox.ts';
import { makeRepository } from '../../../../../test/help/repositories.ts';
import { systemClock, systemIds } from '../../../clock/clock.ts';
import { silentLog } from '../../../log/log.ts';
import { describeConformance } from '../../conformance.ts';
import { benchOf, callTool, collect, lastOf, ofType, say, textOf } from '../../conformance-bench.ts';
import { createSandbox } from '../../sandbox/sandbox.ts';

async function rigInSandbox(): Promise<ClaudeRig> {
  const sandbox = await makeTestSandbox();
  const rig = await createClaudeRig({}, { sandbox });
  return {
    ...rig,
    close: async () => {
      await rig.close();
      await sandbox.close();
    },
  };
}

describeConformance('claude in a sandbox', rigInSandbox);

test('one who may only read has a shell that can only read [SEC-SANDBOX, SEC-SANDBOX-SHELL]', async () => {
  const rig = await rigInSandbox();
  onTestFinished(() => rig.close());
  const bench = benchOf(rig);
  const { session, key, options } = await bench.open({ builtInTools: ['Bash'] });
  writeFileSync(join(options.cwd, 'a.txt'), 'the words');
  const commands = ['cat a.txt', 'echo x > b.txt', 'echo x >> a.txt'];
  rig.model.answer(
    key,
    ...commands.map((command) => callTool('Bash', { command })),
    callTool('Bash', { command: 'ls', run_in_background: true }),
    say('Done.'),
  );
  const events = await collect(session.prompt('Go.'));
  const results = ofType(events, 'tool_result');
  expect(results.map(({ ok }) => ok)).toEqual([true, false, false, false]);
  expect(results[0]!.summary).toBe('the words');
  expect(results[1]!.summary).toMatch(/read-only file system/i);
  expect(readdirSync(options.cwd)).toEqual(['a.txt']);
  expect(textOf(events)).toBe('Done.');
  await session.close();
});

test('in the person’s own checkout its shell changes files, and neither git’s own nor those of a skill that it reads [SEC-SANDBOX]', async () => {
  const repository = await makeRepository({ files: { 'a.txt': 'the words\n' } });
  const sandbox = await makeTestSandbox({ repositoryOf: () => repository.path });
  const rig = await createClaudeRig({}, { sandbox });
  onTestFinished(async () => {
    await rig.close();
    await sandbox.close();
  });
  const plugin = join(import.meta.dirname, '../../../../../plugin');
  const { session, key } = await benchOf(rig).open({
    cwd: repository.path,
    access: { root: repository.path, write: true },
    builtInTools: ['Bash'],
    plugins: [plugin],
  });
  const commands = [
    ['echo x >> a.txt', true],
    ['git status --short', true],
    [`cat ${plugin}/skills/conclave/references/next.md`, true],
    ['echo x >> .git/config', false],
    ['echo x > .git/hooks/post-checkout', false],
    ['mv .git .old', false],
    [`echo x > ${plugin}/skills/x`, false],
  ] as const;
  rig.model.answer(key, ...commands.map(([command]) => callTool('Bash', { command })), say('Done.'));
  const results = ofType(await collect(session.prompt('Go.')), 'tool_result');
  expect(results.map(({ ok }, index) => [commands[index]![0], ok])).toEqual(commands);
  expect(results[1]!.summary).toContain('a.txt');
  expect(results[2]!.summary).toContain('metaContext');
  await session.close();
});

test('where a sandbox is required and there is none, the turn fails with what to type [SEC-SANDBOX-STATE]', async () => {
  const settings = { mode: 'required', network: 'full', readable: [] } as const;
  const options = { settings: () => settings, hidden: [], repositoryOf: () => undefined, path: '/nowhere' };
  const context = { clock: systemClock, ids: systemIds, log: silentLog };
  const sandbox = createSandbox(context, { ...options, folder: '/nowhere/at/all' });
  const rig = await createClaudeRig({}, { sandbox });
  onTestFinished(() => rig.close());
  const { session } = await benchOf(rig).open();
  expect(lastOf(await collect(session.prompt('Go.')))).toMatchObject({
    type: 'error',
    message: 'No agent is started without a sandbox: bubblewrap (bwrap) is not installed.',
    hint: expect.stringContaining('bubblewrap'),
  });
  expect(rig.model.requests('key-1')).toEqual([]);
  await session.close();
});
