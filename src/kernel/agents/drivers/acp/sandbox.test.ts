/** The driver with every process of the agent in the real sandbox of this machine, its one way out the hall's door. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { agentScript, createAcpRig } from '../../../../../test/fixtures/acp-rig.ts';
import { makeTestSandbox } from '../../../../../test/fixtures/test-sandbox.ts';
import { benchOf, callTool, collect, lastOf, ofType, say, textOf } from '../../conformance-bench.ts';
import { defineTool } from '../../tools.ts';

/** The small agent lies in the hall's own sources, beside the packages that it needs. */
const readable = [join(dirname(agentScript), '..', '..', '..')];

test('an agent with no network but the hall has its model and the hall’s tools, and writes in its folder only [SEC-SANDBOX]', async () => {
  const settings = { mode: 'required', network: 'model-only', readable } as const;
  const sandbox = await makeTestSandbox({ settings: () => settings });
  const rig = await createAcpRig({ sandbox });
  const bench = benchOf(rig);
  const [folder, outside] = [await rig.makeFolder(), await rig.makeFolder()];
  const note = defineTool({
    name: 'note',
    description: 'Keeps a note.',
    input: { text: z.string() },
    run: async ({ text }) => Promise.resolve({ text: `kept ${text}` }),
  });
  const { session, key } = await bench.open({ cwd: folder, access: { root: folder, write: true }, tools: [note] });
  const run = (command: string) => callTool('run', { command });
  const commands = ['echo x > a.txt', `ls ${outside} && touch ${outside}/b.txt`, 'cat /proc/net/dev | wc -l'];
  rig.model.answer(key, callTool('mcp__hall__note', { text: 'this' }), ...commands.map(run), say('Done.'));
  const events = await collect(session.prompt('Go.'));
  expect(lastOf(events)).toMatchObject({ type: 'end', reason: 'done' });
  expect(textOf(events)).toBe('Done.');
  const results = ofType(events, 'tool_result');
  expect(results.map(({ ok }) => ok)).toEqual([true, true, false, true]);
  expect(results[0]).toMatchObject({ name: 'note', summary: 'kept this' });
  expect([existsSync(join(folder, 'a.txt')), existsSync(join(outside, 'b.txt'))]).toEqual([true, false]);
  await session.close();
  expect(await rig.livePids()).toEqual([]);
  await rig.close();
  await sandbox.close();
});
