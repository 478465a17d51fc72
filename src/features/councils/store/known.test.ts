/** Sessions that came with a repository: whatever stands in their place, the others are listed, and soon. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleSession } from '../../../../test/help/council-values.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { readKnownSessions } from './known.ts';
import { sessionPath, sessionsFolder } from './place.ts';
import { printSession } from './session-file.ts';

async function rootWithOne(): Promise<string> {
  const root = await tempFolder();
  mkdirSync(join(root, sessionsFolder), { recursive: true });
  const session = sampleSession();
  writeFileSync(join(root, sessionPath(session.sessionId)), printSession(session));
  return root;
}

test('what cannot be opened or read is told beside those that can', async () => {
  const root = await rootWithOne();
  const hostile = join(root, sessionPath('2020-01-01-hostile'));
  const server = createServer();
  const makes: (() => unknown)[] = [
    () => writeFileSync(hostile, `session_id: ${'['.repeat(200_000)}${']'.repeat(200_000)}\n`),
    () => symlinkSync('/dev/null/below', hostile),
    () => symlinkSync('2020-01-01-hostile.yaml', hostile),
    () => mkdirSync(hostile),
    async () => new Promise<void>((resolve) => void server.listen(hostile, resolve)),
  ];
  try {
    for (const make of makes) {
      rmSync(hostile, { recursive: true, force: true });
      await make();
      const found = await readKnownSessions({ knownSessions: new Map() }, root);
      expect(found.sessions).toHaveLength(1);
    }
  } finally {
    server.close();
  }
});

test('a session that is gone from its folder is gone from memory, and those of other folders stay', async () => {
  const ctx = { knownSessions: new Map() };
  const [root, other] = [await rootWithOne(), await rootWithOne()];
  for (const each of [root, other]) await readKnownSessions(ctx, each);
  expect(ctx.knownSessions.size).toBe(2);
  rmSync(join(root, sessionPath(sampleSession().sessionId)));
  await readKnownSessions(ctx, root);
  expect([...ctx.knownSessions.keys()]).toEqual([join(other, sessionPath(sampleSession().sessionId))]);
});

test('a folder that is a link to itself holds none', async () => {
  const root = await tempFolder();
  mkdirSync(join(root, '.gaia/memory'), { recursive: true });
  symlinkSync('meeting-sessions', join(root, sessionsFolder));
  expect(await readKnownSessions({ knownSessions: new Map() }, root)).toEqual({ sessions: [], problems: [] });
});

test('very many fields in another form of YAML are no work of minutes; a field that stands twice is named', async () => {
  const root = await rootWithOne();
  const fields = Array.from({ length: 30_000 }, (_, at) => `k${at}: a`);
  writeFileSync(join(root, sessionPath('2020-01-01-many')), [...fields, 'k9: again'].join('\n'));
  const { problems } = await readKnownSessions({ knownSessions: new Map() }, root);
  expect(problems).toMatchObject([{ message: expect.stringContaining('at line 30001: a field stands there again') }]);
});

test('very many names that refer to each other are no work of minutes', async () => {
  const root = await rootWithOne();
  const names = Array.from({ length: 20_000 }, (_, at) => `- &a${at} 1\n- *a${at}\n`).join('');
  writeFileSync(join(root, sessionPath('2020-01-01-names')), `# by hand\nitems:\n${names}`);
  const { problems } = await readKnownSessions({ knownSessions: new Map() }, root);
  expect(problems).toMatchObject([{ message: expect.stringContaining('very many aliases') }]);
});

test('more of it than anybody writes is not looked at', async () => {
  const root = await rootWithOne();
  writeFileSync(join(root, sessionPath('2020-01-01-large')), `# by hand\n${'a: b\n'.repeat(600_000)}`);
  const { problems } = await readKnownSessions({ knownSessions: new Map() }, root);
  expect(problems).toMatchObject([{ message: expect.stringContaining('lines and fields') }]);
});
