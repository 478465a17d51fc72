import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { handClock } from '../../../../test/help/hand-clock.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import { type Background, createBackground } from '../../background/background.ts';
import { type Clock, systemClock } from '../../clock/clock.ts';
import { silentLog } from '../../log/log.ts';
import type { Signal } from '../contract.ts';
import { type SignalWatch, type ToldSignal, watchSignals } from './signals.ts';

let background: Background;
let folder: string;
let told: ToldSignal[];
let watch: SignalWatch | undefined;

beforeEach(() => {
  background = createBackground(silentLog);
  folder = mkdtempSync(join(tmpdir(), 'gh-signals-'));
  told = [];
});

afterEach(async () => {
  await watch?.close();
  watch = undefined;
  await background.stop(1_000);
});

async function start(
  take: (signal: ToldSignal) => Promise<void> = async (one) => void told.push(one),
  more: { clock?: Clock; isOver?: () => boolean } = {},
): Promise<void> {
  const ctx = { clock: more.clock ?? systemClock, log: silentLog, spawn: background.spawn };
  watch = await watchSignals(ctx, { folder, readSignal: (json) => json as Signal, take, ...more });
}

const nameOf = (n: number): string => `17000000000000000${String(n).padStart(2, '0')}-77.json`;

/** As a hook does it: whole or not at all. */
function put(n: number, content: unknown): string {
  const path = join(folder, nameOf(n));
  writeFileSync(`${path}.tmp`, typeof content === 'string' ? content : JSON.stringify(content));
  renameSync(`${path}.tmp`, path);
  return path;
}

describe('signals', () => {
  test('are told in the order of their time, those first that were there before, and go', async () => {
    for (const n of [3, 1, 2]) put(n, { kind: 'spoke', text: `${n}` });
    await start();
    await watch!.look();
    put(4, { kind: 'prompted', text: '4' });
    await waitUntil(() => told.length === 4);
    expect(told.map(({ signal }) => 'text' in signal && signal.text)).toEqual(['1', '2', '3', '4']);
    expect(told.map(({ name }) => name)).toEqual([1, 2, 3, 4].map(nameOf));
    await waitUntil(() => readdirSync(folder).length === 0);
  });

  test('however many there are, are told in the order of their time, also within a microsecond', async () => {
    const many = 1_300;
    for (let n = 0; n < many; n += 1) {
      const name = `${1_700_000_000_000_000_000n + BigInt(n)}-${9_999 - n}.json`;
      writeFileSync(join(folder, name), JSON.stringify({ kind: 'spoke', text: String(n) }));
    }
    await start();
    await watch!.look();
    await watch!.look();
    expect(told.map(({ signal }) => 'text' in signal && Number(signal.text))).toEqual([...Array(many).keys()]);
  });

  test('are not looked for when the program has ended and all is taken', async () => {
    const clock = handClock();
    let [isOver, refuses] = [false, true];
    const take = async (one: ToldSignal): Promise<void> => {
      if (refuses) throw new Error('the disk is full');
      told.push(one);
    };
    await start(take, { clock, isOver: () => isOver });
    put(1, { kind: 'spoke', text: 'last words' });
    await watch!.look();
    isOver = true;
    await clock.pass(6_000);
    refuses = false;
    await clock.pass(11_000);
    await waitUntil(() => told.length === 1);
    await clock.pass(6_000);
    const late = put(2, { kind: 'spoke', text: 'of nobody' });
    await clock.pass(20_000);
    expect(existsSync(late)).toBe(true);
    expect(told).toHaveLength(1);
  });

  test('that nobody took stay, and are told again in order; what is no speech does not wait for them', async () => {
    let refuses = true;
    await start(async (one) => {
      if (refuses && one.signal.kind === 'spoke') throw new Error('the disk is full');
      told.push(one);
    });
    const first = put(1, { kind: 'spoke', text: 'one' });
    put(2, { kind: 'spoke', text: 'two' });
    put(3, { kind: 'prompted', text: 'three' });
    await waitUntil(() => told.length === 1);
    expect(told[0]!.signal).toEqual({ kind: 'prompted', text: 'three' });
    expect(existsSync(first)).toBe(true);
    refuses = false;
    await watch!.look();
    expect(told.map(({ name }) => name)).toEqual([3, 1, 2].map(nameOf));
  });

  test.each<[string, (path: string) => void]>([
    ['a link to a file', (path) => symlinkSync('/etc/hostname', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a pipe', (path) => void execFileSync('mkfifo', [path])],
    ['a folder', (path) => void mkdirSync(join(path, 'deep'), { recursive: true })],
    ['a gigabyte', (path) => (writeFileSync(path, ''), truncateSync(path, 1_000_000_000))],
    ['no JSON', (path) => writeFileSync(path, '{"kind":"spoke"')],
    ['another shape', (path) => writeFileSync(path, '{"kind":"spoke","text":7}')],
    ['nothing', (path) => writeFileSync(path, '')],
    ['a name that is none of ours', (path) => writeFileSync(path.replace('.json', '.sh'), 'touch /tmp/x')],
  ])('are plain files of moderate size: %s is none, and stops nobody', async (_name, make) => {
    make(join(folder, nameOf(1)));
    await start();
    put(2, { kind: 'started' });
    await waitUntil(() => told.length > 0);
    await watch!.look();
    expect(told.map(({ signal }) => signal)).toEqual([{ kind: 'started' }]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.json'))).toEqual([]);
  });

  test('that are folders are never entered: a link that comes in their place meanwhile leads nowhere', async () => {
    mkdirSync(join(folder, nameOf(1), 'deep'), { recursive: true });
    writeFileSync(join(folder, nameOf(1), 'deep', 'kept'), '');
    await start();
    await watch!.look();
    expect(readdirSync(folder)).toEqual([`.${nameOf(1)}.aside`]);
    expect(existsSync(join(folder, `.${nameOf(1)}.aside`, 'deep', 'kept'))).toBe(true);
  });

  test('are not looked for where a link stands in place of the folder', async () => {
    const other = mkdtempSync(join(tmpdir(), 'gh-other-'));
    writeFileSync(join(other, nameOf(1)), '{"kind":"started"}');
    folder = join(other, 'link');
    symlinkSync(other, folder);
    await start();
    await watch!.look();
    expect(told).toEqual([]);
    expect(existsSync(join(other, nameOf(1)))).toBe(true);
  });
});
