/** What a page asks of a terminal: keys, as bytes, and a size. In the order in which they came, one at a time. */
import type { RawData } from 'ws';
import type { BackgroundContext } from '../../../kernel/background/background.ts';
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { closeCodes, terminalClientMessageSchema } from '../../../kernel/pure/wire.ts';
import { admissionOf } from '../socket/session.ts';
import { tell, type Size, type Viewing } from './viewing.ts';

export type AskingContext = ClockContext & LogContext & BackgroundContext;

export function receive(ctx: AskingContext, viewing: Viewing, data: RawData, isBinary: boolean): void {
  const { ws, readOnly } = viewing;
  viewing.heardMs = ctx.clock.monotonicMs();
  if (ws.readyState !== ws.OPEN) return;
  const asked = isBinary ? bytesOf(data) : parseSize(String(data));
  if (!asked) return ws.close(closeCodes.malformed, 'That is no message of this protocol.');
  if (readOnly) return ws.close(closeCodes.malformed, 'This socket was opened to watch only.');
  viewing.asked.push(asked);
  if (viewing.isAsking) return undefined;
  viewing.isAsking = true;
  ws.pause();
  return ctx.spawn('keys for a terminal', async () => await workOff(ctx, viewing));
}

function bytesOf(data: RawData): Uint8Array {
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
}

function parseSize(text: string): Size | undefined {
  try {
    return terminalClientMessageSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function workOff(ctx: AskingContext, viewing: Viewing): Promise<void> {
  const { ws, asked } = viewing;
  for (let next = asked.shift(); next !== undefined; next = asked.shift()) {
    if (ws.readyState !== ws.OPEN || !admissionOf(viewing)) break;
    await perform(ctx, viewing, next);
  }
  viewing.isAsking = false;
  // Answers to pings were not read meanwhile, so that their absence says nothing.
  viewing.pingedMs = viewing.heardMs;
  ws.resume();
}

async function perform(ctx: AskingContext, viewing: Viewing, asked: Size | Uint8Array): Promise<void> {
  const { views, terminal } = viewing;
  try {
    if (asked instanceof Uint8Array) await views.type(terminal, asked);
    else await views.resize(terminal, { cols: asked.cols, rows: asked.rows });
  } catch (error) {
    const problem = errorFactsOf(error);
    if (problem.code === 'internal') ctx.log.error({ err: error }, 'keys for a terminal could not be typed');
    tell(ctx, viewing, { kind: 'refusal', problem });
  }
}
