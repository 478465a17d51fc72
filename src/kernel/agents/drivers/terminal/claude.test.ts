/** The real Claude Code CLI in real terminals, before the hall's own gateway and rehearsal, in the real sandbox. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { waitUntil } from '../../../../../test/help/programs.ts';
import {
  type AgentBench,
  closeAgentBench,
  openAgentBench,
  send,
  spoken,
  startLive,
  tell,
  untilStatus,
} from '../../../../../test/help/terminal-agents.ts';
import { systemClock } from '../../../clock/clock.ts';
import { findProcessesByMark } from '../../../processes/marks.ts';
import type { TerminalId } from '../../../terminals/contract.ts';
import { endTerminal, receiptOf, screenOf, statusOf, typeInto } from '../../../terminals/terminals.ts';
import { terminalMark } from '../../../terminals/tmux/leftovers.ts';
import { claudeEntry } from './claude.ts';

// Alone each takes some two seconds.
vi.setConfig({ testTimeout: 60_000 });

let bench: AgentBench;
beforeAll(async () => {
  process.env['A_SECRET_OF_THE_PERSON'] = 'sk-ant-the-persons-own';
  bench = await openAgentBench({ network: 'model-only' });
});
afterAll(async () => closeAgentBench(bench));

/** All files below, with their text. */
function filesBelow(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'utf8')]);
}

/** A key that comes as soon as a question is shown is not taken for an answer by the program; then a person presses it again. */
async function answer({ id }: { id: TerminalId }, key: string): Promise<void> {
  const { terminals } = bench.hall;
  const isAsked = (): boolean => statusOf(terminals, id).status === 'dialog';
  while (isAsked()) {
    await typeInto(terminals, id, key);
    for (let look = 0; look < 40 && isAsked(); look += 1) await systemClock.sleep(50);
  }
}

test('it takes a message of 40 lines once, and its answer is heard whole [GTH-RELAY-11]', async () => {
  const answer = Array.from({ length: 120 }, (_, at) => `The ${at}th line of a long answer.`).join('\n');
  bench.play(`- match: line 39\n  say: ${JSON.stringify(answer)}`);
  const agent = await startLive(bench, claudeEntry);
  await untilStatus(bench, agent, 'idle');
  expect(agent.prepared.sandbox).toEqual({ kind: 'bubblewrap', reason: '' });
  const before = bench.asked().length;
  const text = `Mira (1):\n\n${Array.from({ length: 40 }, (_, at) => `This is line ${at}; -l $(x) \`y\``).join('\n')}`;
  expect(await tell(bench, agent, text)).toMatchObject({ state: 'delivered' });
  await waitUntil(() => spoken(bench, agent).length > 0);
  expect(spoken(bench, agent)).toEqual([answer]);
  const said = bench
    .asked()
    .slice(before)
    .filter((words) => words.includes('This is line 39'));
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(text);
  await untilStatus(bench, agent, 'idle');
  const files = filesBelow(join(agent.folder, 'config'));
  expect(files.map(([path]) => path.slice(agent.folder.length))).toContain('/config/.claude.json');
  // It fetches no plugins of its maker.
  expect(existsSync(join(agent.folder, 'config/plugins/marketplaces'))).toBe(false);
  const keys = [agent.prepared.kept.modelToken!, 'sk-ant-the-persons-own', agent.mcpToken];
  expect(files.filter(([, kept]) => keys.some((key) => kept.includes(key)))).toEqual([]);
  expect(statSync(join(agent.folder, 'config')).mode & 0o777).toBe(0o700);
  await endTerminal(bench.hall.terminals, agent.id);
  await waitUntil(async () => (await findProcessesByMark(terminalMark, agent.mark)).length === 0);
  await agent.prepared.leave();
  expect(existsSync(join(agent.folder, 'config'))).toBe(false);
});

test('in its sandbox it works unasked, sees nothing of the person’s, and reaches the hall’s door [SEC-SANDBOX]', async () => {
  const look = `touch made; env | grep -c PERSON; ls ${realpathSync(bench.hall.folder)}; curl -sm 2 http://1.1.1.1; true`;
  bench.play(
    `- match: work\n  do:\n    - call: { tool: Bash, input: { command: ${JSON.stringify(look)}, description: x } }\n    - say: Done so.`,
  );
  const agent = await startLive(bench, claudeEntry, { isAttended: false });
  await tell(bench, agent, 'work');
  await waitUntil(() => spoken(bench, agent).length > 0);
  expect(spoken(bench, agent)).toEqual(['Done so.']);
  expect(readdirSync(agent.cwd)).toEqual(['made']);
  const results =
    bench
      .asked()
      .filter((words) => words.includes('tool_result'))
      .at(-1) ?? '';
  expect(results).not.toContain('hall.sock');
  await waitUntil(() => bench.knocks().includes(`POST /mcp Bearer ${agent.mcpToken}`));
});

