import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type ClaudeRig, createClaudeRig } from '../../../../../test/fixtures/claude-rig.ts';
import {
  type Bench,
  benchOf,
  callTool,
  collect,
  ofType,
  type Opened,
  say,
  sessionOf,
  textOf,
} from '../../conformance-bench.ts';
import type { OpenOptions, PermissionRequest } from '../../contract.ts';
import { isOnlyBegun, newAgentSessionId } from './begun.ts';
import { type Chosen, decideByMode, type Mode } from './modes.ts';

const plugin = join(import.meta.dirname, '../../../../../plugin');

describe('what a mode lets go', () => {
  const tools = ['Read', 'Grep', 'TodoWrite', 'Edit', 'Write', 'Bash', 'WebFetch', 'mcp__other__x', 'mcp__hall__x'];
  test.each<[Mode, string]>([
    ['ask', 'go go go ask ask ask ask ask go'],
    ['edits', 'go go go go go ask ask ask go'],
    ['auto', 'go go go go go go go go go'],
    ['plan', 'go go go refuse refuse refuse ask refuse go'],
  ])('%s', (mode, outcomes) => {
    const chosen: Chosen = { mode, always: new Set(), told: new Map() };
    expect(tools.map((tool) => decideByMode(chosen, tool)).join(' ')).toBe(outcomes);
  });

  test.each(['.claude/settings.json', '/p/.vscode/tasks.json', '/p/sub/.envrc', '/p/.gitattributes', '.mcp.json'])(
    '%s is what other programs run: it is asked for, also where edits go',
    (path) => {
      const always = new Set(['Write']);
      for (const mode of ['ask', 'edits'] as const) {
        expect(decideByMode({ mode, always, told: new Map() }, 'Write', { file_path: path })).toBe('ask');
        expect(decideByMode({ mode, always, told: new Map() }, 'Write', { file_path: '/p/src/claude.ts' })).toBe('go');
      }
    },
  );

  test('what was allowed for the session goes, but not while only a plan is wanted', () => {
    const chosen = { always: new Set(['Bash']), told: new Map() };
    expect(decideByMode({ ...chosen, mode: 'ask' }, 'Bash')).toBe('go');
    expect(decideByMode({ ...chosen, mode: 'ask' }, 'Write')).toBe('ask');
    expect(decideByMode({ ...chosen, mode: 'plan' }, 'Bash')).toBe('refuse');
  });
});

test('an id of a session has the one form that the program takes, and is none that was begun', async () => {
  const ids = { random: () => '', secret: () => Buffer.alloc(32, 0xff).toString('base64url') };
  expect(newAgentSessionId({ ids })).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(await isOnlyBegun('/not/there', newAgentSessionId({ ids }))).toBe(false);
});

