import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeRepository } from '../../../../test/help/repositories.ts';
import { ruleWorld } from '../../../../test/help/rules.ts';
import { actionItemTypes, councilPhases } from '../contract/terms.ts';
import { loadRule } from './index.ts';
import { ruleNames, rules } from './list.ts';

/** Every helper of the original under its name, without `.sh`. */
const names =
  `charter-gate resolve-mode lib/load-mode-registry resolve-invitees select-notes-template turn-order turn-header
  resolve-user-name lifecycle-marker write-boundary research-phase-dispatch lib/prelude-format cite-or-flag-check
  raise-hand-arbiter review-gate lib/type-target-resolver action-items-writer memory-writethrough meeting-notes-writer
  scratchpad-allocate scratchpad-disposition scratchpad-detect-type scratchpad-resolve-path scratchpad-extractor
  session-state yield-gate checkpoint-cadence parse-resume-flags secret-scrubber halt-event max-turns-cap per-agent-cap
  loop-detector cost-cadence research-gate dispatch-agent-turn dispatch-provenance-check checkpoint-reaper
  stdout-sentinel-scan`.split(/\s+/);

describe('the frame', () => {
  test('every helper has its name, one line, its arguments and its code [CNC-HLP-1]', async () => {
    expect(ruleNames.toSorted()).toEqual(names.toSorted());
    const { run } = await ruleWorld();
    const { exitCode, out } = await run('--help');
    expect(exitCode).toBe(0);
    for (const name of names) {
      const lines = out.filter((line) => line.trim().startsWith(`${name} `));
      expect([name, lines.length]).toEqual([name, 1]);
      expect(lines[0]).toContain(rules[name]!.summary);
      expect((await run(name, '--help')).out[0]).toMatch(new RegExp(`^guild-hall rule ${name}\\b`));
      expect(await loadRule(name, rules[name]!)).toBeTypeOf('function');
    }
  });

  test('a name that none has: did you mean, exit 3; nothing at all: the list, exit 3', async () => {
    const { run } = await ruleWorld();
    expect(await run('turn-headr')).toMatchObject({
      exitCode: 3,
      out: [],
      err: [expect.anything(), expect.stringContaining('"turn-header"')],
    });
    for (const wrong of ['constructor', '__proto__', '../list', '']) expect((await run(wrong)).exitCode).toBe(3);
    expect(await run()).toMatchObject({ exitCode: 3, out: [] });
    expect((await run('lifecycle-marker.sh', '--phase', 'SAVE')).out).toEqual(['## Phase: SAVE']);
  });

  test('what cannot be read ends with a code that means nothing else', async () => {
    const { run, cwd } = await ruleWorld();
    mkdirSync(join(cwd, 'folder'));
    expect(await run('cost-cadence', '--state', 'folder', '--get')).toMatchObject({ exitCode: 3, out: [] });
    writeFileSync(join(cwd, 'file'), 'x');
    expect(await run('cost-cadence', '--state', 'file/state', '--tick')).toMatchObject({ exitCode: 7, out: [] });
  });

  const calls: readonly (readonly string[])[] = [
    ['turn-order', '--invitees', 'A,B', '--turns', '3'],
    ['lifecycle-marker', '--phase', 'SAVE'],
    ['resolve-mode', '--mode', 'ux'],
    [
      'turn-header',
      '--round',
      '1',
      '--turn',
      '2',
      '--speaker',
      'A',
      '--role',
      'B',
      '--turn-cost',
      '3',
      '--running-total',
      '4',
    ],
    ['halt-event', '--condition', 'X', '--fr', 'Y', '--detail', 'a=b'],
    [
      'raise-hand-arbiter',
      '--plan-insertion',
      '--invitees',
      'A,B',
      '--requesting',
      'A',
      '--target',
      'B',
      '--cycle',
      '1',
    ],
    ['parse-resume-flags', '--resume', 'x', '--interject', 'a=b'],
    ['scratchpad-disposition', '--check', 'keep'],
    ['max-turns-cap', '--check', '--emitted-turns', '41', '--max-turns', '40'],
    [
      'scratchpad-resolve-path',
      '--date',
      '2026-05-18',
      '--slug',
      's',
      '--sp-n',
      'SP-1',
      '--content',
      'c',
      '--intent',
      '',
      '--content-type',
      'md',
    ],
  ];

  test.each(calls.map((call) => [call[0]!, call] as const))(
    '%s takes --k v and --k=v alike, and says the same each time [CNC-HLP-2]',
    async (_, call) => {
      const { run } = await ruleWorld();
      const joined = call.flatMap((word, index) => {
        if (index === 0) return [word];
        if (word.startsWith('--')) return call[index + 1]?.startsWith('--') !== false ? [word] : [];
        return [`${call[index - 1]}=${word}`];
      });
      const first = await run(...call);
      expect(await run(...joined)).toEqual(first);
      expect(await run(...call)).toEqual(first);
      expect([...first.out, ...first.err]).not.toEqual([]);
    },
  );
});

