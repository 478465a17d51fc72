/**
 * What was said in one relay, and what came of it at each member: a file of JSON lines that only the hall writes. Every
 * line that is given twice changes nothing the second time.
 */
import { z } from 'zod';
import { appendDurably, readTextIfExists } from '../../../kernel/artifacts/write.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { messageSchema } from '../contract.ts';
import { type Receipt, receiptSchema } from '../contract/words.ts';
import type { KeptMessage } from '../rules/conversation.ts';

const saidSchema = messageSchema.omit({ receipts: true }).extend({ own: z.string() });

const lineSchema = z.discriminatedUnion('did', [
  z.object({ did: z.literal('said'), message: saidSchema }),
  z.object({ did: z.literal('released'), ids: z.array(z.string()) }),
  z.object({ did: z.literal('came'), id: z.string(), to: z.number(), receipt: receiptSchema }),
]);
type Line = z.infer<typeof lineSchema>;

export interface MessageLog {
  /** Absolute. */
  readonly path: string;
  /** By id, in the order of their numbers. */
  readonly messages: Map<string, KeptMessage>;
  /** The file may end in the middle of a line. */
  isTorn: boolean;
  /** Receipts that are not written yet. */
  unwritten: Line[];
}

/** Reads what is there; nothing is made. */
export async function openMessageLog(ctx: LogContext, path: string): Promise<MessageLog> {
  const text = await readTextIfExists(path);
  const log: MessageLog = { path, messages: new Map(), isTorn: false, unwritten: [] };
  if (text === undefined) return log;
  log.isTorn = text !== '' && !text.endsWith('\n');
  for (const [index, line] of text.split('\n').entries()) {
    const parsed = line === '' ? undefined : parseLine(line);
    if (parsed !== undefined) takeLine(log, parsed);
    else if (line !== '') ctx.log.warn({ path, line: index + 1 }, 'a line of a conversation cannot be read');
  }
  return log;
}

function parseLine(line: string): Line | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function takeLine(log: MessageLog, line: Line): void {
  const { messages } = log;
  if (line.did === 'said') {
    const { message } = line;
    if (!messages.has(message.id)) messages.set(message.id, { ...message, receipts: [] });
    return;
  }
  if (line.did === 'came') {
    const message = messages.get(line.id);
    if (message !== undefined) messages.set(line.id, withReceipt(message, line.to, line.receipt));
    return;
  }
  for (const id of line.ids) {
    const message = messages.get(id);
    if (message?.fate === 'held') messages.set(id, { ...message, fate: 'sent' });
  }
}

function withReceipt(message: KeptMessage, to: number, receipt: Receipt): KeptMessage {
  return { ...message, receipts: [...message.receipts.filter((each) => each.to !== to), { to, receipt }] };
}

export type NewMessage = Omit<KeptMessage, 'number' | 'receipts'>;

/** On disk when it resolves. */
export async function keepMessage(log: MessageLog, message: NewMessage): Promise<KeptMessage> {
  const known = log.messages.get(message.id);
  if (known !== undefined) return known;
  const numbered = { ...message, number: log.messages.size + 1 };
  const line: Line = { did: 'said', message: numbered };
  await write(log, [line]);
  takeLine(log, line);
  return log.messages.get(message.id)!;
}

/** What was held goes on from now. On disk when it resolves. */
export async function keepRelease(log: MessageLog, ids: readonly string[]): Promise<void> {
  const line: Line = { did: 'released', ids: [...ids] };
  await write(log, [line]);
  takeLine(log, line);
}

/** Known at once; written with `writeReceipts`. @returns false for what was known, and for a receipt that is settled */
export function noteReceipt(log: MessageLog, id: string, to: number, receipt: Receipt): boolean {
  const before = log.messages.get(id)?.receipts.find((each) => each.to === to)?.receipt;
  if (!log.messages.has(id) || before?.state === receipt.state) return false;
  if (before !== undefined && before.state !== 'queued') return false;
  const line: Line = { did: 'came', id, to, receipt };
  takeLine(log, line);
  // That it waits is what a message without a receipt does.
  if (receipt.state !== 'queued') log.unwritten.push(line);
  return true;
}

/** All that are known now, with one write. */
export async function writeReceipts(log: MessageLog): Promise<void> {
  const lines = log.unwritten;
  log.unwritten = [];
  if (lines.length > 0) await write(log, lines);
}

async function write(log: MessageLog, lines: readonly Line[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const before = log.isTorn ? '\n' : '';
  log.isTorn = true;
  await appendDurably(log.path, before + text, { mode: 0o600 });
  log.isTorn = false;
}