test('a question holds what comes until the person answers it [GTH-RELAY-13]', async () => {
  bench.play(
    [
      '- match: touch it',
      '  do:',
      `    - call: { tool: Bash, input: { command: 'touch made', description: 'make a file' } }`,
      '    - say: It is touched.',
      '- match: and then',
      '  say: And then nothing.',
    ].join('\n'),
  );
  const agent = await startLive(bench, claudeEntry, { unsandboxed: true });
  expect(agent.prepared.sandbox.kind).toBe('none');
  await tell(bench, agent, 'touch it');
  await untilStatus(bench, agent, 'dialog');
  await waitUntil(() =>
    /touch made[^]*Do you want to proceed\?$/.test(statusOf(bench.hall.terminals, agent.id).question ?? ''),
  );
  const id = await send(bench, agent, 'and then');
  // Whoever sits there looks at it first; what waits is not typed meanwhile.
  await waitUntil(() => statusOf(bench.hall.terminals, agent.id).waiting === 1);
  expect(readdirSync(agent.cwd)).toEqual([]);
  expect(receiptOf(bench.hall.terminals, agent.id, id)).toEqual({ state: 'queued' });
  await answer(agent, '1');
  await waitUntil(() => spoken(bench, agent).length === 2);
  expect(spoken(bench, agent)).toEqual(['It is touched.', 'And then nothing.']);
  expect(readdirSync(agent.cwd)).toEqual(['made']);
});

test('while it works what comes waits, and is taken in order [GTH-RELAY-17]', async () => {
  bench.play('- match: slow\n  do:\n    - wait: 1 s\n    - say: Slow enough.\n- match: /second|third/\n  say: Quick.');
  const agent = await startLive(bench, claudeEntry);
  const ids = [];
  for (const text of ['a slow one', 'the second', 'the third']) ids.push(await send(bench, agent, text));
  await untilStatus(bench, agent, 'busy');
  expect(statusOf(bench.hall.terminals, agent.id).waiting).toBeGreaterThanOrEqual(2);
  await waitUntil(() => spoken(bench, agent).length === 3);
  expect(spoken(bench, agent)).toEqual(['Slow enough.', 'Quick.', 'Quick.']);
  for (const id of ids) expect(receiptOf(bench.hall.terminals, agent.id, id)).toMatchObject({ state: 'delivered' });
  const turns = bench.asked().at(-1)!;
  expect(turns.indexOf('the second')).toBeLessThan(turns.indexOf('the third'));
});

test('killed, it tells its end, and nothing of it lives on', async () => {
  const agent = await startLive(bench, claudeEntry);
  await untilStatus(bench, agent, 'idle');
  const pids = await findProcessesByMark(terminalMark, agent.mark);
  expect(pids.length).toBeGreaterThan(0);
  for (const { pid } of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with another one.
    }
  }
  await untilStatus(bench, agent, 'ended');
  expect(bench.hall.ends.filter(({ terminal }) => terminal === agent.id)).toHaveLength(1);
  await endTerminal(bench.hall.terminals, agent.id);
  await waitUntil(async () => (await findProcessesByMark(terminalMark, agent.mark)).length === 0);
});

test('its screen keeps the whole of a long answer', async () => {
  const lines = Array.from({ length: 90 }, (_, at) => `row ${at} of it`);
  bench.play(`- match: long\n  say: ${JSON.stringify(lines.join('\n\n'))}`);
  const agent = await startLive(bench, claudeEntry);
  await tell(bench, agent, 'long');
  await waitUntil(() => spoken(bench, agent).length > 0);
  await untilStatus(bench, agent, 'idle');
  const shown = screenOf(bench.hall.terminals, agent.id).lines.join('\n');
  for (const line of lines) expect(shown).toContain(line);
});

test('words that begin like a command of its own arrive as words, and none is run', async () => {
  bench.play('- match: /made|help|memory|package/\n  say: I have read it.');
  const agent = await startLive(bench, claudeEntry);
  const texts = ['!touch made', '/help', ' # memory', '@package.json', '/no-such-command made'];
  for (const [at, text] of texts.entries()) {
    expect(await tell(bench, agent, text)).toMatchObject({ state: 'delivered' });
    await waitUntil(() => spoken(bench, agent).length === at + 1);
    expect(bench.asked().at(-1)).toContain(text);
  }
  expect(readdirSync(agent.cwd)).toEqual([]);
  expect(new Set(spoken(bench, agent))).toEqual(new Set(['I have read it.']));
});
