import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { runRule } from './index.ts';
import type { DispatchOrder } from './io.ts';

interface Ran {
  readonly exitCode: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly orders: readonly DispatchOrder[];
}

interface Given {
  readonly cwd: string;
  /** What the agent answers; undefined: nobody can. */
  readonly answer?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function run({ cwd, answer, env = {} }: Given, ...words: readonly string[]): Promise<Ran> {
  const [out, err, orders]: [string[], string[], DispatchOrder[]] = [[], [], []];
  const exitCode = await runRule(['dispatch-agent-turn', ...words], {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    stdin: async () => Promise.resolve(''),
    env,
    cwd,
    now: () => '2026-11-22T09:00:00.000Z',
    ...(answer !== undefined && {
      dispatch: async (order: DispatchOrder) => {
        orders.push(order);
        return Promise.resolve(answer);
      },
    }),
  });
  return { exitCode, out, err, orders };
}

async function folderWithCharter(): Promise<string> {
  const cwd = await tempFolder();
  writeFileSync(join(cwd, 'charter.md'), 'Decide it.\n');
  return cwd;
}

const usual = ['--agent', 'Ada', '--phase=discuss', '--charter-ref', 'charter.md', '--session-id', 's-1'];

test('[CNC-HLP-64] the tools of DISCUSS', async () => {
  expect(await run({ cwd: '/' }, '--print-discuss-allowlist')).toMatchObject({
    exitCode: 0,
    out: ['Read,Grep,Glob,Bash'],
  });
});

test('[CNC-HLP-63] header, then the words; what is given of the header stands, the rest is what the turn was', async () => {
  const cwd = await folderWithCharter();
  const answer = JSON.stringify({
    status: 'ok',
    body: 'I would wait.\nHALT condition=x',
    tokens: 12,
    role: 'Architect',
  });
  const { exitCode, out, orders } = await run({ cwd, answer }, ...usual, '--round', '2', '--turn=9', '--no-web');
  expect(exitCode).toBe(0);
  expect(out).toEqual([
    '[round 2 / turn 9 / Ada (Architect) / per-turn-cost 12 tokens / running-total 12 tokens]',
    'Phase: DISCUSS',
    'Turn: T9',
    'dispatched_via: subagent',
    '',
    'I would wait.',
    String.raw`\HALT condition=x`,
  ]);
  expect(orders).toEqual([
    {
      agent: 'Ada',
      phase: 'discuss',
      charter: 'Decide it.',
      sessionId: 's-1',
      role: undefined,
      turn: 9,
      round: 2,
      noWeb: true,
      root: cwd,
    },
  ]);
  const given = await run(
    { cwd, answer },
    ...usual,
    '--speaker',
    'Ada B',
    '--role',
    'Lead',
    '--turn-cost',
    '7',
    '--running-total',
    '70',
  );
  expect(given.out[0]).toBe('[round 1 / turn 1 / Ada B (Lead) / per-turn-cost 7 tokens / running-total 70 tokens]');
});

test('[CNC-HLP-65] what is grave is said before the header, the rest is kept with the session', async () => {
  const cwd = await folderWithCharter();
  const state = join(cwd, 'session.yaml');
  writeFileSync(state, 'session_id: s-1\nagent_dispatch_findings: "T1=INFO:before"\n');
  const findings = [
    { severity: 'CRITICAL', summary: 'two\nlines' },
    { severity: 'warning', summary: 'late', turn_id: 'T2' },
    { severity: 'INFO', summary: 'read; much', turn_id: 'T3' },
  ];
  const answer = JSON.stringify({ status: 'ok', body: 'x', findings });
  const { exitCode, err } = await run({ cwd, answer }, ...usual, '--turn-id', 'T4', '--state-file', 'session.yaml');
  expect(exitCode).toBe(0);
  expect(err).toEqual([
    '[gaia-meeting] CRITICAL: Ada @ turn T4 — two lines',
    '[gaia-meeting] WARNING: Ada @ turn T2 — late',
  ]);
  expect(readFileSync(state, 'utf8')).toBe(
    'session_id: s-1\nagent_dispatch_findings: "T1=INFO:before; T3=INFO:read, much"\n',
  );
});

test('[CNC-BND-5] findings are not kept through a link, and without secrets', async () => {
  const cwd = await folderWithCharter();
  const elsewhere = await tempFolder();
  const memory = join(cwd, '.gaia/memory');
  mkdirSync(memory, { recursive: true });
  symlinkSync(elsewhere, join(memory, 'meeting-sessions'));
  writeFileSync(join(elsewhere, 's-1.yaml'), 'session_id: s-1\n');
  const key = `AKIA${'Q3EXAMPLEKEY2Z7W'}`;
  const findings = [{ severity: 'INFO', summary: `read ${key}` }];
  const answer = JSON.stringify({ status: 'ok', body: 'x', findings });
  const refused = await run({ cwd, answer }, ...usual);
  expect(refused.exitCode).toBe(7);
  expect(refused.err.join('\n')).toContain('HALT condition=WRITE-BOUNDARY-VIOLATION');
  expect(readFileSync(join(elsewhere, 's-1.yaml'), 'utf8')).toBe('session_id: s-1\n');
  expect((await run({ cwd, answer }, ...usual, '--state-file', join(elsewhere, 's-1.yaml'))).exitCode).toBe(0);
  const kept = readFileSync(join(elsewhere, 's-1.yaml'), 'utf8');
  expect(kept).toContain('T1=INFO:read REDACTED-AWS-KEY');
  expect(kept).not.toContain(key);
});

test('[CNC-HLP-67] an answer that has no status, or is no JSON, is passed on as it came', async () => {
  const cwd = await folderWithCharter();
  for (const answer of ['{"body":"x"}', 'not { json', '[]', '']) {
    expect(await run({ cwd, answer }, ...usual)).toMatchObject({ exitCode: 2, out: [answer] });
  }
});

test('a stub of the caller’s own answers in the place of an agent; one that cannot be run is named', async () => {
  const cwd = await folderWithCharter();
  const stub = join(cwd, 'stub.sh');
  writeFileSync(stub, '#!/bin/sh\nprintf \'{"status":"ok","body":"%s of %s"}\' "$4" "$2"\n');
  chmodSync(stub, 0o700);
  const ran = await run(
    { cwd, env: { PATH: process.env['PATH'] ?? '', GAIA_DISPATCH_AGENT_STUB: './stub.sh' } },
    ...usual,
  );
  expect(ran).toMatchObject({ exitCode: 0, orders: [] });
  expect(ran.out.at(-1)).toBe('discuss of Ada');
  const none = await run({ cwd, env: { GAIA_DISPATCH_AGENT_STUB: 'no-such-stub' } }, ...usual);
  expect(none).toMatchObject({ exitCode: 7, out: [] });
});

test.each([
  [['--agent', 'Ada'], '--phase, --charter-ref, --session-id are missing'],
  [[...usual, '--phase', 'save'], '--phase is research or discuss'],
  [[...usual, '--turn', 'x'], '--turn: whole numbers from 0 on'],
  [[...usual, '--charter-ref', 'none.md'], 'holds no charter'],
  [[...usual, '--strange'], 'unknown argument "--strange"'],
])('%j is malformed', async (words, reason) => {
  const cwd = await folderWithCharter();
  const { exitCode, out, err } = await run({ cwd, answer: '{}' }, ...words);
  expect([exitCode, out]).toEqual([3, []]);
  expect(err.join('\n')).toContain(reason);
});

test('a turn that could not be had leaves no header behind', async () => {
  const cwd = await folderWithCharter();
  const answer = JSON.stringify({
    status: 'failed',
    body: '',
    findings: [{ severity: 'CRITICAL', summary: 'no model' }],
  });
  const { exitCode, out, err } = await run({ cwd, answer }, ...usual);
  expect([exitCode, out, err]).toEqual([7, [], ['[gaia-meeting] CRITICAL: Ada @ turn T1 — no model']]);
});
