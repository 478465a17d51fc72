import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { tempFolder } from '../../../test/help/repositories.ts';
import { createBackground } from '../background/background.ts';
import { systemClock } from '../clock/clock.ts';
import { silentLog } from '../log/log.ts';
import { followLines } from './follow-lines.ts';
import { createLineLog } from './line-log.ts';
import { findLine, readFileEnd } from './line-search.ts';
import { createReader, hasChanged, maxLineBytes, readOn } from './lines.ts';

const schema = z.object({ n: z.int().min(1), text: z.string() });
type Entry = z.infer<typeof schema>;

function lineOf(n: number, text = `line ${n}`): string {
  return `${JSON.stringify({ n, text })}\n`;
}

interface Reading {
  readonly path: string;
  readonly got: Entry[];
  readonly said: string[];
  /** Reads on; true at the end of what is there. */
  readonly more: (limit?: number) => Promise<boolean>;
  readonly isDue: () => boolean;
}

async function read(from = 1, path?: string): Promise<Reading> {
  const file = { path: path ?? join(await tempFolder(), 'lines.jsonl'), schema };
  const got: Entry[] = [];
  const said: string[] = [];
  const reader = createReader(file, from, (text) => said.push(text));
  const more: Reading['more'] = (limit) => readOn(reader, (entry) => void got.push(entry), limit);
  return { path: file.path, got, said, more, isDue: () => hasChanged(reader) };
}

test('one look tells whether there may be more to read', async () => {
  const { path, more, isDue } = await read();
  expect(isDue(), 'no file').toBe(false);
  await more();
  expect(isDue(), 'still no file').toBe(false);
  const changes: Record<string, () => void> = {
    'it came': () => writeFileSync(path, lineOf(1) + lineOf(2).slice(0, 9)),
    'half a line became a whole one': () => appendFileSync(path, lineOf(2).slice(9)),
    'two more': () => appendFileSync(path, lineOf(3) + lineOf(4)),
    'became shorter': () => truncateSync(path, lineOf(1).length),
    'was replaced by one of the same length': () => {
      writeFileSync(`${path}.new`, lineOf(5));
      renameSync(`${path}.new`, path);
    },
    'is gone': () => rmSync(path),
  };
  for (const [what, change] of Object.entries(changes)) {
    change();
    expect(isDue(), `${what}, and is not read`).toBe(true);
    await more();
    expect(isDue(), `${what}, and was read`).toBe(false);
  }
  writeFileSync(path, lineOf(6) + lineOf(7));
  await more(1);
  expect(isDue(), 'not read to its end').toBe(true);
  await more();
  expect(isDue()).toBe(false);
});

test('gives each line once, in order, and waits for one that has no end yet', async () => {
  const { path, got, said, more } = await read();
  await more();
  writeFileSync(path, lineOf(1) + lineOf(2).slice(0, 9));
  await more();
  expect(got.map(({ n }) => n)).toEqual([1]);
  appendFileSync(path, lineOf(2).slice(9) + lineOf(3));
  await more();
  await more();
  expect(got).toEqual([1, 2, 3].map((n) => ({ n, text: `line ${n}` })));
  expect(said).toEqual([]);
});

test('leaves out and tells what is no line, and goes on behind it', async () => {
  const { path, got, said, more } = await read();
  writeFileSync(path, `${lineOf(1)}no json\n\n{"n":2}\n${lineOf(2)}${lineOf(2)}${lineOf(5)}\0\0\n`);
  await more();
  expect(got.map(({ n }) => n)).toEqual([1, 2, 5]);
  expect(said).toEqual([
    'lines.jsonl has a line after line 1 that cannot be understood',
    'lines.jsonl has a line after line 1 that cannot be understood',
    'lines.jsonl has the line 2 twice',
    'lines.jsonl lacks the lines 3 to 4',
    'lines.jsonl has a line after line 5 that cannot be understood',
  ]);
});

test('tells of many faults only that there are more', async () => {
  const { path, said, more } = await read();
  writeFileSync(path, 'x\n'.repeat(10_000));
  await more();
  expect(said).toHaveLength(20);
  expect(said.at(-1)).toBe('lines.jsonl has more of such faults; they are not told');
});

