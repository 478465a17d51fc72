import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ruleWorld } from '../../../../test/help/rules.ts';

const pad = '.gaia/artifacts/creative-artifacts/meeting-scratchpad/2026-05/a-b';
const halt = expect.stringMatching(/^HALT condition=WRITE-BOUNDARY-VIOLATION /) as string;

describe('review-gate', () => {
  test('classifies, and says whether to write [CNC-HLP-33]', async () => {
    const { run, cwd } = await ruleWorld();
    writeFileSync(join(cwd, 'draft.md'), 'x');
    for (const word of ['accept', 'edit', 'drop']) {
      const words = ['review-gate', '--classify', '--draft', 'draft.md', '--disposition', word];
      expect(await run(...words)).toEqual({ exitCode: 0, out: [word.toUpperCase()], err: [] });
      expect((await run('review-gate', '--should-write', `--disposition=${word}`)).exitCode).toBe(
        word === 'drop' ? 1 : 0,
      );
    }
    for (const word of ['Accept', 'DROP', 'keep', '']) {
      expect((await run('review-gate', '--should-write', '--disposition', word)).exitCode).toBe(2);
    }
    expect((await run('review-gate', '--classify', '--disposition', 'drop')).exitCode).toBe(2);
  });
});

describe('memory-writethrough', () => {
  const words = [
    'memory-writethrough',
    '--root',
    '.',
    '--drafts',
    'drafts',
    '--source-meeting',
    'a-b',
    '--date',
    '2026-05-18',
    '--slug=a-b',
  ];
  const inline =
    'agent: somebody-else\ntags: [cache, "two words"]\ndecisions: [Use Redis]\nconstraints:\n  - None of ours\nopen_items: []\nsources:\n- README.md:1\n';
  const sections =
    '---\ntags:\n  - cache\n---\n\n## What I decided / agreed to in this meeting\n\n- Measure first\n\n## Sources I relied on\n\n- T3\n';

  test('writes a file for each draft, whose name says whose it is, block and inline lists alike [CNC-HLP-37, CNC-SAV-12, CNC-SAV-13]', async () => {
    const { run, cwd } = await ruleWorld();
    mkdirSync(join(cwd, 'drafts'));
    writeFileSync(join(cwd, 'drafts/Ada.md'), inline);
    writeFileSync(join(cwd, 'drafts/Ben.md'), sections);
    expect((await run(...words)).exitCode).toBe(0);
    const ada = readFileSync(join(cwd, '.gaia/memory/Ada-sidecar/decisions/2026-05-18-a-b.md'), 'utf8');
    expect(ada).toMatch(
      /^---\nagent: Ada\ndate: 2026-05-18\nsource_meeting: a-b\ntype: decision\ntags:\n {2}- cache\n {2}- two words\n---\n/,
    );
    expect(ada).toContain('## What I decided / agreed to in this meeting\n\n- Use Redis\n');
    expect(ada).toContain("## Open items I'm tracking\n\nNone.\n");
    const ben = readFileSync(join(cwd, '.gaia/memory/Ben-sidecar/decisions/2026-05-18-a-b.md'), 'utf8');
    expect(ben).toContain('tags:\n  - cache\n');
    expect(ben).toContain('- Measure first\n');
  });

  test('0 without drafts, 2 for bad arguments, 3 for an absent folder; a link is refused [CNC-HLP-37, CNC-BND-5]', async () => {
    const { run, cwd } = await ruleWorld();
    expect((await run(...words)).exitCode).toBe(3);
    mkdirSync(join(cwd, 'drafts'));
    expect((await run(...words)).exitCode).toBe(0);
    expect((await run(...words.slice(0, -1))).exitCode).toBe(2);
    expect((await run(...words.with(-1, '--slug=../x'))).exitCode).toBe(2);
    writeFileSync(join(cwd, 'drafts/Ada.md'), inline);
    mkdirSync(join(cwd, '.gaia'));
    symlinkSync('/tmp', join(cwd, '.gaia/memory'));
    expect(await run(...words)).toMatchObject({ exitCode: 2, out: [halt] });
  });
});

