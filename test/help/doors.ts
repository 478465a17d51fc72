/** The hall's doors on a real port, over a few operations of their own: without features, agents and projects. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Admission, AdmissionOf } from '../../src/interfaces/http/admission.ts';
import { createApp } from '../../src/interfaces/http/app.ts';
import { createLimits, type Limits, type LimitSettings } from '../../src/interfaces/http/limits.ts';
import { serveApp, type Served, type ServeOptions } from '../../src/interfaces/http/serve.ts';
import { openSocketDoor } from '../../src/interfaces/http/socket/door.ts';
import type { SocketDoor } from '../../src/interfaces/http/socket/keeper.ts';
import type { SocketSettings } from '../../src/interfaces/http/socket/session.ts';
import { openTerminalDoor, withTerminals } from '../../src/interfaces/http/terminal-socket/door.ts';
import type { TerminalViews } from '../../src/interfaces/http/terminal-socket/viewing.ts';
import { createStreams, type Streams } from '../../src/interfaces/http/streams.ts';
import { createTickets } from '../../src/interfaces/http/tickets.ts';
import { createBackground, type Background } from '../../src/kernel/background/background.ts';
import { systemClock, systemIds, type Clock } from '../../src/kernel/clock/clock.ts';
import { openEventStream, type EventStream } from '../../src/kernel/events/events.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { bindOperation, createRegistry, personCaller } from '../../src/kernel/operations/operations.ts';
import { deferred, type Deferred } from '../../src/kernel/pure/deferred.ts';
import { fail } from '../../src/kernel/pure/errors.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import { signInIdSchema, type SignInId } from '../../src/kernel/pure/ids.ts';
import { describeOperation } from '../../src/kernel/pure/operations.ts';

export interface TestDoors {
  readonly port: number;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly events: EventStream;
  readonly streams: Streams;
  readonly limits: Limits;
  readonly sockets: SocketDoor;
  readonly background: Background;
  /** Sign-ins by token; the hall's own token is `secret`. Taking one out revokes it. */
  readonly signIns: Map<string, SignInId>;
  publish(text: string): HallEvent;
  /** What `echo.send` was given, oldest first. */
  readonly sent: string[];
  /** Calls of `echo.wait` that have come; each is answered when it is resolved. */
  readonly waiting: Deferred<string>[];
  close(): Promise<void>;
}

export interface TestDoorsRequest {
  readonly limits?: Partial<LimitSettings>;
  readonly settings?: Partial<SocketSettings>;
  readonly serve?: Partial<ServeOptions>;
  readonly clock?: Clock;
  /** Left out: there is no terminal. */
  readonly views?: TerminalViews;
}

const send = describeOperation({
  name: 'echo.send',
  access: 'write',
  audience: 'person',
  summary: 'Send it back',
  input: z.strictObject({ text: z.string(), times: z.int().default(1) }),
  output: z.object({ said: z.string() }),
  commandLine: { examples: [] },
});

export const aSignIn = signInIdSchema.parse('firefox-20261122-010203-k3f9');

export async function openTestDoors(request: TestDoorsRequest = {}): Promise<TestDoors> {
  const folder = await mkdtemp(join(tmpdir(), 'gh-doors-'));
  const base = { clock: request.clock ?? systemClock, ids: systemIds, log: silentLog };
  const events = await openEventStream(base, join(folder, 'events'));
  const background = createBackground(silentLog);
  const ctx = { ...base, events, spawn: background.spawn };
  const signIns = new Map<string, SignInId>();
  const waiting: Deferred<string>[] = [];
  const sent: string[] = [];
  const shared = {
    registry: createRegistry(operationsOf(waiting, sent)),
    port: (): number => served.port,
    limits: createLimits(ctx, request.limits),
    streams: createStreams(request.limits),
    tickets: createTickets(ctx),
  };
  const admissionOf: AdmissionOf = (token) => admissionAs(signIns, token);
  const app = createApp(ctx, { ...shared, aliases: [], admissionOf, openApi: () => ({}) });
  const sockets = withTerminals(
    openSocketDoor(ctx, { ...shared, version: '1.2.3', startedAt: 'today' }, request.settings),
    openTerminalDoor(ctx, { ...shared, views: request.views ?? noViews }, request.settings),
  );
  const served: Served = await serveApp(async (asked) => await app.fetch(asked), {
    port: 0,
    upgrade: sockets.upgrade,
    ...request.serve,
  });
  return {
    events,
    sockets,
    background,
    signIns,
    waiting,
    sent,
    streams: shared.streams,
    limits: shared.limits,
    port: served.port,
    url: served.url,
    publish: (text) => events.publish({ type: 'thing.said', project: 'p', subject: 'thing:a', data: { text } }),
    close: async () => {
      for (const each of waiting) each.resolve('');
      await sockets.close();
      await served.close();
      await events.close();
      await background.stop(5000);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const noSuchTerminal = async (): Promise<never> => {
  throw fail('not_found', 'There is no such terminal.', 'guild-hall terminal list');
};

const noViews: TerminalViews = {
  watch: noSuchTerminal,
  type: noSuchTerminal,
  resize: noSuchTerminal,
  onEnd: () => () => undefined,
};

function admissionAs(signIns: ReadonlyMap<string, SignInId>, token: string | undefined): Admission | undefined {
  if (token === 'secret') return { caller: personCaller };
  const signIn = signIns.get(token ?? '');
  return signIn === undefined ? undefined : { caller: personCaller, signIn };
}

function operationsOf(waiting: Deferred<string>[], sent: string[]) {
  return [
    bindOperation(send, async (_caller, { text, times }) => {
      sent.push(text);
      return { said: text.repeat(times) };
    }),
    bindOperation({ ...send, name: 'echo.wait' }, async () => {
      const held = deferred<string>();
      waiting.push(held);
      return { said: await held.promise };
    }),
    bindOperation({ ...send, name: 'echo.refuse' }, async () => {
      throw fail('conflict', 'It is closed.', 'Open it first.', { since: 'today' });
    }),
    bindOperation({ ...send, name: 'echo.break' }, async () => {
      throw new TypeError('the inside of the program');
    }),
  ];
}
