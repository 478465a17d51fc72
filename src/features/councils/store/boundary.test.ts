import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { runTestGit } from '../../../../test/help/repositories.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import { isBoundaryViolation, reasonAgainst, requireInside } from './boundary.ts';
import { removeCouncilFile, writeCouncilFile } from './writer.ts';

const places = [
  '.gaia/artifacts/creative-artifacts/meeting-notes/meeting-2026-05-18-a-b.md',
  '.gaia/artifacts/creative-artifacts/meeting-scratchpad/2026-05/a-b/SP-1-x.json',
  '.gaia/state/action-items.yaml',
  '.gaia/memory/Ada-sidecar/decisions/2026-05-18-a-b.md',
  '.gaia/memory/meeting-sessions/2026-05-18-a-b.yaml',
];

const elsewhere = [
  '.gaia/artifacts/creative-artifacts/prd.md',
  '.gaia/artifacts/creative-artifacts/meeting-notes/other.md',
  '.gaia/artifacts/creative-artifacts/meeting-notes/meeting-a.sh',
  '.gaia/artifacts/creative-artifacts/meeting-notes/deep/meeting-a.md',
  '.gaia/artifacts/creative-artifacts/meeting-scratchpad/2026-05/SP-1-x.md',
  '.gaia/artifacts/creative-artifacts/meeting-scratchpad/2026-05/a/b/SP-1-x.md',
  '.gaia/artifacts/creative-artifacts/meeting-scratchpad/2026-05/a/x.md',
  '.gaia/state/action-items.yaml.bak',
  '.gaia/state/sprint-status.yaml',
  '.gaia/memory/Ada-sidecar/decisions/a.sh',
  '.gaia/memory/Ada-sidecar/decisions/deep/a.md',
  '.gaia/memory/Ada-sidecar/a.md',
  '.gaia/memory/-sidecar/decisions/a.md',
  '.gaia/memory/action-items/a.yaml',
  '.gaia/memory/meeting-sessions/a.sh',
  '.gaia/memory/meeting-sessions/deep/a.yaml',
  '.gaia/custom/skills/x',
  '.gaia/artifacts/planning-artifacts/architecture.md',
  '_memory/action-items/a.yaml',
  'docs/prd.md',
  'docs/.gaia/state/action-items.yaml',
  '/etc/passwd',
  '/.gaia/state/action-items.yaml',
  './.gaia/state/action-items.yaml',
  '.gaia//state/action-items.yaml',
  '.gaia/state/../state/action-items.yaml',
  '.gaia/memory/a..b-sidecar/decisions/x.md',
  '.gaia/memory/meeting-sessions/a\nb.yaml',
  '.gaia/memory/meeting-sessions/a\0.yaml',
  '.GAIA/state/action-items.yaml',
  'src/a.ts',
];

describe('by its words alone', () => {
  test.each(places)('%s is a place of a council [CNC-BND-1]', (path) => {
    expect(reasonAgainst(path)).toBeUndefined();
  });

  test.each(elsewhere)('%j is none [CNC-BND-1, CNC-BND-3, CNC-BND-5]', async (path) => {
    expect(reasonAgainst(path)).toBeTypeOf('string');
    await expect(requireInside('/', path)).rejects.toThrow(
      /^HALT condition=WRITE-BOUNDARY-VIOLATION agent=— fr=FR-MTG-31 detail=[^\n]+$/,
    );
  });

  test('nothing but those places passes, whatever is put together', () => {
    const part = fc.constantFrom(
      '.gaia',
      'memory',
      'state',
      'x-sidecar',
      'decisions',
      'a.md',
      'meeting-a.md',
      'SP-1.md',
      '..',
      '',
      '.',
      'meeting-sessions',
      'a.yaml',
      'action-items.yaml',
      'artifacts',
      'creative-artifacts',
      'meeting-notes',
      '\n',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const path = parts.join('/');
        const fits =
          /^\.gaia\/(?:artifacts\/creative-artifacts\/meeting-notes\/meeting-a\.md|state\/action-items\.yaml|memory\/x-sidecar\/decisions\/(?:meeting-)?a\.md|memory\/meeting-sessions\/(?:a|action-items)\.yaml|memory\/x-sidecar\/decisions\/SP-1\.md)$/.test(
            path,
          );
        expect(reasonAgainst(path) === undefined).toBe(fits);
      }),
      { numRuns: 2000 },
    );
  });
});

/** A project with something outside that must not be touched. */
async function project(): Promise<{ root: string; outside: string }> {
  const folder = await tempFolder();
  const [root, outside] = [join(folder, 'root'), join(folder, 'outside')];
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, 'kept'), 'kept');
  return { root, outside };
}

const everything = (folder: string): string[] => readdirSync(folder, { recursive: true }).map(String).toSorted();