describe('meeting-notes-writer', () => {
  const words = [
    'meeting-notes-writer',
    '--root',
    '.',
    '--payload',
    'payload.yaml',
    '--date',
    '2026-05-18',
    '--slug',
    'a-b',
  ];
  const path = '.gaia/artifacts/creative-artifacts/meeting-notes/meeting-2026-05-18-a-b.md';
  const payload = `charter: "Say \\"yes\\" to:\\n  a cache"
mode: design
closing_artifact_bias: ux-design-notes
missing_invitees: []
cost_breakdown:
  - {name: Ada, role: "Lead: UX", tokens: 12}
scratchpad_extractions: [${pad}/SP-1-x.md]
action_items: [AI-2026-05-18-1]
research_phase: skipped
summary: |
  One "line".

  Two # lines: with signs
transcript: |
  ## Phase: INVITE
risks: [None was named, "Two: three"]
open_questions:
  - Why?
`;
  const headOf = (text: string): Record<string, unknown> =>
    parse(/^---\n(.*?)^---\n/ms.exec(text)![1]!) as Record<string, unknown>;

  test('writes front matter and ten sections, several lines and quotes as they went in [CNC-HLP-38, CNC-SAV-17, CNC-SAV-20, CNC-SAV-23]', async () => {
    const { run, cwd } = await ruleWorld();
    writeFileSync(join(cwd, 'payload.yaml'), payload);
    expect(await run(...words)).toEqual({ exitCode: 0, out: [path], err: [] });
    const text = readFileSync(join(cwd, path), 'utf8');
    expect(headOf(text)).toEqual({
      date: '2026-05-18',
      slug: 'a-b',
      charter: 'Say "yes" to:\n  a cache',
      mode: 'design',
      closing_artifact_bias: 'ux-design-notes',
      missing_invitees: [],
      cost_breakdown: [{ name: 'Ada', role: 'Lead: UX', tokens: 12 }],
      total_tokens: 12,
      scratchpad_extractions: [`${pad}/SP-1-x.md`],
      action_items: ['AI-2026-05-18-1'],
      research_phase: 'skipped',
      web_search: 'enabled',
    });
    expect(text).toContain('## Summary\n\nOne "line".\n\nTwo # lines: with signs\n\n## Research preludes\n');
    expect(text).toContain('## Risks identified\n\n- None was named\n- Two: three\n\n## Open questions\n\n- Why?\n');
    expect((await run(...words)).exitCode).toBe(0);
    expect(readFileSync(join(cwd, path), 'utf8')).toBe(text);
  });

  test('an unsafe slug and another meeting’s notes are refused [CNC-HLP-38, CNC-SAV-24]', async () => {
    const { run, cwd } = await ruleWorld();
    writeFileSync(join(cwd, 'payload.yaml'), payload);
    for (const slug of ['../x', 'a/b', '.x', '', 'a b', 'a\nb']) {
      expect((await run(...words.with(-1, slug))).exitCode).toBe(2);
    }
    expect(existsSync(join(cwd, '.gaia'))).toBe(false);
    await run(...words);
    const before = readFileSync(join(cwd, path), 'utf8');
    writeFileSync(join(cwd, 'payload.yaml'), 'charter: Another one\n');
    const other = await run(...words);
    expect([other.exitCode, other.err[0]]).toEqual([2, expect.stringContaining('holds the notes of another meeting')]);
    expect(readFileSync(join(cwd, path), 'utf8')).toBe(before);
    expect((await run(...words.with(4, 'absent.yaml'))).exitCode).toBe(3);
    writeFileSync(join(cwd, 'payload.yaml'), 'charter: "open\n');
    expect((await run(...words)).exitCode).toBe(2);
  });
});

describe('scratchpad-extractor', () => {
  const words = (content: string, slug = 'a-b'): string[] => [
    'scratchpad-extractor',
    '--root',
    '.',
    '--date',
    '2026-05-18',
    '--slug',
    slug,
    '--sp-n=SP-3',
    '--content',
    content,
    '--intent',
    'keep it',
    '--action-items',
    'AI-1, AI-2',
    '--content-type',
    'auto',
  ];

  test('writes the file and prints its absolute path; again it replaces it [CNC-HLP-46, CNC-PAD-16, CNC-PAD-17]', async () => {
    const { run, cwd } = await ruleWorld();
    const ran = await run(...words('{"a": 1}'));
    expect(ran).toEqual({ exitCode: 0, out: [join(cwd, pad, 'SP-3-a-1.json')], err: [] });
    const text = readFileSync(ran.out[0]!, 'utf8');
    expect(text).toBe(
      '---\nsource_meeting: meeting-2026-05-18-a-b.md\nsource_scratchpad_id: SP-3\nsource_action_items: [AI-1, AI-2]\nextracted_by: gaia-meeting\nextracted_at: 2026-05-18T10:00:00Z\ncontent_type: json\n---\n{"a": 1}\n',
    );
    const later = await ruleWorld({}, cwd, '2026-05-18T11:30:00.000Z');
    await later.run(...words('{"a": 1}'));
    const replaced = text.replace('T10:00:00Z', 'T11:30:00Z');
    expect([readdirSync(join(cwd, pad)), readFileSync(ran.out[0]!, 'utf8')]).toEqual([['SP-3-a-1.json'], replaced]);
    expect((await run(...words('{"a": 1}', 'c-d'))).out).toEqual([join(cwd, pad, '../c-d/SP-3-a-1.json')]);
    expect(readFileSync(ran.out[0]!, 'utf8')).toBe(replaced);
  });

  test('its folders are made when they are needed, and again when a sweep took them away empty [CNC-PAD-12]', async () => {
    const { run, cwd } = await ruleWorld();
    for (const sweep of [dirname(pad), '.gaia/artifacts']) {
      const { exitCode, out } = await run(...words('{"a": 1}'));
      expect(exitCode).toBe(0);
      expect(readdirSync(join(cwd, dirname(pad)), { recursive: true })).toEqual(['a-b', 'a-b/SP-3-a-1.json']);
      rmSync(out[0]!);
      expect(readdirSync(join(cwd, pad))).toEqual([]);
      rmSync(join(cwd, sweep), { recursive: true });
    }
  });

  test('a pin whose first line or kind changed leaves one file, and others alone [CNC-PAD-16]', async () => {
    const { run, cwd } = await ruleWorld();
    await run(...words('{"a": 1}'));
    writeFileSync(join(cwd, pad, 'SP-30-x.md'), 'x');
    await run(...words('# Another title\n'));
    expect(readdirSync(join(cwd, pad)).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'SP-3-another-title.md',
      'SP-30-x.md',
    ]);
  });

  test('bad values and places are refused [CNC-HLP-46, CNC-BND-5]', async () => {
    const { run, cwd } = await ruleWorld();
    expect((await run(...words('x', '../x'))).exitCode).toBe(2);
    expect((await run(...words('x').with(4, '2026-13-45'))).exitCode).toBe(2);
    expect((await run(...words('x').with(-1, 'exe'))).exitCode).toBe(2);
    expect((await run('scratchpad-extractor')).exitCode).toBe(2);
    symlinkSync('/tmp', join(cwd, '.gaia'));
    expect(await run(...words('x'))).toMatchObject({ exitCode: 2, out: [halt] });
  });
});
