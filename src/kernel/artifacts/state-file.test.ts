import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { stateFile } from './state-file.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gh-state-'));
  path = join(folder, 'deep/x.json');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const schema = z.strictObject({ name: z.string(), count: z.number() });
const place = async (text: string) => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};

describe('stateFile', () => {
  test('read, write, remove', async () => {
    const file = stateFile({ path, schema, version: 2 });
    expect(await file.read()).toBeUndefined();
    await file.write({ name: 'é\ud800', count: 1 });
    expect(await file.read()).toEqual({ name: 'é\ud800', count: 1 });
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version: 2 });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await file.remove();
    await file.remove();
    expect(await file.read()).toBeUndefined();
  });

  test.each([
    ['', 'it is no JSON'],
    ['{"version":2,', 'it is no JSON'],
    ['[]', 'no `version`'],
    ['{"name":"x","count":1}', 'no `version`'],
    ['{"version":"2","name":"x","count":1}', 'no `version`'],
    ['{"version":3,"name":"x","count":1}', 'newer hall (version 3'],
    ['{"version":1,"name":"x","count":1}', 'version 1 is too old'],
    ['{"version":2,"name":"x","count":"many"}', 'count: '],
    ['{"version":2,"name":"x","count":1,"later":true}', 'later'],
  ])('%j is refused on reading and on writing, and left as it is [SYS-VERSION]', async (text, reason) => {
    await place(text);
    const file = stateFile({ path, schema, version: 2 });
    for (const attempt of [() => file.read(), () => file.write({ name: 'y', count: 2 })]) {
      await expect(attempt()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining(reason) });
    }
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test('a value that does not fit is named, with its field', async () => {
    await place('{"version":2,"name":"x","count":"many"}');
    await expect(stateFile({ path, schema, version: 2 }).read()).rejects.toMatchObject({
      message: expect.stringMatching(/x\.json cannot be read: count: /),
      details: { file: path },
    });
  });

  test('a wrong value is not written', async () => {
    const file = stateFile({ path, schema, version: 1 });
    await expect(file.write({ name: 'x' } as never)).rejects.toMatchObject({ code: 'conflict' });
    expect(await file.read()).toBeUndefined();
  });

  test.each(['read', 'write'] as const)('%s upgrades an older file and keeps a copy', async (verb) => {
    const old = '{"version":1,"name":"x"}';
    await place(old);
    const upgrade = (value: unknown, from: number) => ({ ...(value as object), count: from });
    const file = stateFile({ path, schema, version: 2, upgrade });
    if (verb === 'read') expect(await file.read()).toEqual({ name: 'x', count: 1 });
    else await file.write({ name: 'y', count: 5 });
    expect(await readFile(`${path}.v1`, 'utf8')).toBe(old);
    expect(await file.read()).toEqual(verb === 'read' ? { name: 'x', count: 1 } : { name: 'y', count: 5 });
    expect((await readdir(join(folder, 'deep'))).length).toBe(2);
  });

  test('an upgrade and a write at the same moment: what is written last stays', async () => {
    const upgrade = (value: unknown) => ({ ...(value as object), count: 0 });
    const file = stateFile({ path, schema, version: 2, upgrade });
    for (let round = 0; round < 30; round += 1) {
      await place('{"version":1,"name":"x"}');
      await Promise.all([file.read(), stateFile({ path, schema, version: 2, upgrade }).write({ name: 'y', count: 5 })]);
      expect(await file.read()).toEqual({ name: 'y', count: 5 });
    }
  });

  test('whatever stands in the file: a value, or a refusal that leaves it', async () => {
    await place('');
    const file = stateFile({ path, schema, version: 2 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), async (text) => {
        await writeFile(path, text);
        const answer = await file.read().catch((error: { code: string }) => error.code);
        expect(answer).toBe('conflict');
        expect((await readFile(path)).equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
});