describe('the beginning of a council', () => {
  test('charter-gate [CNC-HLP-3]', async () => {
    const { run, cwd } = await ruleWorld();
    expect(await run('charter-gate', '--charter', 'Who owns it? 🙂')).toEqual({
      exitCode: 0,
      out: ['charter accepted (14 chars)'],
      err: [],
    });
    for (const args of [[], ['--charter'], ['--charter', ''], ['--charter=  \n']]) {
      const { exitCode, out, err } = await run('charter-gate', ...args);
      expect([exitCode, out.length, err.length]).toEqual([2, 2, 1]);
      expect(out[0]).toContain('BLOCKED');
      expect(out[1]).toMatch(/^HALT condition=CHARTER-MISSING agent=— fr=FR-MTG-27 detail=./);
    }
    expect((await run('charter-gate', '--chart', 'x')).exitCode).toBe(3);
    expect((await run('charter-gate', 'x')).exitCode).toBe(3);
    expect(await run('charter-gate', '--charter', 'A. B. C. D.')).toMatchObject({
      exitCode: 0,
      err: [expect.stringContaining('WARNING')],
    });
    expect(readdirSync(cwd)).toEqual(['gaia-meeting-state.env']);
  });

  test('what it keeps is read back to the letter and never runs [CNC-HLP-4]', async () => {
    const { run, cwd } = await ruleWorld({ MEETING_STATE_FILE: 'state.env' });
    const piece = fc.constantFrom(
      "'",
      '"',
      '\\',
      '`',
      '$(touch ran)',
      '\n',
      ';',
      ' touch ran ',
      '%s',
      '!',
      'é',
      '\t',
      '#',
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: piece, maxLength: 10 }), async (text) => {
        const charter = `x${text}`;
        expect((await run('charter-gate', '--charter', charter)).exitCode).toBe(0);
        const words = ['-c', '. ./state.env; printf %s "$CHARTER"'];
        expect(execFileSync('sh', words, { cwd, encoding: 'utf8' })).toBe(charter);
      }),
      { numRuns: 25 },
    );
    expect(existsSync(join(cwd, 'ran'))).toBe(false);
  });

  test('resolve-mode [CNC-HLP-5]', async () => {
    const { run } = await ruleWorld();
    expect(await run('resolve-mode')).toEqual({ exitCode: 0, out: ['decide'], err: [] });
    expect((await run('resolve-mode', '--mode', 'questions')).out).toEqual(['clarify']);
    const stacked = await run('resolve-mode', '--mode', 'decide', '--mode=ux');
    expect(stacked).toMatchObject({ exitCode: 2, out: [], err: [expect.stringMatching(/decide.*ux/)] });
    const unknown = await run('resolve-mode', '--mode', 'Decide');
    expect(unknown).toMatchObject({ exitCode: 3, out: [], err: [expect.stringMatching(/decide.*red-team.*clarif/)] });
    for (const args of [['--mode', ''], ['--mode'], ['--mod', 'x'], ['x']]) {
      expect([args, (await run('resolve-mode', ...args)).exitCode]).toEqual([args, 4]);
    }
  });

  test('lib/load-mode-registry [CNC-HLP-6]', async () => {
    const { run } = await ruleWorld();
    const say = async (...words: string[]) => (await run('lib/load-mode-registry', ...words)).out;
    expect((await say('path'))[0]).toMatch(/^\/.*\/knowledge\/modes\.yaml$/);
    expect(await say('known')).toHaveLength(10);
    expect(await say('canonical', 'ux')).toEqual(['design']);
    expect(await say('scalar', 'sprint', 'closing_artifact_bias')).toEqual(['sprint-adjustments']);
    expect(await say('list', 'red-team', 'default_invitees')).toEqual(['Zara,Sable,Nova']);
    expect(await say('list', 'decide', 'default_invitees')).toEqual(['']);
    for (const wrong of [
      [],
      ['canonical'],
      ['canonical', 'no'],
      ['scalar', 'ac', 'aliases'],
      ['list', 'ac', 'toString'],
      ['toString'],
    ]) {
      expect([wrong, (await run('lib/load-mode-registry', ...wrong)).exitCode]).toEqual([wrong, 3]);
    }
  });

  test('resolve-invitees: six lines, always in this order [CNC-HLP-7]', async () => {
    const { run, cwd } = await ruleWorld();
    writeFileSync(join(cwd, 'installed'), 'Sable\r\nNova\nZara Q\n');
    const answer = await run(
      'resolve-invitees',
      '--mode=red-team',
      '--invitees',
      ' Ivo ,,Nova',
      '--installed',
      'installed',
    );
    expect(answer).toEqual({
      exitCode: 0,
      out: [
        'resolved=Ivo,Nova,Sable',
        'missing=Zara',
        'bias=risk-register',
        'canonical_mode=red-team',
        'invitees_override=false',
        'default_invitees_resolved=Sable',
      ],
      err: ['[gaia-meeting] WARNING: missing default invitee(s) for mode red-team: Zara (resolved subset: Sable)'],
    });
    expect((await run('resolve-invitees', '--mode', 'ux', '--invitees-override')).out).toEqual([
      'resolved=',
      'missing=',
      'bias=ux-design-notes',
      'canonical_mode=design',
      'invitees_override=true',
      'default_invitees_resolved=',
    ]);
  });

  test('resolve-invitees: how it ends [CNC-HLP-8]', async () => {
    const { run } = await ruleWorld();
    expect((await run('resolve-invitees', '--mode', 'align')).exitCode).toBe(0);
    expect((await run('resolve-invitees', '--mode', 'decide', '--invitees', 'me')).exitCode).toBe(0);
    for (const args of [[], ['--mode', 'ac', '--installed', 'nowhere'], ['--mode', 'ac', '--wat'], ['--mode', '']]) {
      expect([args, (await run('resolve-invitees', ...args)).exitCode]).toEqual([args, 2]);
    }
    expect(await run('resolve-invitees', '--mode', 'no')).toMatchObject({ exitCode: 3, out: [] });
  });
});

