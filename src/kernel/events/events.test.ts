import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock, systemIds } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import type { Cursor, HallEvent } from '../pure/events.ts';
import { type EventStream, type EventSubscription, openEventStream } from './events.ts';

let dir: string;
let now: number;
const open: EventStream[] = [];
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'gh-events-')), 'events');
  now = Date.parse('2026-03-01T12:00:00.000Z');
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((stream) => stream.close()));
  await rm(join(dir, '..'), { recursive: true, force: true });
});

const clock = { ...systemClock, nowMs: () => now, nowIso: () => new Date(now).toISOString() };
const ctx = { clock, ids: systemIds, log: silentLog };
const start = async (boot = 'this start'): Promise<EventStream> => {
  const stream = await openEventStream(ctx, dir, { boot });
  open.push(stream);
  return stream;
};
const publish = (stream: EventStream, count: number): HallEvent[] =>
  Array.from({ length: count }, (_, index) =>
    stream.publish({ type: 'thing.done', project: 'shop', subject: `thing:${index}`, data: { index } }),
  );
async function take(subscription: EventSubscription, count: number): Promise<HallEvent[]> {
  const events: HallEvent[] = [];
  const iterator = subscription[Symbol.asyncIterator]();
  while (events.length < count) {
    const next = await iterator.next();
    if (next.done === true) break;
    events.push(next.value);
  }
  return events;
}
const seqs = (events: readonly HallEvent[]) => events.map(({ seq }) => seq);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const day = 24 * 60 * 60 * 1000;

describe('publish', () => {
  test('numbers without gaps, one line each, in a file of the person alone', async () => {
    const stream = await start();
    const [first, second] = publish(stream, 2);
    expect(first).toEqual({
      epoch: stream.cursor().epoch,
      seq: 1,
      at: '2026-03-01T12:00:00.000Z',
      type: 'thing.done',
      project: 'shop',
      subject: 'thing:0',
      data: { index: 0 },
    });
    expect(stream.cursor()).toEqual({ epoch: first!.epoch, seq: 2 });
    const [name] = await readdir(dir);
    expect(
      (await readFile(join(dir, name!), 'utf8'))
        .split('\n')
        .slice(0, 2)
        .map((line) => JSON.parse(line)),
    ).toEqual([first, second]);
    expect((await stat(join(dir, name!))).mode & 0o777).toBe(0o600);
    expect((await stat(dir)).mode & 0o777).toBe(0o700);
  });

  test('live and replayed events are equal, whatever the data', async () => {
    const stream = await start();
    const live = stream.subscribe();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.string({ unit: 'binary' }), async (data, text) => {
        const before = stream.cursor();
        const held = { data, text, gone: undefined };
        const published = stream.publish({ type: 't.d', project: null, subject: text, data: held });
        held.text = 'changed afterwards';
        const [fromLive] = await take(live, 1);
        const [fromFile] = await take(stream.subscribe({ after: before }), 1);
        expect(fromLive).toEqual(published);
        expect(fromFile).toEqual(published);
        expect(fromFile).toMatchObject({ data: { text } });
      }),
      { numRuns: 100 },
    );
  });

  test('a secret in the data is masked, for readers and on the disk [SEC-SECRETS]', async () => {
    const stream = await start();
    const live = stream.subscribe();
    const secret = ['ghp', 'a1B2'.repeat(9)].join('_');
    stream.publish({ type: 't.d', project: null, subject: null, data: { said: [`use ${secret}`], count: 1 } });
    const [event] = await take(live, 1);
    expect(event?.data).toEqual({ said: ['use [secret removed: GitHub token]'], count: 1 });
    const [name] = await readdir(dir);
    expect(await readFile(join(dir, name!), 'utf8')).not.toContain(secret);
  });

  test('data without a JSON form is refused and takes no number', async () => {
    const stream = await start();
    expect(() => stream.publish({ type: 't.d', project: null, subject: null, data: { big: 1n } })).toThrow(
      /no JSON form/,
    );
    expect(publish(stream, 1)[0]?.seq).toBe(1);
  });

  test('after the close it is refused', async () => {
    const stream = await start();
    await stream.close();
    expect(() => publish(stream, 1)).toThrow(/stream was closed/);
    expect(await take(stream.subscribe(), 1)).toEqual([]);
  });
});

