/** Following a council, with a hall that says only what a test lets it say. */
import { expect, test } from 'vitest';
import type { Asked, CouncilEntry, CouncilStatus, CouncilView } from '../../features/councils/contract.ts';
import { optionsOf, questionWords } from '../../features/councils/contract/asking.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { HallClient } from './client.ts';
import { followCouncil, runCouncil } from './council-follow.ts';
import type { FollowParts } from './follow.ts';
import type { Prompt } from './prompt.ts';
import { createTerminal } from './terminal.ts';

const id = '2026-03-01-shall-we';
const marker = (phase: 'INVITE' | 'CHARTER' | 'RESEARCH' | 'SAVE'): CouncilEntry => ({ kind: 'marker', phase });
const line = (name: 'warning' | 'halt' | 'cost-check', text: string): CouncilEntry => ({ kind: 'line', name, text });
const question = { kind: 'yield', at: 'pre-close', turns: 0 } as const;
const asked: Asked = {
  question,
  ...questionWords(question),
  notes: [],
  options: [...optionsOf(question)],
  shown: null,
};
const halt = 'HALT condition=CITE-OR-FLAG agent=Theo fr=FR-MTG-9 detail=x';

function viewOf(status: CouncilStatus, more: Partial<CouncilView> = {}): unknown {
  return {
    id,
    project: 'shop',
    charter: 'Shall we?',
    mode: 'decide',
    status,
    phase: 'DISCUSS',
    round: 1,
    turns: 0,
    tokens: 0,
    speakers: ['Theo'],
    startedAt: '',
    asks: null,
    sessionFile: '/r/s.yaml',
    setup: {
      mode: 'decide',
      bias: 'decision-record',
      inviteesOverride: false,
      defaultInviteesResolved: [],
      missingInvitees: [],
      noWeb: false,
      skipResearch: false,
      turns: 4,
      maxTurns: 40,
      perAgentCap: 25_000,
      yes: false,
      inPlace: null,
      userName: null,
      date: '2026-03-01',
      slug: 'shall-we',
      startedAt: '',
      invitees: [{ name: 'Theo', role: 'Architect', worker: 'theo' }],
    },
    transcript: [],
    pins: [],
    muted: [],
    asked: null,
    halt: null,
    trouble: null,
    drafts: null,
    save: null,
    costs: { bySpeaker: [], byPhase: [], total: { tokens: 0, costUsd: 0 } },
    root: '/r',
    sandbox: 'none',
    isRehearsal: false,
    cursor: 'c',
    ...more,
  };
}

const event = (type: string, data: object): HallEvent =>
  ({ type, project: 'shop', subject: `council:${id}`, data: { id, ...data }, epoch: 'e', seq: 1, at: '' }) as HallEvent;

interface World {
  /** What `council.show` answers, one after the other; the last one again and again. */
  readonly views: readonly unknown[];
  readonly events?: readonly HallEvent[];
  readonly asJson?: boolean;
  readonly prompt?: Prompt;
  /** The hall goes away once, when it has said everything. */
  readonly goes?: boolean;
  /** It goes away while it is told so many answers. */
  readonly goesAtAnswers?: number;
  readonly from?: number;
  readonly isTTY?: boolean;
}

async function follow(world: World) {
  let [out, err, away] = ['', '', world.goes === true];
  let deaf = world.goesAtAnswers ?? 0;
  const calls: [string, unknown][] = [];
  const views = [...world.views];
  const client: HallClient = {
    url: '',
    call: async (name, input) => {
      calls.push([name, input]);
      if (name === 'council.answer' && (deaf -= 1) >= 0)
        throw fail('unavailable', 'No hall is running.', 'guild-hall up');
      return views.length > 1 && name === 'council.show' ? views.shift() : views[0];
    },
    events: async function* () {
      yield* world.events ?? [];
      if (!away) return;
      away = false;
      throw fail('unavailable', 'No hall is running.', 'guild-hall up');
    },
  };
  const parts: FollowParts = {
    terminal: createTerminal(
      {
        out: { write: (text: string) => (out += text), isTTY: world.isTTY ?? false },
        err: { write: (text: string) => (err += text) },
      },
      { NO_COLOR: '1' },
    ),
    onInterrupt: () => () => {},
    sleep: async () => {},
    prompt: world.prompt,
    connect: async () => client,
  };
  const facts = { id, project: 'shop', status: 'running', phase: 'CHARTER', from: world.from ?? 0 };
  const answer = { ...facts, sessionFile: '/r/s.yaml', cursor: 'c' };
  const exitCode = await followCouncil.run(parts, client, answer, world.asJson ?? false);
  return { exitCode, out, err, calls };
}