test('resolve-invitees: a seat for the person with a session file, none without [CNC-HLP-9]', async () => {
  const { path } = await makeRepository({ identity: { name: 'Ada Example', email: 'ada@example.invalid' } });
  const { run } = await ruleWorld({}, path);
  const call = ['resolve-invitees', '--mode', 'decide', '--invitees'];
  const dropped = await run(...call, 'Me,Ivo,ada EXAMPLE');
  expect(dropped.out[0]).toBe('resolved=Ivo');
  expect(dropped.err).toEqual(
    ['Me', 'ada EXAMPLE'].map(
      (token) =>
        `[gaia-meeting] WARNING: invitee token "${token}" resolves to the user — the user is not an agent and is not auto-included; user authoring uses --charter / [i]nterject only`,
    ),
  );
  expect((await run('session-state', 'create', '--file', 's.yaml', '--session-id', '2026-05-18-x')).exitCode).toBe(0);
  const attendance = async () =>
    (await run('session-state', 'read', '--file', 's.yaml', '--field', 'user_attendance')).out;
  expect(await attendance()).toEqual(['']);
  const seated = await run(...call, 'Ivo,ada EXAMPLE,me,user', '--session-file', 's.yaml');
  expect(seated).toMatchObject({ exitCode: 0, err: [] });
  expect([seated.out[0], await attendance()]).toEqual(['resolved=Ivo,ada EXAMPLE', ['true']]);
  await run(...call, 'Ivo', '--session-file', 's.yaml');
  expect(await attendance()).toEqual(['false']);
  expect(await run(...call, 'Ivo', '--session-file', 'nowhere.yaml')).toMatchObject({ exitCode: 2, out: [] });
});

