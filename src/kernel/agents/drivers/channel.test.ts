import { expect, test } from 'vitest';
import { endChannel, openChannel, push, readChannel } from './channel.ts';

const nobodyLeaves = async (): Promise<void> => expect.unreachable('the reader did not leave');

test('what is pushed before and after the reader comes is given once, in order', async () => {
  const channel = openChannel<number>();
  push(channel, 1);
  push(channel, 2);
  const reader = readChannel(channel, nobodyLeaves);
  expect(await reader.next()).toEqual({ done: false, value: 1 });
  expect(await reader.next()).toEqual({ done: false, value: 2 });
  const waiting = [reader.next(), reader.next()];
  push(channel, 3);
  endChannel(channel);
  push(channel, 4);
  expect(await Promise.all(waiting)).toEqual([
    { done: false, value: 3 },
    { done: true, value: undefined },
  ]);
});

test('the end comes after what is still unread', async () => {
  const channel = openChannel<string>();
  push(channel, 'last');
  endChannel(channel);
  const seen: string[] = [];
  for await (const value of readChannel(channel, nobodyLeaves)) seen.push(value);
  expect(seen).toEqual(['last']);
});

test('leaving is told once, and not after the end', async () => {
  const channel = openChannel<number>();
  let left = 0;
  const reader = readChannel(channel, async () => {
    left += 1;
    endChannel(channel);
  });
  push(channel, 1);
  for await (const _value of reader) break;
  expect(left).toBe(1);
  await reader.return?.();
  expect(left).toBe(1);
});