test('what has landed is printed from where it was left, a blank line between two [CNC-INV-19]', async () => {
  const transcript = [marker('INVITE'), line('cost-check', '[cost-check after turn 10: 1 tokens]'), marker('RESEARCH')];
  const ran = await follow({ views: [viewOf('paused', { transcript })], from: 1 });
  expect(ran).toMatchObject({
    exitCode: 0,
    out: `council ${id}\n\n[cost-check after turn 10: 1 tokens]\n\n## Phase: RESEARCH\n`,
    err: `Paused. Go on: guild-hall council resume ${id}\n`,
  });
});

test('on a terminal a pin has its lines below one another, set off, and not all of very many; in a pipe it is as saved', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => `[round ${at}`).join(String.raw`\n`);
  const text = `[pin SP-1 pinned by Theo for: a list] # Rows${String.raw`\n`}${rows}`;
  const views = [viewOf('paused', { transcript: [{ kind: 'line', name: 'pin', text }] })];
  const { out } = await follow({ views, isTTY: true });
  expect(out).toContain('[pin SP-1 pinned by Theo for: a list] # Rows\n  │ [round 0\n  │ [round 1\n');
  expect(out).toContain('  │ [round 11\n  │ … 8 more lines\n');
  expect((await follow({ views })).out).toContain(text);
});

test('who comes back is told how much there is to read', async () => {
  const transcript = [marker('INVITE'), marker('CHARTER')];
  const views = [viewOf('paused', { transcript, turns: 3 })];
  const told = `3 turns so far; read them: guild-hall council show ${id}`;
  expect((await follow({ views, isTTY: true, from: 2 })).err).toContain(told);
  expect((await follow({ views, isTTY: true, from: 1 })).err).not.toContain(told);
  expect((await follow({ views, from: 2 })).err).not.toContain(told);
});

test('paths are told before the marker that ends a saved one', async () => {
  const save = { ids: null, written: ['.gaia/a.md'], extractions: [], memory: [], notes: null, commit: '0123456789ab' };
  const { exitCode, out, err } = await follow({ views: [viewOf('saved', { transcript: [marker('SAVE')], save })] });
  expect([exitCode, err]).toEqual([0, '']);
  expect(out).toBe(`council ${id}\n\n✓ Saved, commit 0123456789:\n  .gaia/a.md\n\n## Phase: SAVE\n`);
});

test('a HALT line is the last, and nothing is said after it [CNC-GRD-2]', async () => {
  const ran = await follow({ views: [viewOf('halted', { transcript: [line('halt', halt)], halt })] });
  expect(ran).toMatchObject({ exitCode: 2, out: `council ${id}\n\n${halt}\n`, err: '' });
});

test('turns that cannot be proved are told on standard error, with exit code 1 [CNC-PRV-7]', async () => {
  const sentence = "HALT: dispatch-provenance-check failed — 1 turn(s) lack 'dispatched_via: subagent' marker. Re-run.";
  const view = viewOf('halted', { transcript: [line('halt', sentence)], halt: sentence });
  expect(await follow({ views: [view] })).toMatchObject({ exitCode: 1, out: `council ${id}\n`, err: `${sentence}\n` });
});

test('warnings go to standard error, also with --json, which prints one value [CNC-WHO-5]', async () => {
  const transcript = [line('warning', '[gaia-meeting] WARNING: x'), marker('INVITE')];
  const { exitCode, out, err } = await follow({ views: [viewOf('asking', { transcript, asked })], asJson: true });
  expect([exitCode, err]).toEqual([0, '[gaia-meeting] WARNING: x\n']);
  expect(JSON.parse(out)).toMatchObject({ id, status: 'asking', asked: { header: 'Yield: pre-CLOSE' }, written: [] });
});

test('an aborted one ends with 5, one that was stopped with 7 and how to go on', async () => {
  expect(await follow({ views: [viewOf('aborted')] })).toMatchObject({ exitCode: 5 });
  const stopped = await follow({ views: [viewOf('paused', { trouble: 'The disk is full.' })] });
  expect(stopped).toMatchObject({ exitCode: 7, err: expect.stringContaining('The disk is full.') });
  expect(stopped.err).toContain(`council resume ${id} --continue`);
});