describe('turns', () => {
  test('turn-order [CNC-HLP-11]', async () => {
    const { run } = await ruleWorld();
    expect((await run('turn-order', '--invitees', 'A, B ,,C', '--turns', '4')).out).toEqual(['A', 'B', 'C', 'A']);
    for (const list of ['', ',', ' , '])
      expect((await run('turn-order', '--invitees', list, '--turns', '1')).exitCode).toBe(2);
    for (const turns of ['0', '-1', 'x', '1.5', '', '1e3', '999999999999']) {
      expect([turns, (await run('turn-order', '--invitees', 'A', `--turns=${turns}`)).exitCode]).toEqual([turns, 3]);
    }
  });

  const header = [
    'turn-header',
    '--round',
    '1',
    '--turn',
    '2',
    '--speaker',
    'A/B]',
    '--role',
    'R',
    '--turn-cost',
    '0',
    '--running-total',
    '9',
  ];

  test('turn-header: lines [CNC-HLP-12]', async () => {
    const { run } = await ruleWorld();
    const first = '[round 1 / turn 2 / A/B] (R) / per-turn-cost 0 tokens / running-total 9 tokens]';
    expect(await run(...header)).toEqual({ exitCode: 0, out: [first], err: [] });
    for (const via of ['subagent', 'interject', 'attendee', 'charter', 'facilitator']) {
      const { out, exitCode } = await run(...header, '--phase', 'discuss', '--turn-id', 'T2', '--dispatched-via', via);
      expect([exitCode, out]).toEqual([0, [first, 'Phase: DISCUSS', 'Turn: T2', `dispatched_via: ${via}`]]);
    }
    const { out } = await run(...header, '--dispatched-via=interject', '--origin=interject');
    expect(out).toEqual([first, 'dispatched_via: interject', 'origin: interject']);
  });

  test('turn-header: how it ends [CNC-HLP-13]', async () => {
    const { run } = await ruleWorld();
    for (const more of [
      ['--dispatched-via', 'teammate'],
      ['--phase', 'RESEARCH'],
      ['--phase', 'discuss'],
    ]) {
      expect([more, await run(...header, ...more)]).toEqual([
        more,
        { exitCode: 2, out: [], err: [expect.any(String)] },
      ]);
    }
    expect(await run(...header, '--phase', 'CLOSE')).toMatchObject({
      exitCode: 0,
      err: [expect.stringContaining('WARNING')],
    });
    expect((await run(...header, '--phase', 'CLOSE')).out[1]).toBe('Phase: CLOSE');
    for (const flag of ['--round', '--turn', '--turn-cost', '--running-total']) {
      for (const value of ['-1', 'x', '', '1.0', '٣']) expect((await run(...header, flag, value)).exitCode).toBe(3);
    }
    for (const more of [['--speaker', ''], ['--phase', 'LUNCH'], ['--origin', 'agent'], ['--wat', 'x'], ['word']]) {
      expect([more, (await run(...header, ...more)).exitCode]).toEqual([more, 3]);
    }
    expect((await run(...header.slice(0, -2))).exitCode).toBe(3);
  });

  test('lifecycle-marker [CNC-HLP-15]', async () => {
    const { run } = await ruleWorld();
    for (const phase of councilPhases) {
      expect(await run('lifecycle-marker', '--phase', phase)).toEqual({
        exitCode: 0,
        out: [`## Phase: ${phase}`],
        err: [],
      });
    }
    for (const args of [[], ['--phase', 'research'], ['--phase', 'LUNCH'], ['--phase'], ['--phase', ''], ['SAVE']]) {
      expect([args, (await run('lifecycle-marker', ...args)).exitCode]).toEqual([args, 3]);
    }
  });

  test('halt-event [CNC-HLP-56]', async () => {
    const { run } = await ruleWorld();
    const words = ['halt-event', '--condition', 'CITE-OR-FLAG', '--fr=FR-MTG-9', '--detail', 'a\nb'];
    expect((await run(...words)).out).toEqual(['HALT condition=CITE-OR-FLAG agent=— fr=FR-MTG-9 detail=a b']);
    expect((await run(...words, '--agent', 'Zara')).out[0]).toContain(' agent=Zara ');
    expect((await run('halt-event', '--condition', 'X', '--fr', 'Y', '--detail', '')).exitCode).toBe(0);
    for (const args of [
      ['--condition', 'X', '--fr', 'Y'],
      ['--condition', 'X', '--detail', 'd'],
      ['--fr', 'Y', '--detail', 'd'],
      ['why'],
    ]) {
      expect([args, (await run('halt-event', ...args)).exitCode]).toEqual([args, 3]);
    }
  });

  test('lib/type-target-resolver [CNC-HLP-34]', async () => {
    const { run } = await ruleWorld();
    const targets = await Promise.all(
      actionItemTypes.map(async (type) => (await run('lib/type-target-resolver', type)).out[0]),
    );
    expect(targets).toEqual([
      '/gaia-add-feature',
      '/gaia-edit-prd',
      '/gaia-edit-ux',
      '/gaia-edit-arch',
      '/gaia-edit-test-plan',
      '/gaia-create-story',
      '/gaia-correct-course',
      '/gaia-sprint-plan',
      '/gaia-brainstorm',
      'no target — manual',
      'no target — discussion-only',
    ]);
    for (const type of ['decision-followup', '', 'Feature'])
      expect((await run('lib/type-target-resolver', type)).exitCode).toBe(2);
    for (const args of [[], ['feature', 'feature']])
      expect((await run('lib/type-target-resolver', ...args)).exitCode).toBe(3);
  });
});