test('begins again where the file became shorter, was replaced or went, and gives nothing twice', async () => {
  const { path, got, said, more } = await read();
  writeFileSync(path, lineOf(1) + lineOf(2));
  await more();
  truncateSync(path, lineOf(1).length);
  await more();
  appendFileSync(path, lineOf(2, 'again') + lineOf(3));
  await more();
  writeFileSync(`${path}.new`, lineOf(1) + lineOf(2) + lineOf(3) + lineOf(4));
  renameSync(`${path}.new`, path);
  await more();
  rmSync(path);
  await more();
  writeFileSync(path, lineOf(4) + lineOf(5));
  await more();
  expect(got.map(({ n }) => n)).toEqual([1, 2, 3, 4, 5]);
  expect(said).toEqual(
    ['became shorter', 'was replaced by another one', 'is gone'].map((what) => `lines.jsonl ${what}`),
  );
});

test('takes a line of 1 MB, leaves out a longer one, and keeps nothing of it', async () => {
  const { path, got, said, more } = await read();
  const long = lineOf(1, 'a'.repeat(maxLineBytes - 30));
  writeFileSync(path, long + lineOf(2, 'b'.repeat(maxLineBytes)).slice(0, -1));
  await more();
  expect(got.map(({ n }) => n)).toEqual([1]);
  appendFileSync(path, 'c'.repeat(3 * maxLineBytes));
  await more();
  appendFileSync(path, `\n${lineOf(3)}`);
  await more();
  expect(got.map(({ n }) => n)).toEqual([1, 3]);
  expect(said).toEqual([
    `lines.jsonl has a line of more than ${maxLineBytes} bytes after line 1`,
    'lines.jsonl lacks the lines 2 to 2',
  ]);
});

test('reads of 200 MB only what is asked for, and nothing behind them', async () => {
  const path = join(await tempFolder(), 'lines.jsonl');
  const block = (first: number): string =>
    Array.from({ length: 1000 }, (_, i) => lineOf(first + i, 'x'.repeat(2000))).join('');
  for (let n = 1; n < 103_000; n += 1000) appendFileSync(path, block(n));
  const { lastN } = await readFileEnd(path);
  expect(lastN).toBe(103_000);
  const { got, more } = await read(90_000, path);
  expect(await more(3)).toBe(false);
  const handle = await open(path);
  const { size } = await handle.stat();
  const offset = await findLine(handle, size, 90_000);
  await handle.close();
  expect(offset / size).toBeGreaterThan(0.86);
  expect(got.map(({ n }) => n)).toEqual([90_000, 90_001, 90_002]);
  const end = await read(98_000, path);
  expect(await end.more()).toBe(true);
  expect(end.said).toEqual(['lines.jsonl is longer than 200000000 bytes; what follows is not read']);
  expect(end.got.at(-1)!.n).toBeGreaterThan(98_500);
});

test('follows no link, waits for no pipe and reads no folder', async () => {
  const folder = await tempFolder();
  writeFileSync(join(folder, 'real.jsonl'), lineOf(1));
  symlinkSync('real.jsonl', join(folder, 'link.jsonl'));
  execFileSync('mkfifo', [join(folder, 'pipe.jsonl')]);
  mkdirSync(join(folder, 'folder.jsonl'));
  for (const name of ['link', 'pipe', 'folder']) {
    const { got, said, more } = await read(1, join(folder, `${name}.jsonl`));
    expect(await more()).toBe(true);
    expect([got, said.length]).toEqual([[], 1]);
  }
});

