/** Gatherings through the tools of agents: begun, looked at, passed, ended by whoever a terminal's token says it is. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdersIn, openCircle, type Part, type TestCircle } from '../help/gatherings.ts';
import { callTool, connectMcp } from '../help/mcp.ts';
import { programFile, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { tempFolder } from '../help/repositories.ts';

useBuiltProgram();

const timeoutMs = 120_000;

/** Speaks when it is asked, without an end of its own: who holds the piece keeps it. */
const keeps: Part = { turns: ['I think.', 'I think on.', 'I have thought.'] };

/** A program that is no member: it leaves its token, and stays. */
async function startHost({ hall }: TestCircle): Promise<string> {
  const told = join(await tempFolder(), 'told');
  await hall.client.call('terminal.start', {
    toAgents: true,
    project: 'tally',
    name: 'host',
    command: ['sh', '-c', `printf "%s\\n" "$GUILD_HALL_MCP_TOKEN" > '${told}'; exec sleep 600`],
  });
  await waitUntil(() => existsSync(told) && readFileSync(told, 'utf8').endsWith('\n'));
  return readFileSync(told, 'utf8').trim();
}

/** As a program in a terminal starts it. */
async function connectBridge({ hall: { url } }: TestCircle, token: string): Promise<Client> {
  const bridge = new Client({ name: 'a-test', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', GUILD_HALL_MCP_URL: `${url}/mcp`, GUILD_HALL_MCP_TOKEN: token };
  const transport = new StdioClientTransport({ command: process.execPath, args: [programFile(), 'mcp'], env });
  await bridge.connect(transport as Parameters<Client['connect']>[0]);
  onTestFinished(async () => await bridge.close());
  return bridge;
}

const wish = {
  rhythm: 'daily',
  participants: ['Ada=circle', 'Ben=circle'],
  harvester: 'Hal=circle',
  opening_question: 'What is alive?',
  structure: '1-1-1',
  beats_per_turn: 2,
  beat_interval_seconds: 300,
};
const names = async (circle: TestCircle): Promise<string[]> =>
  (await circle.terminals()).map(({ name }) => name).toSorted();

test(
  'over the stdio bridge and over HTTP the tools have one form, and what does not fit names its field [GTH-TOOL-1, GTH-TOOL-2, GTH-TOOL-3, GTH-TOOL-7, GTH-HARVEST-1, GTH-GUARD-5]',
  async () => {
    const circle = await openCircle({});
    const token = await startHost(circle);
    const { client, call } = await connectMcp({ url: circle.hall.url, token });
    const bridge = await connectBridge(circle, token);

    const own = ['start_gathering', 'gathering_status', 'pass_piece', 'end_gathering', 'gathering_rhythms'];
    for (const each of [client, bridge]) {
      const { tools } = await each.listTools();
      const listed = tools.map(({ name }) => name);
      expect(listed).toEqual(expect.arrayContaining(own));
      // What the person alone does is offered to no agent.
      expect(listed.filter((name) => name.startsWith('gathering_')).toSorted()).toEqual([
        'gathering_rhythms',
        'gathering_status',
      ]);
      const schema = tools.find(({ name }) => name === 'start_gathering')!.inputSchema;
      expect(Object.keys(schema.properties!)).toEqual(
        expect.arrayContaining([...Object.keys(wish), 'human', 'structure', 'keep_terminals']),
      );
      expect(schema.required?.toSorted()).toEqual(['harvester', 'opening_question', 'participants', 'rhythm']);
      expect(schema['additionalProperties']).toBe(false);
    }
    const { opening_question: _question, ...without } = wish;
    const wrong: [string, object][] = [
      ['opening_question', without],
      ['harvester', { ...wish, harvester: ['Hal=circle', 'Hugo=circle'] }],
      ['harvester', { ...wish, harvester: 'Hal=circle,Hugo=circle' }],
      ['harvester', { ...wish, harvester: undefined }],
      ['structure', { ...wish, structure: '2-2' }],
      ['beat_interval_seconds', { ...wish, beat_interval_seconds: 0 }],
      ['beats_per_turn', { ...wish, beats_per_turn: 0 }],
      ['participants', { ...wish, participants: ['Ada=circle'] }],
      ['participants', { ...wish, participants: ['Ada=circle', 'Nobody'] }],
      ['harvester', { ...wish, harvester: 'Nobody' }],
    ];
    const refused = await Promise.all(
      wrong.map(async ([field, input]) => {
        const { isError, text } = await call('start_gathering', input as Record<string, unknown>);
        return [field, isError, text.includes(`"${field}"`)];
      }),
    );
    expect(refused).toEqual(wrong.map(([field]) => [field, true, true]));
    expect((await callTool(bridge, 'start_gathering', { ...wish, beats_per_turn: 0 })).text).toContain(
      '"beats_per_turn"',
    );
    expect((await call('start_gathering', { ...wish, rhythm: 'hourly' })).text).toMatch(
      /no rhythm "hourly"; there are: daily/,
    );
    // Nothing was started for any of them.
    expect(await names(circle)).toEqual(['host']);
    expect((await call('gathering_rhythms')).text).toContain('weekly');
  },
  timeoutMs,
);

test(
  'over the bridge one call begins it; it is looked at, passed and ended there as by the other door [GTH-TOOL-1, GTH-TOOL-6, GTH-TOOL-8, GTH-TOOL-10]',
  async () => {
    const circle = await openCircle({ Ada: keeps, Ben: keeps, Hal: { harvest: ['## What emerged\nWe think.'] } });
    await Promise.all(['Ada', 'Ben', 'Hal'].map(async (name) => await circle.start(name)));
    const host = await connectBridge(circle, await startHost(circle));
    const begun = await callTool(host, 'start_gathering', { ...wish, participants: ['Ada', 'Ben'], harvester: 'Hal' });
    expect(begun.text).toContain('✓ The gathering has begun');
    const id = String(begun.value['id']);
    const seats = [
      { number: 1, name: 'Ada', role: 'speaker', isPerson: false },
      { number: 2, name: 'Ben', role: 'speaker', isPerson: false },
      { number: 3, name: 'Hal', role: 'harvester', isPerson: false },
    ];
    const own = { id, rhythm: 'daily', question: 'What is alive?', stage: 'inhale', round: 1, rounds: 1, beats: 2 };
    expect(begun.value).toMatchObject({ ...own, beat: 0, holder: { name: 'Ada', number: 1 }, you: null, seats });
    await circle.untilHolds(id, 'Ada');
    const ada = await connectBridge(circle, await circle.tokenOf('Ada'));
    const ben = await connectMcp({ url: circle.hall.url, token: await circle.tokenOf('Ben') });
    const status = await callTool(ada, 'gathering_status', {});
    expect(status.value).toMatchObject({ ...own, you: 1 });
    expect(status.text).toContain('◆ 1 Ada (you)  has the piece');
    expect((await ben.call('gathering_status')).value).toMatchObject({ ...own, you: 2 });
    // Nobody passes for another, whatever they say they are.
    expect(await callTool(host, 'pass_piece', { id })).toMatchObject({ isError: true, value: { code: 'forbidden' } });
    expect(await ben.call('pass_piece', { id })).toMatchObject({ isError: true, value: { code: 'forbidden' } });
    await waitUntil(async () => (await circle.show(id)).messages.some(({ kind }) => kind === 'words'));
    expect((await callTool(ada, 'pass_piece', { to: 'Ben' })).isError).toBe(false);
    await circle.untilHolds(id, 'Ben');
    expect((await callTool(host, 'end_gathering', { id })).value).toMatchObject({ stage: 'closing', holder: null });
    const view = await circle.untilClosed(id);
    expect(holdersIn(view)).toEqual(['Ada', 'Ben']);
    expect((await callTool(host, 'gathering_status', { id })).text).toContain('✓ The trail: .lore/gatherings/daily.md');
    expect((await ben.call('end_gathering', { id })).value).toMatchObject({ code: 'conflict' });
    expect((await ben.call('gathering_status', { id: 'none-such' })).value).toMatchObject({ code: 'forbidden' });
  },
  timeoutMs,
);