describe('research', () => {
  test('the tools of a research turn [CNC-HLP-17]', async () => {
    const { run } = await ruleWorld();
    expect((await run('research-phase-dispatch', '--print-allowlist')).out).toEqual([
      'Read,Grep,Glob,Bash,WebSearch,WebFetch',
    ]);
    expect((await run('research-phase-dispatch', '--print-allowlist', '--no-web')).out).toEqual([
      'Read,Grep,Glob,Bash',
    ]);
  });

  test('its flags [CNC-HLP-18, CNC-HLP-20]', async () => {
    const { run } = await ruleWorld();
    const say = async (...words: string[]) => (await run('research-phase-dispatch', ...words)).out;
    expect([await say('--check-web-flag'), await say('--no-web', '--check-web-flag')]).toEqual([
      ['enabled'],
      ['disabled'],
    ]);
    expect([await say('--check-research-flag'), await say('--check-research-flag', '--skip-research')]).toEqual([
      ['enabled'],
      ['skipped'],
    ]);
    expect(await say('--emit-frontmatter')).toEqual(['research_phase: enabled', 'web_search: enabled']);
    expect(await say('--emit-frontmatter', '--no-web', '--skip-research')).toEqual([
      'research_phase: skipped',
      'web_search: disabled',
    ]);
    for (const args of [
      [],
      ['--print-allowlist', '--check-web-flag'],
      ['--wat'],
      ['--no-web'],
      ['--sidecar-path'],
      ['--no-web=1', '--check-web-flag'],
    ]) {
      expect([args, (await run('research-phase-dispatch', ...args)).exitCode]).toEqual([args, 3]);
    }
  });

  test('where an agent’s memory is [CNC-HLP-19]', async () => {
    const { run } = await ruleWorld();
    expect((await run('research-phase-dispatch', '--sidecar-path', 'Zara')).out).toEqual(['.gaia/memory/Zara-sidecar']);
    for (const agent of ['a/b', '../x', 'a\\b', 'a\nb']) {
      expect(await run('research-phase-dispatch', '--sidecar-path', agent)).toMatchObject({ exitCode: 2, out: [] });
    }
  });

  test('lib/prelude-format [CNC-HLP-21]', async () => {
    const { run } = await ruleWorld();
    const words = ['lib/prelude-format', '--name', 'Zara', '--role', 'Security', '--tokens', '12'];
    expect((await run(...words, '--sources', 'a.ts\n\n b.md', '--bullets', 'one\n  \ntwo')).out).toEqual([
      '[Prelude] Zara (Security) — 12 tokens',
      'Sources consulted:',
      '  a.ts',
      '  b.md',
      'What I know:',
      '  - one',
      '  - two',
    ]);
    expect(await run(...words, '--sources=', '--bullets=')).toMatchObject({ exitCode: 0, err: [] });
    for (const more of [
      [],
      ['--sources', 'a'],
      ['--sources', '', '--bullets', '', '--tokens', '-1'],
      ['--sources', '', '--bullets', '', '--name', ''],
    ]) {
      expect([more, (await run(...words, ...more)).exitCode]).toEqual([more, 3]);
    }
  });

  test('research-gate [CNC-HLP-62]', async () => {
    const { run, cwd } = await ruleWorld();
    writeFileSync(join(cwd, 'names'), 'A\nB\n');
    writeFileSync(join(cwd, 'preludes'), '[Prelude] A (Role) — 3 tokens\nB is not here\n');
    const gate = async (list: string, file: string) =>
      await run('research-gate', '--invitees', list, '--preludes-file', file);
    expect(await gate('A,B', 'names')).toEqual({ exitCode: 0, out: [], err: [] });
    expect(await gate('A,me', 'preludes')).toMatchObject({ exitCode: 0 });
    expect(await gate('A,B, C', 'preludes')).toEqual({
      exitCode: 2,
      out: ['HALT condition=RESEARCH-MISSING agent=— fr=FR-MTG-28 detail=no prelude of B, C'],
      err: [],
    });
    expect(
      (await run('research-gate', '--invitees', 'Z', '--preludes-file', 'nowhere', '--skip-research')).exitCode,
    ).toBe(0);
    expect((await gate('A', 'nowhere')).exitCode).toBe(3);
    expect((await gate(',', 'names')).exitCode).toBe(3);
    expect((await run('research-gate', '--invitees', 'A')).exitCode).toBe(3);
  });
});

