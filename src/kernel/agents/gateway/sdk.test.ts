/** The gateway and the rehearsal as the real Claude Agent SDK sees them. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createSdkMcpServer, query, type Query, type SDKUserMessage, tool } from '@anthropic-ai/claude-agent-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { systemClock, systemIds } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import { type Deferred, deferred } from '../../pure/deferred.ts';
import { activityIdSchema, type ActivityRef, projectNameSchema } from '../../pure/ids.ts';
import { createRehearsal, rehearsalLabel } from '../rehearsal/rehearsal.ts';
import { type Gateway, startGateway } from './gateway.ts';
import type { ModelEntry } from './models.ts';

const project: Record<string, string> = {
  'README.md':
    '# Router\n\nA small router that matches a path against patterns and calls a handler.\n\n## Matching\n\nPatterns are compared part by part; the first one that fits is taken.\n',
  'package.json': JSON.stringify({ name: 'router', version: '1.2.3', dependencies: { 'left-pad': '1.0.0' } }, null, 2),
  'src/router.ts': [
    '/** Splits a path into its parts and finds the handler that fits. Throws when none does. */',
    'export function matchRoute(path: string, routes: Route[]): Handler {',
    '  const parts = splitPath(path);',
    '  for (const route of routes) {',
    '    if (route.parts.length !== parts.length) continue;',
    '    if (route.parts.every((part, i) => part === parts[i])) return route.handler;',
    '  }',
    '  throw new RouteError(`no route for ${path}`);',
    '}',
    '',
    'export function splitPath(path: string): string[] {',
    "  return path.split('/').filter((part) => part !== '');",
    '}',
    '',
    'export class RouteError extends Error {}',
    '',
    '// TODO: parameters in patterns',
    'export interface Route { parts: string[]; handler: Handler }',
    'export type Handler = () => string;',
    '',
  ].join('\n'),
  'src/server.ts': [
    "import { matchRoute, type Route } from './router.ts';",
    '',
    'const port = Number(process.env.PORT ?? 8080);',
    'export function answer(path: string, routes: Route[]): string {',
    '  return matchRoute(path, routes)();',
    '}',
    'export { port };',
    '',
  ].join('\n'),
  'test/router.test.ts':
    "import { matchRoute } from '../src/router.ts';\n\ntest('takes the first route that fits', () => {\n  matchRoute('/a', []);\n});\n",
};

let dir: string;
let gateway: Gateway;
let models: ModelEntry[] = [];
let calls: { name: string; input: Record<string, unknown> }[] = [];
let count = 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sdk-'));
  for (const [path, text] of Object.entries(project)) {
    await mkdir(dirname(join(dir, 'project', path)), { recursive: true });
    await writeFile(join(dir, 'project', path), text);
  }
  const ctx = { clock: systemClock, ids: systemIds, log: silentLog, config: () => ({ models }), home: { state: dir } };
  gateway = await startGateway(ctx, { rehearsal: createRehearsal(ctx, { plays: [] }) });
});

afterAll(async () => {
  await gateway.close();
  await rm(dir, { recursive: true, force: true, maxRetries: 5 });
});

interface Turn {
  text: string;
  tools: string[];
  isError: boolean;
  status: number | null;
  errorClass: string | undefined;
}

/** One agent with its own activity; one prompt at a time. */
interface Session {
  ask(prompt: string, onText?: () => void): Promise<Turn>;
  interrupt(): Promise<void>;
  activity: ActivityRef;
  close(): void;
}

function hallTools() {
  const keep = (name: string, description: string, shape: z.ZodRawShape) =>
    tool(name, description, shape, (input) => {
      calls.push({ name, input });
      return Promise.resolve({ content: [{ type: 'text' as const, text: `${name} done` }] });
    });
  return createSdkMcpServer({
    name: 'hall',
    tools: [
      keep('write_artifact', 'Writes an artifact', { path: z.string(), content: z.string() }),
      keep('link_artifact', 'Links an artifact', { path: z.string() }),
      keep('record_decision', 'Records', { question: z.string(), decision: z.string(), reasoning: z.string() }),
      keep('write_memory', 'Remembers', {
        scope: z.enum(['global', 'project']),
        name: z.string(),
        content: z.string(),
      }),
    ],
  });
}