test('where nobody sits, the question is printed with how to answer it, and that is all [CNC-YLD-8]', async () => {
  const { exitCode, out, calls } = await follow({ views: [viewOf('asking', { asked })] });
  expect(exitCode).toBe(0);
  expect(out).toContain('Yield: pre-CLOSE\npre-CLOSE yield — about to draft close-time triage');
  expect(out).toContain(`  guild-hall council answer ${id} wrap-up\n`);
  expect(calls.map(([name]) => name)).toEqual(['council.show']);
});

test('an answer is sent with the question that it is for', async () => {
  const typed = ['c'];
  const prompt = { ask: async () => typed.shift(), edit: async () => undefined };
  const { exitCode, calls } = await follow({ views: [viewOf('asking', { asked }), viewOf('saved')], prompt });
  expect(exitCode).toBe(0);
  expect(calls[1]).toEqual(['council.answer', { id, project: 'shop', answer: 'continue', question: 'pre-close' }]);
});

test('what was being told to a hall that went away is told again where it was not heard, and never twice', async () => {
  const prompt = (...typed: string[]): Prompt => ({ ask: async () => typed.shift(), edit: async () => undefined });
  const before = viewOf('asking', { asked });
  const answersOf = (calls: readonly [string, unknown][]): unknown[] =>
    calls.filter(([name]) => name === 'council.answer').map(([, input]) => (input as { text?: string }).text);
  const unheard = await follow({
    views: [before, before, viewOf('saved')],
    goesAtAnswers: 1,
    prompt: prompt('i Once.'),
  });
  expect(answersOf(unheard.calls)).toEqual(['Once.', 'Once.']);
  // It was said, and the same question is put again.
  const heard = viewOf('asking', { asked, transcript: [marker('INVITE')] });
  const again = await follow({
    views: [before, heard, heard, viewOf('saved')],
    goesAtAnswers: 1,
    prompt: prompt('i Once.', 'c'),
  });
  expect(answersOf(again.calls)).toEqual(['Once.', undefined]);
  const walking = await follow({
    views: [before, viewOf('running'), viewOf('saved')],
    goesAtAnswers: 1,
    prompt: prompt('c'),
  });
  expect(answersOf(walking.calls)).toEqual([undefined]);
});

test('entries come as events; what the stream left out is read anew, and a hall that went away is found again', async () => {
  const entries = [marker('INVITE'), marker('CHARTER'), marker('RESEARCH')];
  const views = [
    viewOf('running'),
    viewOf('running', { transcript: entries.slice(0, 2) }),
    viewOf('paused', { transcript: entries }),
  ];
  const events = [
    event('council.entry', { n: 0, entry: entries[0] }),
    event('council.words', { speaker: 'Theo', text: 'x' }),
  ];
  const { exitCode, out, calls } = await follow({ views, events, goes: true });
  expect(exitCode).toBe(0);
  expect(out).toBe(`council ${id}\n\n## Phase: INVITE\n\n## Phase: CHARTER\n\n## Phase: RESEARCH\n`);
  expect(calls.filter(([name]) => name === 'council.show')).toHaveLength(3);
});

test.each([
  ['asked for where a person sits', {}, false, { charter: 'typed' }],
  ['not with --json', {}, true, {}],
  ['not where it was given', { charter: 'given' }, false, { charter: 'given' }],
  ['not of a council that goes on', { resume: 'x' }, false, { resume: 'x' }],
])('a charter is %s [CNC-CHA-3]', async (_, given: Record<string, unknown>, asJson, expected) => {
  const prompt = { ask: async () => 'typed', edit: async () => undefined };
  const terminal = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});
  const parts: FollowParts = { terminal, onInterrupt: () => () => {}, sleep: async () => {}, prompt };
  const input = { ...given };
  await runCouncil.prepare!(parts, input, asJson);
  expect(input).toEqual(expected);
});

test('that nothing thinks is said once to who sits there, and neither in the transcript nor to programs', async () => {
  const played = { isRehearsal: true };
  const views = [viewOf('running', played), viewOf('paused', played)];
  const said = 'Rehearsal: no model is configured.';
  const events = [event('council.status', { from: 'running', to: 'paused' })];
  const ran = await follow({ views, events, isTTY: true });
  expect(ran.err.split(said)).toHaveLength(2);
  expect(ran.out).not.toContain(said);
  const others = [
    { views: [viewOf('paused')], isTTY: true },
    { views: [viewOf('paused', played)], isTTY: true, asJson: true },
    { views: [viewOf('paused', played)] },
  ];
  for (const world of others) expect((await follow(world)).err).not.toContain(said);
});