describe('who the person is, and how often they are asked', () => {
  test('resolve-user-name: the settings in order, then git, never the account [CNC-HLP-14, CNC-DIS-25]', async () => {
    const { path } = await makeRepository({ identity: { name: 'Of Git', email: 'git@example.invalid' } });
    const { run } = await ruleWorld({}, path);
    const put = (file: string, text: string): void => {
      mkdirSync(join(path, file, '..'), { recursive: true });
      writeFileSync(join(path, file), text);
    };
    expect((await run('resolve-user-name')).out).toEqual(['Of Git']);
    put('settings.json', '{"meeting": {"user_name": "Plain"}}');
    expect((await run('resolve-user-name')).out).toEqual(['Plain']);
    put('.claude/settings.json', '{"meeting": {"user_name": "Claude"}}');
    expect((await run('resolve-user-name')).out).toEqual(['Claude']);
    put('.claude/settings.json', '{"meeting": {}}');
    expect((await run('resolve-user-name')).out).toEqual(['Plain']);
    put('other.json', '{"meeting": {"user_name": "Other"}}');
    expect((await run('resolve-user-name', '--settings', 'other.json')).out).toEqual(['Other']);
    expect((await run('resolve-user-name', '--settings=nowhere.json')).out).toEqual(['Of Git']);
    for (const args of [['--wat'], ['x'], ['--settings']])
      expect((await run('resolve-user-name', ...args)).exitCode).toBe(3);
  });

  test('resolve-user-name: no name, with the advice [CNC-HLP-14, CNC-DIS-26]', async () => {
    const { path } = await makeRepository({ identity: null });
    const { run } = await ruleWorld({}, path);
    const { exitCode, out, err } = await run('resolve-user-name');
    expect([exitCode, out]).toEqual([2, []]);
    expect(err[0]).toContain(
      "set `meeting.user_name` in `settings.json` or run `git config --global user.name '<name>'`",
    );
  });

  test('settings are data: what is broken, large, a folder or leads out says nothing', async () => {
    const outside = await ruleWorld();
    writeFileSync(join(outside.cwd, 'secret.json'), '{"meeting": {"checkpoint_every_n_turns": 7}}');
    const { run, cwd } = await ruleWorld();
    const cadence = async () => {
      const { out, err } = await run('checkpoint-cadence');
      return [out[0], err.length];
    };
    symlinkSync(join(outside.cwd, 'secret.json'), join(cwd, 'settings.json'));
    expect(await cadence()).toEqual(['4', 1]);
    mkdirSync(join(cwd, '.claude/settings.json'), { recursive: true });
    expect((await cadence())[0]).toBe('4');
    const { run: runAgain, cwd: again } = await ruleWorld();
    writeFileSync(
      join(again, 'settings.json'),
      `{"meeting": {"checkpoint_every_n_turns": 7}, "x": "${'x'.repeat(2_000_000)}"}`,
    );
    expect((await runAgain('checkpoint-cadence')).out).toEqual(['4']);
    writeFileSync(join(again, 'settings.json'), '{"meeting": ');
    expect(await runAgain('checkpoint-cadence')).toMatchObject({
      out: ['4'],
      err: [expect.stringContaining('not JSON')],
    });
    for (const odd of ['[]', 'null', '{"meeting": [1]}', '"x"']) {
      writeFileSync(join(again, 'settings.json'), odd);
      expect(await runAgain('checkpoint-cadence')).toEqual({ exitCode: 0, out: ['4'], err: [] });
    }
  });

  test('checkpoint-cadence [CNC-HLP-52, CNC-YLD-18]', async () => {
    const { run, cwd } = await ruleWorld();
    const of = async (value: string) => {
      writeFileSync(join(cwd, 's.json'), `{"meeting": {"checkpoint_every_n_turns": ${value}}}`);
      return await run('checkpoint-cadence', '--settings', 's.json');
    };
    for (const [value, cadence] of [
      ['"3"', '3'],
      ['7', '7'],
      ['1', '1'],
      ['10', '10'],
    ] as const) {
      expect(await of(value)).toEqual({ exitCode: 0, out: [cadence], err: [] });
    }
    for (const [value, cadence] of [
      ['0', '1'],
      ['-3', '1'],
      ['11', '10'],
      ['2.5', '4'],
      ['"soon"', '4'],
    ] as const) {
      expect(await of(value)).toEqual({ exitCode: 0, out: [cadence], err: [expect.stringContaining('WARNING')] });
    }
    writeFileSync(join(cwd, 's.json'), '{}');
    expect(await run('checkpoint-cadence', '--settings', 's.json')).toEqual({ exitCode: 0, out: ['4'], err: [] });
    expect(await run('checkpoint-cadence', '--settings', 'nowhere')).toEqual({ exitCode: 0, out: ['4'], err: [] });
    for (const args of [['--wat'], ['x'], ['--settings']])
      expect((await run('checkpoint-cadence', ...args)).exitCode).toBe(2);
  });

  test('parse-resume-flags [CNC-HLP-53, CNC-HLP-54]', async () => {
    const { run } = await ruleWorld();
    expect((await run('parse-resume-flags')).out).toEqual(['resume_id=', 'action=fresh']);
    expect((await run('parse-resume-flags', '--resume', 'x')).out).toEqual(['resume_id=x', 'action=resume_default']);
    expect((await run('parse-resume-flags', '--resume=x', '--wrap-up')).out).toEqual(['resume_id=x', 'action=wrap_up']);
    const { out } = await run('parse-resume-flags', '--resume', 'x', '--interject', 'a\naction=continue');
    expect(out).toEqual(['resume_id=x', 'action=interject', String.raw`interject_text=a\naction=continue`]);
    for (const args of [['--resume', 'x', '--continue', '--wrap-up'], ['--continue'], ['--wat'], ['--resume']]) {
      expect([args, (await run('parse-resume-flags', ...args)).exitCode]).toEqual([args, 2]);
    }
  });
});