describe('subscribe', () => {
  test('from now on, or from a cursor; filtered', async () => {
    const stream = await start();
    publish(stream, 3);
    const fromNow = stream.subscribe();
    const fromFirst = stream.subscribe({ after: { ...stream.cursor(), seq: 1 }, filter: ({ seq }) => seq % 2 === 1 });
    publish(stream, 3);
    expect(seqs(await take(fromNow, 3))).toEqual([4, 5, 6]);
    expect(seqs(await take(fromFirst, 2))).toEqual([3, 5]);
    expect(fromFirst.gap).toBe(false);
  });

  test('a waiting reader gets the next event', async () => {
    const stream = await start();
    const waiting = take(stream.subscribe(), 1);
    publish(stream, 1);
    expect(seqs(await waiting)).toEqual([1]);
  });

  test('leaving the loop, or close, ends it; the rest is not given', async () => {
    const stream = await start();
    const left = stream.subscribe({ after: stream.cursor() });
    const closed = stream.subscribe({ after: stream.cursor() });
    const waiting = take(stream.subscribe(), 1);
    publish(stream, 3);
    for await (const event of left) {
      expect(event.seq).toBe(1);
      break;
    }
    expect(left.ended).toBe('closed');
    closed.close();
    expect(await take(closed, 1)).toEqual([]);
    expect(seqs(await waiting)).toEqual([1]);
    const idle = stream.subscribe();
    const ended = take(idle, 1);
    idle.close();
    expect(await ended).toEqual([]);
  });

  test('closing the stream lets every reader finish', async () => {
    const stream = await start();
    const live = stream.subscribe();
    const replaying = stream.subscribe({ after: stream.cursor() });
    publish(stream, 5);
    await stream.close();
    await stream.close();
    expect(seqs(await take(live, 9))).toEqual([1, 2, 3, 4, 5]);
    expect(seqs(await take(replaying, 9))).toEqual([1, 2, 3, 4, 5]);
    expect(live.ended).toBe('closed');
  });

  test('a reader that does not read is dropped and catches up from its cursor [SYS-EVENTS]', async () => {
    const stream = await start();
    const slow = stream.subscribe({ maxBuffered: 10 });
    const wide = stream.subscribe();
    publish(stream, 3);
    const [first] = await take(slow, 1);
    publish(stream, 100);
    expect(slow.ended).toBe('dropped');
    expect(await take(slow, 1)).toEqual([]);
    const again = stream.subscribe({ after: first! });
    expect(seqs(await take(again, 102))).toEqual(range(2, 103));
    expect(seqs(await take(wide, 103))).toEqual(range(1, 103));
  });

  test('a reader that replays is not dropped, however much is published', async () => {
    const stream = await start();
    publish(stream, 50);
    const reader = stream.subscribe({ after: { ...stream.cursor(), seq: 0 }, maxBuffered: 1 });
    const read: number[] = [];
    for await (const event of reader) {
      read.push(event.seq);
      if (event.seq <= 50) publish(stream, 20);
      if (event.seq === 1050) break;
    }
    expect(read).toEqual(range(1, 1050));
  });

  test('cursors of another numbering, or of what is no longer there, say so', async () => {
    const stream = await start();
    publish(stream, 2);
    for (const after of [
      { epoch: 'other', seq: 1 },
      { ...stream.cursor(), seq: 99 },
    ]) {
      const reader = stream.subscribe({ after });
      expect(reader.gap).toBe(true);
      expect(seqs(await take(reader, 2))).toEqual([1, 2]);
    }
  });
});

