/** Tells a client that asked for it how a call that takes long goes on. */
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { McpContext } from './parts.ts';
import type { ConnectionDoor, ToolCall } from './shapes.ts';
import type { HallTool } from './tools.ts';

export interface Progress {
  /** The call is over: nothing more is told. */
  end(): void;
}

/** Not more often than this one after another; what comes between is left out. Milliseconds. */
const leastGapMs = 100;

export function startProgress(
  ctx: McpContext,
  door: ConnectionDoor,
  call: ToolCall,
  tool: HallTool,
  input: Readonly<Record<string, unknown>>,
): Progress {
  const { extra, facts } = call;
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return { end: () => {} };
  const over = new AbortController();
  const startedMs = ctx.clock.monotonicMs();
  let told = 0;
  let lastMs = startedMs - leastGapMs;
  const tell = async (message: string): Promise<void> => {
    if (over.signal.aborted || extra.signal.aborted) return;
    told += 1;
    lastMs = ctx.clock.monotonicMs();
    const params = { progressToken, progress: told, message };
    try {
      await extra.sendNotification({ method: 'notifications/progress', params });
    } catch (error) {
      // Its reader has gone; the call goes on as it would without anybody who asks how.
      ctx.log.debug({ err: error }, 'progress could not be told');
      over.abort();
    }
  };
  const { name } = tool.operation.description;
  const waitedFor = door.parts.waits[name];
  ctx.spawn('progress of an MCP call', async (stopping) => {
    const signal = AbortSignal.any([stopping, over.signal, extra.signal]);
    const tellEvent = async (event: HallEvent): Promise<void> => {
      if (ctx.clock.monotonicMs() - lastMs >= leastGapMs) await tell(`${event.type.replaceAll(/[._]/g, ' ')}.`);
    };
    const tick = async (): Promise<void> => {
      const seconds = Math.round((ctx.clock.monotonicMs() - startedMs) / 1000);
      await tell(`${waitedFor === undefined ? 'Still at it' : `Waiting for ${waitedFor}`} (${seconds} s).`);
    };
    const first = waitedFor === undefined ? undefined : tell(`Waiting for ${waitedFor}.`);
    const subject = facts.caller.kind === 'person' ? subjectOf(name, input) : undefined;
    const events = subject === undefined ? undefined : following(ctx, subject, signal, tellEvent);
    await Promise.all([first, events, ticking(ctx, door.settings.progressMs, signal, tick)]);
  });
  return { end: () => over.abort() };
}

/** Events are named like what they are about: those of `meeting.close` are of `meeting:<id>`. */
function subjectOf(operation: string, { id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof id === 'string' ? `${operation.split('.')[0]}:${id}` : undefined;
}

async function ticking(
  ctx: McpContext,
  everyMs: number,
  signal: AbortSignal,
  tick: () => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await ctx.clock.sleep(everyMs, signal);
    } catch {
      // Over before it was time.
      return;
    }
    await tick();
  }
}

async function following(
  ctx: McpContext,
  subject: string,
  signal: AbortSignal,
  tell: (event: HallEvent) => Promise<void>,
): Promise<void> {
  const events = ctx.events.subscribe({ filter: (event) => event.subject === subject });
  signal.addEventListener('abort', () => events.close(), { once: true });
  if (signal.aborted) events.close();
  for await (const event of events) await tell(event);
}
