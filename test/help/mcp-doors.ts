/** The MCP door on a real port, over a few operations of its own: without features, agents and projects. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Admission } from '../../src/interfaces/http/admission.ts';
import { createApp } from '../../src/interfaces/http/app.ts';
import { createLimits, type LimitSettings } from '../../src/interfaces/http/limits.ts';
import { serveApp, type Served } from '../../src/interfaces/http/serve.ts';
import { createStreams, type Streams } from '../../src/interfaces/http/streams.ts';
import { openMcpDoor } from '../../src/interfaces/mcp/door.ts';
import type { McpDoor, McpSettings } from '../../src/interfaces/mcp/parts.ts';
import { createBackground } from '../../src/kernel/background/background.ts';
import { type Clock, systemClock, systemIds } from '../../src/kernel/clock/clock.ts';
import { openEventStream, type EventStream } from '../../src/kernel/events/events.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { bindOperation, createRegistry, personCaller } from '../../src/kernel/operations/operations.ts';
import { deferred, type Deferred } from '../../src/kernel/pure/deferred.ts';
import { fail } from '../../src/kernel/pure/errors.ts';
import { activityIdSchema, projectNameSchema, signInIdSchema } from '../../src/kernel/pure/ids.ts';
import { describeOperation } from '../../src/kernel/pure/operations.ts';

export interface McpDoors {
  readonly url: string;
  readonly door: McpDoor;
  readonly events: EventStream;
  readonly streams: Streams;
  /** Who bears which token: `person`, `browser`, `agent`, `other-agent`. Taking one out ends it. */
  readonly admissions: Map<string, Admission>;
  /** Calls of `thing_wait` that have come; each is answered when it is resolved. */
  readonly waiting: Deferred<string>[];
  /** What `thing_send` was given, oldest first. */
  readonly sent: unknown[];
  /** How many requests came that name no session. */
  begun(): number;
  /** Closes the port at once, with whatever is open on it. */
  vanish(): Promise<void>;
}

export interface McpDoorsRequest {
  readonly settings?: Partial<McpSettings>;
  readonly limits?: Partial<LimitSettings>;
  readonly clock?: Clock;
}

const send = describeOperation({
  name: 'thing.send',
  access: 'write',
  audience: 'person',
  summary: 'Send a thing',
  input: z.strictObject({
    project: z.string().optional(),
    text: z.string().min(1).describe('What to say'),
    replyTo: z.string().optional(),
    tone: z.enum(['warm', 'cool']).default('cool'),
  }),
  output: z.object({ said: z.string(), project: z.string().nullable() }),
  commandLine: { examples: [] },
});

const look = describeOperation({
  name: 'thing.look-at',
  tool: 'look_at_thing',
  access: 'read',
  audience: 'agents',
  summary: 'Look at a thing',
  input: z.strictObject({ project: z.string().optional() }),
  output: z.object({ seen: z.string() }),
  commandLine: { examples: [] },
});

const wait = describeOperation({
  ...send,
  name: 'thing.wait',
  destroys: true,
  input: z.strictObject({ id: z.string().default('a') }),
  output: z.object({ said: z.string() }),
});

export async function openMcpDoors(request: McpDoorsRequest = {}): Promise<McpDoors> {
  const folder = await mkdtemp(join(tmpdir(), 'gh-mcp-'));
  const base = { clock: request.clock ?? systemClock, ids: systemIds, log: silentLog };
  const events = await openEventStream(base, join(folder, 'events'));
  const background = createBackground(silentLog);
  const ctx = { ...base, events, spawn: background.spawn };
  const waiting: Deferred<string>[] = [];
  const sent: unknown[] = [];
  const admissions = admissionsOfAll();
  const registry = createRegistry(operationsOf(waiting, sent));
  const door = openMcpDoor(ctx, {
    registry,
    version: '1.2.3',
    waits: { 'thing.wait': 'the thing' },
    textOf: (_operation, output) => `Answered: ${JSON.stringify(output)}\n`,
    ...(request.settings && { settings: request.settings }),
  });
  const streams = createStreams(request.limits);
  const app = createApp(ctx, {
    registry,
    aliases: [],
    admissionOf: (token) => admissions.get(token ?? ''),
    openApi: () => ({}),
    port: () => served.port,
    limits: createLimits(ctx, { burst: 1e6, ...request.limits }),
    streams,
    tools: door,
  });
  let begun = 0;
  const served: Served = await serveApp(
    async (asked) => {
      if (!asked.headers.has('mcp-session-id')) begun += 1;
      return await app.fetch(asked);
    },
    { port: 0 },
  );
  onTestFinished(async () => {
    for (const each of waiting) each.resolve('');
    await door.close();
    await served.close();
    await events.close();
    await background.stop(5000);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    url: served.url,
    door,
    events,
    streams,
    admissions,
    waiting,
    sent,
    begun: () => begun,
    vanish: () => served.close(),
  };
}

function admissionsOfAll(): Map<string, Admission> {
  const agent = (id: string): Admission => ({
    caller: {
      kind: 'agent',
      activity: { project: projectNameSchema.parse('shop'), kind: 'terminal', id: activityIdSchema.parse(id) },
    },
  });
  return new Map<string, Admission>([
    ['person', { caller: personCaller }],
    ['browser', { caller: personCaller, signIn: signInIdSchema.parse('firefox-20261122-010203-k3f9') }],
    ['agent', agent('t-1')],
    ['other-agent', agent('t-2')],
  ]);
}

function operationsOf(waiting: Deferred<string>[], sent: unknown[]) {
  return [
    bindOperation(send, async (_caller, input) => {
      if (input.text === 'refuse') throw fail('conflict', 'It is closed.', 'Open it first.', { since: 'today' });
      if (input.text === 'break') throw new TypeError('the inside of the program');
      if (input.text === 'which' && input.project === undefined) {
        throw fail('invalid', 'Which?', 'Name one.', { field: 'project', choices: ['shop', 'tally'] });
      }
      sent.push(input);
      return { said: input.text, project: input.project ?? null };
    }),
    bindOperation(look, async (_caller, { project = 'none' }) => ({ seen: project })),
    bindOperation(wait, async () => {
      const held = deferred<string>();
      waiting.push(held);
      return { said: await held.promise };
    }),
  ];
}