describe('over restarts and days', () => {
  test('the same epoch, the numbers go on, what was before is replayed [SYS-EVENTS]', async () => {
    const first = await start();
    publish(first, 3);
    const after: Cursor = { ...first.cursor(), seq: 1 };
    await first.close();
    now += 2 * day;
    const second = await start();
    expect(second.cursor()).toEqual({ ...after, seq: 3 });
    publish(second, 2);
    expect(seqs(await take(second.subscribe({ after }), 4))).toEqual([2, 3, 4, 5]);
    expect(await readdir(dir)).toHaveLength(2);
  });

  test('a new day begins a new file while it runs; seven days are kept', async () => {
    const stream = await start();
    for (let passed = 0; passed < 12; passed += 1) {
      publish(stream, 2);
      now += day;
    }
    // The last event is of the twelfth day, so the first to fourth are gone.
    expect(await readdir(dir)).toHaveLength(8);
    const reader = stream.subscribe({ after: { ...stream.cursor(), seq: 3 } });
    expect(reader.gap).toBe(true);
    expect(seqs(await take(reader, 16))).toEqual(range(9, 24));
    expect(stream.subscribe({ after: { ...stream.cursor(), seq: 8 } }).gap).toBe(false);
    await stream.close();
    now += 3 * day;
    expect(seqs(await take((await start()).subscribe({ after: { epoch: 'x', seq: 1 } }), 8))).toEqual(range(17, 24));
  });

  test('after a long rest the numbers still go on', async () => {
    const first = await start();
    publish(first, 3);
    await first.close();
    now += 100 * day;
    const second = await start();
    expect(second.cursor()).toEqual(first.cursor());
    expect(publish(second, 1)[0]?.seq).toBe(4);
  });

  test('after a start of the machine no number is used a second time, though the last events were lost', async () => {
    const first = await start('one');
    publish(first, 5);
    const seen = first.cursor();
    await first.close();
    // What a power cut leaves: the last lines never reached the disk.
    const [name] = await readdir(dir);
    const lines = (await readFile(join(dir, name!), 'utf8')).split('\n');
    await writeFile(join(dir, name!), `${lines.slice(0, 3).join('\n')}\n`);

    const second = await start('two');
    expect(second.cursor().epoch).not.toBe(seen.epoch);
    publish(second, 5);
    const reader = second.subscribe({ after: seen });
    expect(reader.gap).toBe(true);
    expect(seqs(await take(reader, 5))).toEqual([1, 2, 3, 4, 5]);
    await second.close();
    const third = await start('two');
    expect(third.cursor()).toEqual(second.cursor());
    now += 30 * day;
    await third.close();
    expect((await start('two')).cursor()).toEqual(second.cursor());
    expect(await readdir(dir)).toHaveLength(1);
  });

  test('without a word from outside: two openings on one machine have one epoch', async () => {
    const first = await openEventStream(ctx, dir);
    await first.close();
    const second = await openEventStream(ctx, dir);
    open.push(second);
    expect(second.cursor().epoch).toBe(first.cursor().epoch);
  });

  test('a clock that goes back makes no new file', async () => {
    const stream = await start();
    publish(stream, 1);
    now -= 3 * day;
    publish(stream, 1);
    expect(await readdir(dir)).toHaveLength(1);
    expect(seqs(await take(stream.subscribe({ after: { ...stream.cursor(), seq: 0 } }), 2))).toEqual([1, 2]);
  });

  test('cut anywhere, the file is repaired: what is whole stays, the numbers go on', async () => {
    const first = await start();
    publish(first, 20);
    await first.close();
    const [name] = await readdir(dir);
    const whole = await readFile(join(dir, name!));
    const size = whole.length;
    const original = whole.toString().trimEnd().split('\n');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: size }),
        fc.constantFrom('', '\0\0\0', '{"seq":', 'x\n', '\n\n', '{}\n'),
        async (cut, tail) => {
          await writeFile(join(dir, name!), whole);
          await truncate(join(dir, name!), cut);
          await appendFile(join(dir, name!), tail);
          const found = (await readFile(join(dir, name!), 'utf8')).split('\n').slice(0, -1);
          const lines = found.filter((line, index) => line === original[index]).length;
          const stream = await openEventStream(ctx, dir, { boot: 'this start' });
          expect(stream.cursor()).toEqual({ ...first.cursor(), seq: lines });
          publish(stream, 2);
          const reader = stream.subscribe({ after: { ...stream.cursor(), seq: 0 } });
          expect(seqs(await take(reader, lines + 2))).toEqual(range(1, lines + 2));
          expect(reader.gap).toBe(false);
          await stream.close();
        },
      ),
      { numRuns: 100 },
    );
  });

  test('a damaged line in the middle costs that line only, and the reader is told', async () => {
    const first = await start();
    publish(first, 5);
    await first.close();
    const [name] = await readdir(dir);
    const lines = (await readFile(join(dir, name!), 'utf8')).split('\n');
    lines[2] = lines[2]!.slice(0, 30);
    await writeFile(join(dir, name!), lines.join('\n'));
    const reader = (await start()).subscribe({ after: { ...first.cursor(), seq: 0 } });
    expect(seqs(await take(reader, 4))).toEqual([1, 2, 4, 5]);
    expect(reader.gap).toBe(true);
  });

  test('a long event and other files in the folder', async () => {
    const first = await start();
    first.publish({ type: 't.d', project: null, subject: null, data: 'é'.repeat(1_000_000) });
    publish(first, 1);
    await first.close();
    await writeFile(join(dir, 'notes.txt'), 'x');
    const second = await start();
    expect(second.cursor().seq).toBe(2);
    const [long] = await take(second.subscribe({ after: { ...second.cursor(), seq: 0 } }), 2);
    expect(String(long?.data)).toHaveLength(1_000_000);
    expect(await readdir(dir)).toContain('notes.txt');
  });
});