describe('on the disk', () => {
  test.each(places)(
    '%s: a link on any step of the way is refused, and nothing is written [CNC-BND-5]',
    async (path) => {
      const steps = path.split('/');
      for (const [at] of steps.entries()) {
        const { root, outside } = await project();
        const link = join(root, ...steps.slice(0, at + 1));
        mkdirSync(dirname(link), { recursive: true });
        const isFile = at === steps.length - 1;
        symlinkSync(isFile ? join(outside, 'kept') : outside, link);
        const attempt = writeCouncilFile({}, root, path, 'words');
        await expect(attempt).rejects.toThrow(/HALT condition=WRITE-BOUNDARY-VIOLATION .*symbolic link/);
        expect(everything(outside)).toEqual(['kept']);
        expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
        await expect(removeCouncilFile({}, root, path)).rejects.toThrow(/HALT/);
      }
    },
  );

  test('a link to a place inside, and one to nothing, are refused too', async () => {
    const { root } = await project();
    mkdirSync(join(root, '.gaia/memory/Ben-sidecar/decisions'), { recursive: true });
    symlinkSync('Ben-sidecar', join(root, '.gaia/memory/Ada-sidecar'));
    symlinkSync('/nowhere/at/all', join(root, '.gaia/state'));
    await expect(writeCouncilFile({}, root, places[3]!, 'x')).rejects.toThrow(/symbolic link/);
    await expect(writeCouncilFile({}, root, places[2]!, 'x')).rejects.toThrow(/symbolic link/);
  });

  test('a folder, a pipe and a file in the way are refused', async () => {
    const { root } = await project();
    mkdirSync(join(root, places[2]!), { recursive: true });
    await expect(writeCouncilFile({}, root, places[2]!, 'x')).rejects.toThrow(/is no plain file/);
    writeFileSync(join(root, '.gaia/memory'), 'a file');
    await expect(writeCouncilFile({}, root, places[4]!, 'x')).rejects.toThrow(/goes through \.gaia\/memory, no folder/);
  });

  test('what is refused says so to whoever asks', async () => {
    const { root } = await project();
    const error: unknown = await writeCouncilFile({}, root, 'src/a.ts', 'x').catch((thrown: unknown) => thrown);
    expect(isBoundaryViolation(error)).toBe(true);
    expect((error as HallError).code).toBe('forbidden');
    expect(isBoundaryViolation(new Error('other'))).toBe(false);
    expect(everything(root)).toEqual([]);
  });

  test('what is allowed is there as a whole, a session file for its owner alone [CNC-SAV-2, CNC-BND-4]', async () => {
    const { root } = await project();
    for (const path of places) await writeCouncilFile({}, root, path, 'a: 1\n');
    for (const path of places) expect(readFileSync(join(root, path), 'utf8')).toBe('a: 1\n');
    expect(statSync(join(root, places[4]!)).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, places[0]!)).mode & 0o044).not.toBe(0);
    expect(statSync(join(root, '.gaia')).mode & 0o011).not.toBe(0);
    expect(everything(root).filter((path) => path.endsWith('.tmp'))).toEqual([]);
  });
});

describe('secrets', () => {
  /** Put together here, so that no scanner takes this file for a leak. */
  const key = `AKIA${'IOSFODNN7ABCDEFG'}`;

  test.each(places)('%s is scrubbed as it is written [CNC-SEC-6]', async (path) => {
    const { root } = await project();
    await writeCouncilFile({}, root, path, `text: "the key ${key} is ours"\n`);
    expect(parse(readFileSync(join(root, path), 'utf8'))).toEqual({ text: 'the key REDACTED-AWS-KEY is ours' });
  });

  test('YAML stays YAML where a mark would be something else', async () => {
    const { root } = await project();
    await writeCouncilFile({}, root, places[4]!, `charter: password=${'hunter2!x'}\nmore: [1]\n`);
    expect(parse(readFileSync(join(root, places[4]!), 'utf8'))).toEqual({
      charter: 'password=[secret removed: password]',
      more: [1],
    });
  });
});

describe('the helper write-boundary', () => {
  test.each(places)('%s is allowed [CNC-HLP-16]', async (path) => {
    const { run } = await ruleWorld();
    expect(await run('write-boundary', path)).toEqual({ exitCode: 0, out: [], err: [] });
  });

  test.each(elsewhere.filter((path) => !path.startsWith('-')))(
    '%j is refused with the HALT line [CNC-HLP-16]',
    async (path) => {
      const { run } = await ruleWorld();
      const { exitCode, out, err } = await run('write-boundary', path);
      expect(exitCode).toBe(2);
      expect(out).toEqual([
        expect.stringMatching(/^HALT condition=WRITE-BOUNDARY-VIOLATION agent=— fr=FR-MTG-31 detail=/),
      ]);
      expect(err).toHaveLength(1);
    },
  );

  test('a wrong number of paths, or an empty one, is 3 [CNC-HLP-16]', async () => {
    const { run } = await ruleWorld();
    for (const words of [[], [''], ['a', 'b'], ['--path', 'a']]) {
      expect((await run('write-boundary', ...words)).exitCode).toBe(3);
    }
  });

  test('it sees a link below the present folder', async () => {
    const { run, cwd } = await ruleWorld();
    symlinkSync('/tmp', join(cwd, '.gaia'));
    expect((await run('write-boundary', places[2]!)).exitCode).toBe(2);
  });
});

test('no file of the feature writes to a disk but through the writer [CNC-BND-4]', () => {
  const folder = join(import.meta.dirname, '..');
  const names = runTestGit(folder, ['ls-files', '.']).split('\n');
  const writing =
    /\b(?:writeAtomically|appendDurably|createExclusively|writeFile|createWriteStream)\(|\bawait (?:rename|rm)\(/;
  const found = names.filter(
    (name) =>
      name.endsWith('.ts') && !name.endsWith('.test.ts') && writing.test(readFileSync(join(folder, name), 'utf8')),
  );
  expect(found).toEqual(writers);
});

/** The one writer; files that the caller of a helper names; git's list of what is left out; what is removed, or lies in the home. */
const writers = [
  'reactions/recovery.ts',
  'rule/charter-gate.ts',
  'rule/secret-scrubber.ts',
  'rule/state.ts',
  'store/reaper.ts',
  'store/session-fields.ts',
  'store/writer.ts',
  'turns/leftovers.ts',
];
