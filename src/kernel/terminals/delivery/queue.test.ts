import { expect, test } from 'vitest';
import { terminalIdSchema } from '../contract.ts';
import type { Kept, Ledger } from './ledger.ts';
import { requireRoom } from './queue.ts';

const id = terminalIdSchema.parse('mo-1');

function waiting(count: number, length: number, state: 'queued' | 'failed' = 'queued') {
  const receipt = state === 'queued' ? { state } : { state, why: 'x' };
  const kept = (n: number): Kept => ({
    message: { id: `m-${n}`, origin: 'hall', text: 'x'.repeat(length) },
    receipt,
  });
  const messages = new Map(Array.from({ length: count }, (_, n) => [`m-${n}`, kept(n)]));
  return { id, ledger: { messages } as unknown as Ledger };
}

test('a terminal that takes nothing is not sent words without end', () => {
  expect(() => requireRoom(waiting(499, 10), 'more')).not.toThrow();
  expect(() => requireRoom(waiting(500, 10), 'more')).toThrow('500 messages wait for the terminal "mo-1"');
  expect(() => requireRoom(waiting(25, 200_000), 'more')).toThrow('25 messages wait');
  expect(() => requireRoom(waiting(1_000, 200_000, 'failed'), 'more')).not.toThrow();
});