test('whatever the order of publishing, reading, dropping and restarting: nothing lost, nothing twice [SYS-EVENTS]', async () => {
  type Step = {
    readonly do: 'publish' | 'read' | 'subscribe' | 'restart' | 'sleep';
    readonly reader: number;
    readonly count: number;
  };
  const step: fc.Arbitrary<Step> = fc.record({
    do: fc.constantFrom('publish', 'publish', 'read', 'read', 'subscribe', 'restart', 'sleep'),
    reader: fc.nat(2),
    count: fc.integer({ min: 1, max: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.boolean(), async (steps, interleaved) => {
      await rm(dir, { recursive: true, force: true });
      let stream = await openEventStream(ctx, dir);
      const zero = { ...stream.cursor(), seq: 0 };
      const readers = [0, 1, 2].map(() => ({
        got: [] as number[],
        cursor: zero as Cursor,
        subscription: stream.subscribe({ after: zero, maxBuffered: 5 }),
      }));
      const pending: Promise<void>[] = [];
      const read = async (reader: (typeof readers)[number], count: number): Promise<void> => {
        const { subscription } = reader;
        const wanted = Math.min(count, stream.cursor().seq - reader.cursor.seq);
        for (const event of await take(subscription, wanted)) {
          reader.got.push(event.seq);
          reader.cursor = event;
        }
        if (subscription.ended === 'dropped')
          reader.subscription = stream.subscribe({ after: reader.cursor, maxBuffered: 5 });
      };
      for (const { do: what, reader: number, count } of steps) {
        const reader = readers[number]!;
        if (what === 'publish') publish(stream, count);
        else if (what === 'sleep') now += day / 3;
        else if (what === 'read' && interleaved && pending.length === 0) pending.push(read(reader, count));
        else {
          await Promise.all(pending.splice(0));
          if (what === 'read') await read(reader, count);
          if (what === 'subscribe') {
            reader.subscription.close();
            reader.subscription = stream.subscribe({ after: reader.cursor, maxBuffered: 5 });
          }
          if (what === 'restart') {
            await stream.close();
            stream = await openEventStream(ctx, dir);
            for (const each of readers) each.subscription = stream.subscribe({ after: each.cursor, maxBuffered: 5 });
          }
        }
      }
      await Promise.all(pending);
      const { seq } = stream.cursor();
      for (const reader of readers) {
        while (reader.cursor.seq < seq) await read(reader, seq);
        expect(reader.subscription.gap).toBe(false);
        expect(reader.got).toEqual(range(1, seq));
      }
      await stream.close();
    }),
    { numRuns: 100 },
  );
});

test.runIf(existsSync('/dev/full'))('a full disk: events are still numbered, handed on and replayed', async () => {
  const before = await start();
  const { epoch } = before.cursor();
  await before.close();
  await rm(join(dir, `20260301-${epoch}-000000000001.jsonl`));
  await symlink('/dev/full', join(dir, `20260301-${epoch}-000000000001.jsonl`));
  const stream = await start();
  const live = stream.subscribe();
  publish(stream, 3);
  expect(seqs(await take(live, 3))).toEqual([1, 2, 3]);
  expect(seqs(await take(stream.subscribe({ after: { epoch, seq: 1 } }), 2))).toEqual([2, 3]);
});

test('a hundred thousand events are replayed piece by piece', async () => {
  const stream = await start();
  publish(stream, 100_000);
  let expected = 1;
  for await (const event of stream.subscribe({ after: { ...stream.cursor(), seq: 0 } })) {
    if (event.seq !== expected) expect(event.seq).toBe(expected);
    expected += 1;
    if (event.seq === 100_000) break;
  }
  expect(expected).toBe(100_001);
  expect(seqs(await take(stream.subscribe({ after: { ...stream.cursor(), seq: 99_990 } }), 10))).toEqual(
    range(99_991, 100_000),
  );
});