function openSession(options: { maxRetries?: number; maxTurns?: number; maxBudgetUsd?: number } = {}): Session {
  count += 1;
  const activity: ActivityRef = {
    project: projectNameSchema.parse('demo'),
    kind: 'activity',
    id: activityIdSchema.parse(`a-${count}`),
  };
  const access = gateway.grant(activity, {
    worker: 'researcher',
    ...(options.maxBudgetUsd ? { maxBudgetUsd: options.maxBudgetUsd } : {}),
  });
  const prompts: SDKUserMessage[] = [];
  let waiting: Deferred<void> | undefined = deferred();
  const input = async function* () {
    for (;;) {
      const next = prompts.shift();
      if (next !== undefined) yield next;
      else await (waiting = deferred()).promise;
    }
  };
  const home = join(dir, `home-${count}`);
  const running: Query = query({
    prompt: input(),
    options: {
      cwd: join(dir, 'project'),
      model: access.model,
      tools: ['Read', 'Grep', 'Glob'],
      settingSources: [],
      permissionMode: 'dontAsk',
      allowedTools: ['mcp__hall__*', 'Read', 'Grep', 'Glob'],
      includePartialMessages: true,
      mcpServers: { hall: hallTools() },
      systemPrompt: 'You are the researcher.',
      ...(options.maxTurns ? { maxTurns: options.maxTurns } : {}),
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        CLAUDE_CONFIG_DIR: home,
        ANTHROPIC_BASE_URL: access.baseUrl,
        ANTHROPIC_API_KEY: access.token,
        CLAUDE_CODE_MAX_RETRIES: String(options.maxRetries ?? 0),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
      },
    },
  });
  const ask = async (prompt: string, onText?: () => void): Promise<Turn> => {
    prompts.push({ type: 'user', message: { role: 'user', content: prompt }, parent_tool_use_id: null });
    waiting?.resolve();
    return await readTurn(running, onText);
  };
  return { ask, activity, interrupt: async () => void (await running.interrupt()), close: () => running.close() };
}

async function readTurn(running: Query, onText: (() => void) | undefined): Promise<Turn> {
  const turn: Turn = { text: '', tools: [], isError: false, status: null, errorClass: undefined };
  for (;;) {
    const next = await running.next();
    if (next.done === true) expect.unreachable('the agent ended within a turn');
    const message = next.value;
    if (message.type === 'stream_event' && message.event.type === 'content_block_delta') onText?.();
    if (message.type === 'assistant') {
      turn.errorClass = message.error ?? turn.errorClass;
      for (const block of message.message.content) {
        if (block.type === 'text') turn.text += `${block.text}\n`;
        if (block.type === 'tool_use') turn.tools.push(block.name);
      }
    }
    if (message.type === 'result') {
      const status = 'api_error_status' in message ? (message.api_error_status ?? null) : null;
      return { ...turn, isError: message.is_error, status };
    }
  }
}

describe('a conversation about a project', () => {
  let session: Session;
  beforeAll(async () => {
    session = openSession();
    await session.ask('hello');
  });
  afterAll(() => session.close());

  /** Every place that an answer names must be there. */
  async function expectRealPlaces(text: string): Promise<void> {
    const places = [...text.matchAll(/`([\w./-]+):(\d+)(?:-(\d+))?`/g)];
    for (const [place, path, from, to] of places) {
      const lines = (await readFile(join(dir, 'project', path!), 'utf8')).split('\n').length;
      expect({ place, isThere: Number(to ?? from) <= lines }).toEqual({ place, isThere: true });
    }
  }

  test('a greeting is labelled and makes no call [SYS-REHEARSAL]', async () => {
    const first = openSession();
    const turn = await first.ask('hello');
    first.close();
    expect(turn.text).toContain(rehearsalLabel);
    expect(turn.tools).toEqual([]);
    expect(turn.isError).toBe(false);
  });

  test('a question is answered from the code, with its place and its words [SYS-REHEARSAL]', async () => {
    const turn = await session.ask('How does `matchRoute` work?');
    expect(turn.tools).toEqual(expect.arrayContaining(['Grep', 'Read']));
    expect(turn.text).not.toContain(rehearsalLabel);
    expect(turn.text).toContain('`src/router.ts:2`');
    expect(turn.text).toContain('finds the handler that fits');
    expect(turn.text).toContain('`splitPath` (`src/router.ts:11`)');
    await expectRealPlaces(turn.text);
  });

  test('a question back is about the same thing', async () => {
    const turn = await session.ask('and who calls it?');
    expect(turn.text).toContain('`src/server.ts:5`');
    expect(turn.text).toContain('`test/router.test.ts`');
  });

  test('an artifact is written at the path that is named, from what was found, and linked', async () => {
    calls = [];
    const turn = await session.ask('Please write your findings about route matching to `.lore/notes/routing.md`');
    expect(calls.map((call) => call.name)).toEqual(['write_artifact', 'link_artifact']);
    const { path, content } = calls[0]!.input as { path: string; content: string };
    expect(path).toBe('.lore/notes/routing.md');
    expect(content).toMatch(
      /^---\ntitle: ".+"\ndate: \d{4}-\d{2}-\d{2}\nstatus: draft\ntags: \[route, matching\]\n---\n\n# /,
    );
    for (const part of [
      '## Summary',
      '## Findings',
      '## From the conversation',
      '## Open questions',
      'src/router.ts:2',
    ]) {
      expect(content).toContain(part);
    }
    await expectRealPlaces(content);
    expect(turn.text).toContain('`.lore/notes/routing.md` and linked it');
  });

  test("the hall's tools are called in their own shape", async () => {
    calls = [];
    await session.ask('Record a decision: we compare parts one by one, because it is simple');
    await session.ask('remember that parameters come later');
    expect(calls).toEqual([
      {
        name: 'record_decision',
        input: expect.objectContaining({ decision: 'We compare parts one by one', reasoning: 'It is simple' }),
      },
      {
        name: 'write_memory',
        input: { scope: 'project', name: 'parameters-come-later', content: 'Parameters come later' },
      },
    ]);
  });

  test('ten different questions get ten different answers, every place real [SYS-REHEARSAL]', async () => {
    const questions: [string, string][] = [
      ['What is this project?', 'A small router'],
      ['Which errors are thrown?', 'RouteError'],
      ['Is `matchRoute` tested?', 'takes the first route that fits'],
      ['What dependencies does it have?', '`left-pad` 1.0.0'],
      ['Which environment variables are read?', '`PORT`'],
      ['What is left to do?', 'TODO: parameters in patterns'],
      [
        'What is the difference between `matchRoute` and `splitPath`?',
        '| defined at | `src/router.ts:2` | `src/router.ts:11` |',
      ],
      ['What is in src/server.ts?', '`src/server.ts:4`'],
      ['How are patterns compared?', 'Patterns are compared part by part'],
      ['How does the flux capacitor work?', 'found nothing'],
    ];
    const answers = new Set<string>();
    for (const [question, expected] of questions) {
      const turn = await session.ask(question);
      expect({ question, ...turn }).toMatchObject({
        question,
        isError: false,
        text: expect.stringContaining(expected),
      });
      await expectRealPlaces(turn.text);
      answers.add(turn.text);
    }
    expect(answers.size).toBe(questions.length);
  }, 40_000);
});