describe('the claude driver and the person', () => {
  let rig: ClaudeRig;
  let bench: Bench;
  beforeAll(async () => {
    rig = await createClaudeRig();
    bench = benchOf(rig);
  });
  afterAll(async () => {
    await rig.close();
  });

  async function openWriter(ask: OpenOptions['ask'], more: Partial<OpenOptions> = {}): Promise<Opened> {
    const folder = await rig.makeFolder();
    const builtInTools = ['Read', 'Write', 'Edit', 'Bash', 'TodoWrite'];
    const options = { cwd: folder, access: { root: folder, write: true }, builtInTools, ...more };
    return bench.open(ask === undefined ? options : { ...options, ask });
  }

  test('what the gate denies is never asked, whatever the mode [SEC-PATHS]', async () => {
    const asked: PermissionRequest[] = [];
    const { session, key } = await openWriter(async (request) => {
      asked.push(request);
      return await Promise.resolve({ optionId: 'allow' });
    });
    const outside = join(await rig.makeFolder(), 'outside.txt');
    const { sessionId } = await session.begin!();
    const calls = [callTool('Write', { file_path: outside, content: 'x' }), callTool('Bash', { command: 'ls' })];
    for (const mode of ['ask', 'auto']) {
      await session.choose!(sessionId, 'mode', mode);
      rig.model.answer(key, ...calls, say('So be it.'));
      const events = await collect(session.prompt('Go.', { resume: sessionId }));
      expect(ofType(events, 'permission').map(({ answer }) => answer)).toEqual(['denied', 'denied']);
    }
    expect([asked, existsSync(outside)]).toEqual([[], false]);
    await session.close();
  });

  test('a plan changes nothing and asks for nothing; on its own it does both without asking', async () => {
    const asked: PermissionRequest[] = [];
    const { session, key, options } = await openWriter(async (request) => {
      asked.push(request);
      return await Promise.resolve('cancelled');
    });
    const file_path = join(options.cwd, 'a.txt');
    const { sessionId } = await session.begin!();
    await session.choose!(sessionId, 'mode', 'plan');
    rig.model.answer(key, callTool('Write', { file_path, content: 'x' }), say('I would write.'));
    const planned = await collect(session.prompt('Go.', { resume: sessionId }));
    expect(ofType(planned, 'tool_result')).toMatchObject([
      { ok: false, summary: expect.stringContaining('Plan only') },
    ]);
    expect(rig.model.requests(key)[0]?.conversation).toContain('Plan only');
    await session.choose!(sessionId, 'mode', 'auto');
    rig.model.answer(key, callTool('Write', { file_path, content: 'x' }), say('Written.'));
    await collect(session.prompt('Go.', { resume: sessionId }));
    expect([readFileSync(file_path, 'utf8'), asked]).toEqual(['x', []]);
    await session.close();
  });

  test('calls bear what they do: title, kind, the change of the file, before and after', async () => {
    const asked: PermissionRequest[] = [];
    const { session, key, options } = await openWriter(async (request) => {
      asked.push(request);
      return await Promise.resolve({ optionId: 'allow' });
    });
    const file_path = join(options.cwd, 'a.txt');
    writeFileSync(file_path, 'old\n');
    const todos = [{ content: 'Look', status: 'in_progress', activeForm: 'Looking' }];
    rig.model.answer(
      key,
      callTool('Read', { file_path }),
      callTool('Write', { file_path, content: 'new\n' }),
      callTool('Edit', { file_path, old_string: 'new', new_string: 'newer' }),
      callTool('TodoWrite', { todos }),
      say('Done.'),
    );
    const events = await collect(session.prompt('Change it.'));
    const calls = ofType(events, 'tool_call').map(({ title, kind }) => `${kind}: ${title}`);
    expect(calls.slice(0, 3)).toEqual(['read: Read a.txt', 'edit: Write a.txt', 'edit: Edit a.txt']);
    expect(asked.map(({ diffs }) => diffs)).toEqual([
      [{ path: file_path, oldText: 'old\n', newText: 'new\n' }],
      [{ path: file_path, oldText: 'new', newText: 'newer' }],
    ]);
    expect(ofType(events, 'tool_result').map(({ diffs }) => diffs)).toEqual([
      undefined,
      [{ path: file_path, oldText: 'old\n', newText: 'new\n' }],
      [{ path: file_path, oldText: 'new', newText: 'newer' }],
      undefined,
    ]);
    expect(ofType(events, 'plan')).toEqual([{ type: 'plan', entries: [{ text: 'Look', status: 'in_progress' }] }]);
    expect(ofType(events, 'choices').length).toBe(1);
    await session.close();
  });

  test('tools of a server that the hall names are the agent’s too, with its headers, and are asked for', async () => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      seen.push(String(request.headers.authorization));
      const told = new McpServer({ name: 'other', version: '1' });
      told.registerTool('greet', { description: 'Greets.' }, () => ({ content: [{ type: 'text', text: 'Hello.' }] }));
      const transport = new StreamableHTTPServerTransport({});
      told
        .connect(transport as never)
        .then(async () => transport.handleRequest(request, response))
        .catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const asked: PermissionRequest[] = [];
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`;
    const { session, key } = await openWriter(
      async (request) => {
        asked.push(request);
        return await Promise.resolve({ optionId: 'allow' });
      },
      { mcpServers: [{ name: 'other', url, headers: [{ name: 'Authorization', value: 'Bearer b' }] }] },
    );
    rig.model.answer(key, callTool('mcp__other__greet', {}), say('Greeted.'));
    const events = await collect(session.prompt('Greet.'));
    expect(ofType(events, 'tool_result')).toMatchObject([{ ok: true, summary: 'Hello.' }]);
    expect(asked.map(({ name }) => name)).toEqual(['mcp__other__greet']);
    expect(new Set(seen)).toEqual(new Set(['Bearer b']));
    await session.close();
  });

  test('a shipped skill is run by its name, and its words still name no file to be read [SEC-PATHS]', async () => {
    const { session, key, options } = await openWriter(undefined, { plugins: [plugin] });
    writeFileSync(join(options.cwd, 'private.txt'), 'not to be sent');
    const reference = join(plugin, 'skills/conclave/references/usecase.md');
    rig.model.answer(
      key,
      callTool('Read', { file_path: reference }),
      callTool('Write', { file_path: reference, content: 'mine' }),
      say('Written.'),
      say('Plain.'),
    );
    const first = await collect(session.prompt('/req voice @private.txt @/etc/hostname'));
    expect(ofType(first, 'tool_result').map(({ ok }) => ok)).toEqual([true, false]);
    const [names] = ofType(first, 'commands').map(({ commands }) => commands.map(({ name }) => name));
    expect(names).toEqual(expect.arrayContaining(['rsrc', 'req', 'arq', 'plan', 'org', 'orc']));
    const [sent] = rig.model
      .requests(key)[0]!
      .body.messages.filter(({ role }) => role === 'user')
      .slice(-1);
    const texts = (sent!.content as { text?: string }[]).map(({ text }) => text ?? '');
    expect(texts.at(-1)).toBe('/req voice @private.txt @/etc/hostname');
    expect(texts.at(-2)).toContain('Write `.conclave/specs/<name>/analysis.md`');
    expect(texts.at(-2)).toContain('Argument: `voice @private.txt @/etc/hostname`');
    expect(JSON.stringify(sent)).not.toContain('not to be sent');
    const second = await collect(session.prompt('/unknown thing', { resume: sessionOf(first) }));
    expect([textOf(second), ofType(second, 'commands')]).toEqual(['Plain.', []]);
    expect(rig.model.requests(key).at(-1)?.conversation).toContain('/unknown thing');
    await session.close();
  });
});