test('whatever the file holds, and however it comes, no line is lost, given twice or out of order', async () => {
  const folder = await tempFolder();
  let filesMade = 0;
  const part = fc.oneof(
    fc.constant('line' as const),
    fc.string({ maxLength: 30 }).map((text) => ({ garbage: `${text.replaceAll('\n', '')}\n` })),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => ({ garbage: Buffer.concat([bytes, Buffer.from('\n')]) })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 40 }),
      fc.array(fc.nat(400), { maxLength: 12 }),
      fc.nat(45),
      async (parts, cuts, after) => {
        let n = 0;
        const bytes = Buffer.concat(parts.map((one) => Buffer.from(one === 'line' ? lineOf((n += 1)) : one.garbage)));
        const from = Math.min(after, n) + 1;
        const { path, got, more } = await read(from, join(folder, `${(filesMade += 1)}.jsonl`));
        let written = 0;
        for (const cut of [...cuts, bytes.length]) {
          appendFileSync(path, bytes.subarray(written, Math.max(written, Math.min(cut, bytes.length))));
          written = Math.max(written, Math.min(cut, bytes.length));
          await more();
        }
        expect(got.map((entry) => entry.n)).toEqual(Array.from({ length: n - from + 1 }, (_, i) => from + i));
      },
    ),
    { numRuns: 150 },
  );
});

test('a log writes every line whole and numbered, also when many add at once', async () => {
  const path = join(await tempFolder(), 'lines.jsonl');
  const log = await createLineLog(path);
  await Promise.all(
    Array.from({ length: 300 }, (_, i) => log.add({ text: `line ${i + 1}` }, { durable: i % 3 === 0 })),
  );
  await log.close();
  await expect(createLineLog(path)).rejects.toThrow('is there already');
  const { got, said, more } = await read(1, path);
  await more();
  expect(got).toEqual(Array.from({ length: 300 }, (_, i) => ({ n: i + 1, text: `line ${i + 1}` })));
  expect(said).toEqual([]);
});

function ctxOf() {
  const background = createBackground(silentLog);
  onTestFinished(async () => void (await background.stop(5000)));
  return { ctx: { clock: systemClock, log: silentLog, spawn: background.spawn }, background };
}

test('a follower tells of lines as they come, from before the file is there', async () => {
  const path = join(await tempFolder(), 'later', 'lines.jsonl');
  const { ctx, background } = ctxOf();
  const got: number[] = [];
  const follower = followLines(
    ctx,
    { path, schema },
    { from: 1, onEntry: ({ n }) => void got.push(n), onAnomaly: () => undefined },
  );
  mkdirSync(join(path, '..'));
  writeFileSync(path, lineOf(1));
  await vi.waitFor(() => expect(got).toEqual([1]), { timeout: 15_000 });
  for (let n = 2; n <= 50; n += 1) appendFileSync(path, lineOf(n));
  await follower.catchUp();
  expect(got).toHaveLength(50);
  await follower.close();
  await follower.close();
  appendFileSync(path, lineOf(51));
  await background.idle();
  expect(got).toHaveLength(50);
});

test('a line that is not taken is given again, and the next ones wait for it', async () => {
  const path = join(await tempFolder(), 'lines.jsonl');
  writeFileSync(path, lineOf(1) + lineOf(2));
  const { ctx } = ctxOf();
  const got: number[] = [];
  let refusals = 2;
  const onEntry = ({ n }: Entry): void => {
    if (n === 1 && (refusals -= 1) >= 0) throw new Error('not now');
    got.push(n);
  };
  const follower = followLines(ctx, { path, schema }, { from: 1, onEntry, onAnomaly: () => undefined });
  await vi.waitFor(() => expect(got).toEqual([1, 2]), { timeout: 15_000 });
  await follower.close();
});

test('a line that could not be made durable is gone, and its number is free for the next one', async () => {
  const path = join(await tempFolder(), 'lines.jsonl');
  const log = await createLineLog(path);
  await log.add({ text: 'one' }, { durable: true });
  const probe = await open(path);
  const failing = vi.spyOn(Object.getPrototypeOf(probe) as { datasync(): Promise<void> }, 'datasync');
  onTestFinished(() => failing.mockRestore());
  failing.mockRejectedValueOnce(new Error('EIO'));
  await expect(log.add({ text: 'lost' }, { durable: true })).rejects.toThrow('EIO');
  await log.add({ text: 'two' }, { durable: true });
  await log.close();
  await probe.close();
  const reading = await read(1, path);
  await reading.more();
  expect(reading.got).toEqual([
    { n: 1, text: 'one' },
    { n: 2, text: 'two' },
  ]);
  expect(reading.said).toEqual([]);
});
