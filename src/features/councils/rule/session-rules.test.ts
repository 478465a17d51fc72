import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sampleSession, walkCouncil } from '../../../../test/help/council-values.ts';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { parseSession, printSession } from '../store/session-file.ts';
import { seedFields } from '../store/session-text.ts';

const file = ['--file', 's.yaml'] as const;

describe('session-state', () => {
  test('create gives the thirteen fields in their order with their first values [CNC-HLP-47] [CNC-STA-3]', async () => {
    const { run, cwd } = await ruleWorld();
    expect(await run('session-state', 'create', ...file, '--session-id=2026-05-18-cache')).toEqual({
      exitCode: 0,
      out: [],
      err: [],
    });
    const found = parse(readFileSync(join(cwd, 's.yaml'), 'utf8')) as object;
    expect(Object.keys(found)).toEqual(seedFields);
    expect(Object.values(found)).toEqual(['2026-05-18-cache', 'INVITE', 0, 0, 0, '', '', 0, '', '', '', '', '']);
    expect((await run('session-state', 'read', ...file, '--field', 'phase')).out).toEqual(['INVITE']);
  });

  test('refuses malformed values, unknown fields, absent files and folders [CNC-HLP-47] [CNC-HLP-49] [CNC-STA-5] [CNC-STA-6]', async () => {
    const { run, cwd } = await ruleWorld();
    await run('session-state', 'create', ...file, '--session-id', '2026-05-18-cache');
    const before = readFileSync(join(cwd, 's.yaml'), 'utf8');
    const refused = [
      ['round', '-1'],
      ['turn_counter', '1.5'],
      ['cadence_counter', 'x'],
      ['cumulative_cost', ''],
      ['phase', 'PARTY'],
      ['phase', 'discuss'],
      ['last_checkpoint_phase', 'after-lunch'],
      ['user_attendance', 'yes'],
      ['charter', 'x'],
      ['session_id', '../x'],
    ] as const;
    for (const [field, value] of refused) {
      const ran = await run('session-state', 'update', ...file, '--field', field, '--value', value);
      expect([field, value, ran.exitCode]).toEqual([field, value, 2]);
    }
    expect(readFileSync(join(cwd, 's.yaml'), 'utf8')).toBe(before);
    expect(await run('session-state', 'read', ...file, '--field', 'charter')).toMatchObject({ exitCode: 2 });
    expect(await run('session-state', 'read', '--file', 'none.yaml', '--field', 'phase')).toMatchObject({
      exitCode: 2,
    });
    expect(await run('session-state', 'read', '--file', 'no/s.yaml', '--field', 'phase')).toMatchObject({
      exitCode: 3,
    });
    expect(await run('session-state', 'create', '--file', 'no/s.yaml', '--session-id', 'x')).toMatchObject({
      exitCode: 3,
    });
    for (const words of [[], ['drop'], ['read'], ['create', ...file], ['create', ...file, '--session-id', 'a/b']])
      expect(await run('session-state', ...words)).toMatchObject({ exitCode: 2 });
    expect(await run('session-state', 'create', ...file, '--session-id', 'other')).toMatchObject({ exitCode: 2 });
  });

  test('gives back what was stored, whatever it holds [CNC-STA-17] [CNC-STA-13]', async () => {
    const { run } = await ruleWorld();
    await run('session-state', 'create', ...file, '--session-id', '2026-05-18-cache');
    for (const value of ['a\nb', '"q" \'p\'', '---\nphase: SAVE', '🜚', '# no comment', ': {', 'true', '12', '']) {
      expect(await run('session-state', 'update', ...file, '--field', 'raise_hand_ledger', '--value', value)).toEqual({
        exitCode: 0,
        out: [],
        err: [],
      });
      expect((await run('session-state', 'read', ...file, '--field', 'raise_hand_ledger')).out).toEqual([value]);
    }
    for (const value of ['DISCUSS', 'pre-save', ''])
      expect(
        await run('session-state', 'update', ...file, '--field', 'last_checkpoint_phase', '--value', value),
      ).toMatchObject({ exitCode: 0 });
    expect((await run('session-state', 'read', ...file, '--field', 'phase')).out).toEqual(['INVITE']);
  });

  test('stores a known field that an older file lacks, in its place [CNC-HLP-48]', async () => {
    const { run, cwd } = await ruleWorld();
    writeFileSync(join(cwd, 's.yaml'), "session_id: old # by hand\nphase: 'DISCUSS'\nextra: [1, 2]\n");
    await run('session-state', 'update', ...file, '--field', 'round', '--value', '3');
    expect(parse(readFileSync(join(cwd, 's.yaml'), 'utf8'))).toEqual({
      session_id: 'old',
      phase: 'DISCUSS',
      round: 3,
      extra: [1, 2],
    });
    expect(readFileSync(join(cwd, 's.yaml'), 'utf8').indexOf('round')).toBeLessThan(
      readFileSync(join(cwd, 's.yaml'), 'utf8').indexOf('extra'),
    );
  });

  test('changes one field of a whole session and nothing else', async () => {
    const { run, cwd } = await ruleWorld();
    const { session } = walkCouncil(sampleSession());
    writeFileSync(join(cwd, 's.yaml'), printSession(session));
    await run('session-state', 'update', ...file, '--field', 'round', '--value', '9');
    expect(await parseSession(readFileSync(join(cwd, 's.yaml'), 'utf8'), 'f')).toEqual({ ...session, round: 9 });
    writeFileSync(join(cwd, 's.yaml'), 'phase: [\n');
    expect(await run('session-state', 'update', ...file, '--field', 'round', '--value', '9')).toMatchObject({
      exitCode: 2,
    });
    expect(readFileSync(join(cwd, 's.yaml'), 'utf8')).toBe('phase: [\n');
  });

  test('two at once both keep what they set; a secret does not come to disk', async () => {
    const { run, cwd } = await ruleWorld();
    await run('session-state', 'create', ...file, '--session-id', '2026-05-18-cache');
    const fields = ['round', 'turn_counter', 'cadence_counter', 'cumulative_cost'];
    await Promise.all(
      fields.map(async (field) => await run('session-state', 'update', ...file, '--field', field, '--value', '7')),
    );
    expect(parse(readFileSync(join(cwd, 's.yaml'), 'utf8'))).toMatchObject(
      Object.fromEntries(fields.map((field) => [field, 7])),
    );
    const key = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');
    await run('session-state', 'update', ...file, '--field', 'agent_dispatch_findings', '--value', key);
    expect(readFileSync(join(cwd, 's.yaml'), 'utf8')).not.toContain(key);
  });
});

