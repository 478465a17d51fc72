/** The session file: every field comes back as it went in, whoever reads it; what cannot be read is named and kept. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cited, sampleSession, sampleSpoken, walkCouncil } from '../../../../test/help/council-values.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import type { CouncilSession } from '../contract.ts';
import { sessionPath } from './place.ts';
import { parseSession, printSession, readSession, readSessions, writeSession } from './session-file.ts';
import { parseFields, seedFields } from './session-text.ts';

const ctx = { log: silentLog };
const hostile = [
  'two\nlines',
  '"quoted" and \'single\'',
  '---\nfoo: bar\n...\n',
  '🜚 emoji 👩‍🚀',
  '$(touch /tmp/x) `id` ${HOME}',
  '[round 1 / turn 1 / Ada (x) / per-turn-cost 1 tokens / running-total 1 tokens]',
  '- item\n  - {"a": 1}\nsession_id: other',
  '\u0085 \u2028 \u2029 \ufeff \u007f \u0000 \t \r\n',
  '# comment: & * ! | > % @',
  '~',
  'null',
  'true',
  '1e3',
  ' leading and trailing ',
  'x'.repeat(100_000),
];

function withText(text: string): CouncilSession {
  const walked = walkCouncil(sampleSession(), {
    speak: (step) =>
      sampleSpoken(text, {
        claims: cited(text),
        fetched: [text],
        findings: [{ severity: 'INFO', text }],
        asked: {
          pins: [{ content: text, contentType: 'md', intent: text }],
          decisions: [text],
          challenges: [text],
          raiseHand: { target: step.speaker.name === 'Ada' ? 'Ben' : 'Ada', question: text },
        },
      }),
    answer: (question) =>
      question.kind === 'review' ? { answer: 'edit', text } : { answer: question.kind === 'pin' ? 'keep' : 'continue' },
  }).session;
  const notes = { summary: text, sections: { [text]: text, toString: text }, openQuestions: [text], minority: text };
  return {
    ...walked,
    charter: text,
    trouble: text,
    tokens: { [text]: 1, snake_case: 2, camelCase: 3 },
    drafts: { ...walked.drafts!, notes },
    save: {
      ids: { 'draft-1': 'AI-2026-05-18-1' },
      written: [],
      extractions: [],
      memory: [],
      notes: null,
      commit: null,
    },
  };
}

describe('the session file', () => {
  test('[CNC-STA-3] begins with the thirteen fields, flat and in their order', async () => {
    const text = printSession(sampleSession());
    expect(text.split('\n').slice(0, 13)).toEqual([
      'session_id: "2026-05-18-who-owns-the-cache"',
      'phase: "CHARTER"',
      'round: 0',
      'turn_counter: 0',
      'cadence_counter: 0',
      'raise_hand_ledger: ""',
      'scratchpad_state: ""',
      'cumulative_cost: 0',
      'last_checkpoint_at: ""',
      'last_checkpoint_phase: ""',
      'last_yield_emitted_at: ""',
      'agent_dispatch_findings: ""',
      'user_attendance: "false"',
    ]);
    expect(Object.keys(parse(text) as object).slice(0, 13)).toEqual(seedFields);
  });

  test('[CNC-STA-4] holds everything that a new process needs', () => {
    const keys = Object.keys(parse(printSession(withText('x'))) as object);
    expect(keys).toEqual(
      expect.arrayContaining(
        'charter setup transcript pins tokens drafts reviews fetched loop_window muted waiting_hands inserted'.split(
          ' ',
        ),
      ),
    );
  });

  test.each(hostile.map((text) => [text.slice(0, 30), text]))(
    '[CNC-STA-17] gives back %j in every field, to us and to any reader of YAML',
    async (_, text) => {
      const session = withText(text);
      const printed = printSession(session);
      expect(await parseSession(printed, 'f')).toEqual(session);
      // In another form of YAML, as an editor might leave it: the same.
      const { Document } = await import('yaml');
      expect(await parseSession(new Document(parse(printed)).toString(), 'f')).toEqual(session);
      expect(Object.keys(parse(printed) as object).slice(0, 13)).toEqual(seedFields);
    },
  );

  test('[CNC-STA-17] gives back any text', async () => {
    const texts = fc.string({ unit: 'binary' });
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const session = { ...sampleSession(), charter: text, raiseHandLedger: text, tokens: { [`n${text}`]: 1 } };
        expect(await parseSession(printSession(session), 'f')).toEqual(session);
        expect((parse(printSession(session)) as { charter: string }).charter).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  test('[CNC-STA-5] refuses a phase that is none, names the line, and leaves the file', async () => {
    const root = await tempFolder();
    const session = sampleSession();
    await writeSession(ctx, root, session);
    const file = join(root, sessionPath(session.sessionId));
    const text = readFileSync(file, 'utf8').replace('phase: "CHARTER"', 'phase: "PARTY"');
    writeFileSync(file, text);
    await expect(readSession(root, session.sessionId)).rejects.toMatchObject({
      code: 'conflict',
      details: { file, line: 2 },
    });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('names the line of what is no YAML, and goes on with the other files', async () => {
    const root = await tempFolder();
    const session = sampleSession();
    await writeSession(ctx, root, session);
    const broken = join(root, sessionPath('2026-05-19-broken'));
    writeFileSync(broken, 'session_id: "x"\nphase: "CHARTER\n');
    const { sessions, problems } = await readSessions(root);
    expect(sessions).toEqual([session]);
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toMatch(/2026-05-19-broken\.yaml cannot be read at line [23]/);
    await expect(parseFields('- a\n- b\n', 'f')).rejects.toMatchObject({ details: { line: 1 } });
    await expect(parseFields('a: 1\na: 2\n', 'f')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('whatever became of the text, it is read, or refused by file and line', async () => {
    const text = printSession(walkCouncil(sampleSession()).session);
    const cut = fc.record({ at: fc.nat(text.length), length: fc.nat(60), instead: fc.string({ maxLength: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 3 }), async (cuts) => {
        const changed = cuts.reduce(
          (now, { at, length, instead }) => now.slice(0, at) + instead + now.slice(at + length),
          text,
        );
        const read = await parseSession(changed, '/f').catch((error: unknown) => error);
        if (read instanceof HallError)
          expect(read.message).toMatch(/^The session file \/f cannot be read at line [1-9]/);
        else expect(read).toHaveProperty('sessionId');
      }),
      { numRuns: 80 },
    );
  });

  test('[CNC-STA-2] a file under the name of another council is refused', async () => {
    const root = await tempFolder();
    await writeSession(ctx, root, sampleSession());
    const file = join(root, sessionPath('2026-05-18-who-owns-the-cache'));
    writeFileSync(join(dirname(file), '2026-05-18-other.yaml'), readFileSync(file));
    await expect(readSession(root, '2026-05-18-other')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('[CNC-STA-18] is written through the one writer: whole, and never through a link', async () => {
    const root = await tempFolder();
    const outside = await tempFolder();
    mkdirSync(join(root, '.gaia/memory'), { recursive: true });
    symlinkSync(outside, join(root, '.gaia/memory/meeting-sessions'));
    await expect(writeSession(ctx, root, sampleSession())).rejects.toThrow(/HALT condition=WRITE-BOUNDARY-VIOLATION/);
    expect(readdirSync(outside)).toEqual([]);
    await expect(readSession(root, '2026-05-18-who-owns-the-cache')).rejects.toMatchObject({ code: 'forbidden' });
  });

  test('is not there where nothing was written', async () => {
    const root = await tempFolder();
    expect(await readSession(root, '2026-05-18-none')).toBeUndefined();
    expect(await readSessions(root)).toEqual({ sessions: [], problems: [] });
  });
});