describe('failures, as the client tells them', () => {
  let session: Session;
  beforeAll(() => {
    session = openSession();
  });
  afterAll(() => session.close());

  test.each([
    ['rate_limit', 429, 'rate_limit'],
    ['auth', 401, 'authentication_failed'],
    ['forbidden', 403, 'authentication_failed'],
    ['overloaded', 529, 'server_error'],
    ['not_found', 404, 'model_not_found'],
    ['reset', null, 'server_error'],
  ])('%s', async (name, status, errorClass) => {
    const turn = await session.ask(`[rehearse: ${name}] hello`);
    expect(turn).toMatchObject({ isError: true, status, errorClass });
  });

  test('a truncated stream and garbage in it are mended by asking again; the agent stays usable', async () => {
    for (const name of ['truncated', 'garbage']) {
      const turn = await session.ask(`[rehearse: ${name}] hello`);
      expect(turn).toMatchObject({ isError: false, errorClass: undefined });
    }
    expect((await session.ask('hello')).text).toContain('What works here');
  });

  test('an unknown tool and a bad input come back as errors of the tool', async () => {
    expect((await session.ask('[rehearse: unknown_tool]')).text).toContain('No such tool available');
    expect((await session.ask('[rehearse: bad_input]')).text).toContain('InputValidationError');
  });

  test('an interrupt ends the stream at the gateway, and the next turn works', async () => {
    const first = deferred();
    const turn = session.ask('[rehearse: slow 20ms x 5000]', () => first.resolve());
    await first.promise;
    await session.interrupt();
    expect((await turn).isError).toBe(true);
    expect((await session.ask('thanks')).text).toContain('welcome');
  });

  test('a revoked token is an authentication failure at once', async () => {
    gateway.revoke(session.activity);
    expect(await session.ask('hello')).toMatchObject({ isError: true, status: 401 });
  });
});

test('a passing failure is tried again by the client', async () => {
  const session = openSession({ maxRetries: 1 });
  expect(await session.ask('[rehearse: overloaded x1] hello')).toMatchObject({ isError: false });
  session.close();
});

test('an endless tool loop meets the limit of turns', async () => {
  const session = openSession({ maxTurns: 3 });
  const turn = await session.ask('[rehearse: loop]');
  expect(turn).toMatchObject({ isError: true, tools: ['Glob', 'Glob', 'Glob'] });
  session.close();
});

test('several calls in one answer count as one turn', async () => {
  const session = openSession({ maxTurns: 5 });
  const turn = await session.ask('How does `matchRoute` work?');
  expect(turn.tools.length).toBeGreaterThan(4);
  expect(turn.isError).toBe(false);
  session.close();
});

describe('a configured model', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      const usage = { input_tokens: 2_000_000, output_tokens: 1 };
      response.end(
        JSON.stringify({
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'claude-sonnet-4-5',
          content: [{ type: 'text', text: 'from the model' }],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage,
        }),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    models = [{ name: 'big', modelId: 'claude-sonnet-4-5', baseUrl, auth: { kind: 'api-key', key: 'sk-person' } }];
  });
  afterAll(() => {
    models = [];
    server.closeAllConnections();
    server.close();
  });

  test('answers until the budget of the activity is spent; then the client gets the reason', async () => {
    const session = openSession({ maxBudgetUsd: 1 });
    const first = await session.ask('hello');
    const second = await session.ask('hello again');
    session.close();
    expect(first.text + second.text).toContain('budget reached ($');
    expect(gateway.usageOf(session.activity).costUsd).toBeGreaterThanOrEqual(6);
    expect(second).toMatchObject({ isError: true, status: 402 });
  });
});