describe('yield-gate', () => {
  const folder = '.gaia/memory/meeting-sessions';

  test('stores where and when, and prints nothing [CNC-HLP-50] [CNC-STA-14]', async () => {
    const { run, cwd } = await ruleWorld();
    mkdirSync(join(cwd, folder), { recursive: true });
    const path = `${folder}/2026-05-18-cache.yaml`;
    await run('session-state', 'create', '--file', path, '--session-id', '2026-05-18-cache');
    for (const phase of ['post-charter', 'post-research', 'discuss-cadence', 'pre-close', 'pre-save']) {
      const ran = await run('yield-gate', '--phase', phase, '--session-id=2026-05-18-cache', '--side-effect-only');
      expect(ran).toEqual({ exitCode: 0, out: [], err: [] });
      const found = parse(readFileSync(join(cwd, path), 'utf8')) as Record<string, string>;
      expect(found['last_checkpoint_phase']).toBe(phase);
      expect(found['last_yield_emitted_at']).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    }
    for (const words of [
      [],
      ['--phase', 'lunch', '--session-id', 'x'],
      ['--phase', 'pre-save'],
      ['--phase', 'pre-save', '--session-id', '../x'],
    ])
      expect(await run('yield-gate', ...words)).toMatchObject({ exitCode: 2, out: [] });
  });

  test('says so when it cannot store, and takes the file that the caller names [CNC-HLP-51]', async () => {
    const { run } = await ruleWorld();
    const gone = await run('yield-gate', '--phase', 'pre-save', '--session-id', 'x');
    expect(gone).toMatchObject({ exitCode: 1, out: [] });
    expect(gone.err.join(' ')).toMatch(/there is no session file/);
    const named = await ruleWorld({ GAIA_MEETING_SESSION_FILE: 'mine.yaml' });
    await named.run('session-state', 'create', '--file', 'mine.yaml', '--session-id', 'x');
    expect(await named.run('yield-gate', '--phase', 'pre-close', '--session-id', 'x')).toMatchObject({ exitCode: 0 });
    expect(
      (await named.run('session-state', 'read', '--file', 'mine.yaml', '--field', 'last_checkpoint_phase')).out,
    ).toEqual(['pre-close']);
  });

  test('does not write through a link [CNC-STA-18]', async () => {
    const { run, cwd } = await ruleWorld();
    mkdirSync(join(cwd, '.gaia/memory'), { recursive: true });
    mkdirSync(join(cwd, 'elsewhere'));
    symlinkSync(join(cwd, 'elsewhere'), join(cwd, folder));
    const made = await run('session-state', 'create', '--file', `${folder}/x.yaml`, '--session-id', 'x');
    expect(made.exitCode).toBe(2);
    expect(made.out.join(' ')).toMatch(/^HALT condition=WRITE-BOUNDARY-VIOLATION/);
    expect(existsSync(join(cwd, 'elsewhere/x.yaml'))).toBe(false);
  });
});
