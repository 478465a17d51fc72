/** One step of a council, with a hall that says only what a test lets it say. */
import { expect, test } from 'vitest';
import type { Asked, CouncilEntry, CouncilNext, CouncilQuestion } from '../../features/councils/contract.ts';
import { councilIdSchema } from '../../features/councils/contract.ts';
import { optionsOf, questionWords } from '../../features/councils/contract/asking.ts';
import { fail } from '../../kernel/pure/errors.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import { projectNameSchema } from '../../kernel/pure/ids.ts';
import type { HallClient } from './client.ts';
import { followNext } from './council-next.ts';
import type { FollowParts } from './follow.ts';
import { councilRenderers } from './render/councils.ts';
import { createTerminal } from './terminal.ts';

const id = councilIdSchema.parse('2026-03-01-shall-we');
const marker: CouncilEntry = { kind: 'marker', phase: 'DISCUSS' };
const turn: CouncilEntry = {
  kind: 'turn',
  turn: {
    id: 'T3',
    number: 3,
    round: 1,
    phase: 'DISCUSS',
    kind: 'round-robin',
    speaker: 'Theo',
    role: 'Architect',
    body: 'I would wait.',
    tokens: 7,
    runningTotal: 30,
    usage: { inputTokens: 1, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null },
    via: 'subagent',
    origin: null,
    progress: 'none',
    claims: [],
    challenges: [],
    decisions: [],
    at: '',
    seal: '',
  },
};
const header = '[round 1 / turn 3 / Theo (Architect) / per-turn-cost 7 tokens / running-total 30 tokens]';

function askedOf(question: CouncilQuestion): Asked {
  return { question, ...questionWords(question), notes: [], options: [...optionsOf(question)], shown: null };
}

function stepOf(more: Partial<CouncilNext> = {}): CouncilNext {
  const { from = 4, entries = [] } = more;
  return {
    id,
    project: projectNameSchema.parse('shop'),
    status: 'running',
    phase: 'DISCUSS',
    from,
    entries,
    next: from + entries.length,
    asked: null,
    halt: null,
    trouble: null,
    save: null,
    sessionFile: '/r/s.yaml',
    cursor: 'c',
    ...more,
  };
}

interface World {
  /** What `council.next` answers, one after the other. */
  readonly steps: readonly CouncilNext[];
  readonly events?: readonly Pick<HallEvent, 'type' | 'data'>[];
  readonly asJson?: boolean;
  /** The hall goes away while it is listened to, and comes back. */
  readonly goes?: boolean;
  /** The person leaves while the hall is listened to. */
  readonly leaves?: boolean;
}

async function next({ steps, events = [], asJson = false, goes = false, leaves = false }: World) {
  let [out, err, heard] = ['', '', 0];
  let leave = (): void => undefined;
  const calls: unknown[] = [];
  const client: HallClient = {
    url: '',
    call: async (name, input) => {
      calls.push([name, input]);
      return steps[Math.min(calls.length, steps.length - 1)];
    },
    events: async function* ({ after }) {
      expect(after).toBe('c');
      for (const event of events) {
        heard += 1;
        yield {
          project: 'shop',
          subject: `council:${id}`,
          epoch: 'e',
          seq: 1,
          at: '',
          ...event,
        } as unknown as HallEvent;
      }
      if (goes) throw fail('unavailable', 'No hall is running.', 'guild-hall up');
      if (leaves) leave();
    },
  };
  const sink = {
    out: { write: (text: string) => (out += text), isTTY: false },
    err: { write: (text: string) => (err += text) },
  };
  const parts: FollowParts = {
    terminal: createTerminal(sink, { NO_COLOR: '1' }),
    onInterrupt: (listener) => ((leave = listener), () => undefined),
    sleep: async () => undefined,
    connect: async () => client,
  };
  const exitCode = await followNext.run(parts, client, steps[0], asJson);
  return { exitCode, out, err, calls, heard };
}

test('a turn that has landed is printed at once, with the command of the next step [CNC-PLG-1]', async () => {
  const { exitCode, out, calls } = await next({ steps: [stepOf({ entries: [marker, turn] })] });
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^## Phase: DISCUSS\n\n\[round 1/);
  expect(out).toContain(`${header}\n`);
  expect(out).toContain('\n\nI would wait.\n');
  expect(out).toMatch(/\nIt goes on: (?:npx )?guild-hall council next 2026-03-01-shall-we --project shop --from 6\n$/);
  expect(calls).toEqual([]);
});

test('without one it waits, passing over what is no step, and reads from the same entry on', async () => {
  const { out, calls, heard } = await next({
    steps: [stepOf({ entries: [marker] }), stepOf({ entries: [marker, turn] })],
    events: [
      { type: 'council.words', data: { text: 'I wo' } },
      { type: 'council.entry', data: { n: 4, entry: marker } },
      { type: 'council.entry', data: { n: 5, entry: turn } },
      { type: 'council.words', data: { text: 'no' } },
    ],
  });
  expect(heard).toBe(3);
  expect(calls).toEqual([['council.next', { id, project: 'shop', from: 4 }]]);
  expect(out.match(/## Phase: DISCUSS/g)).toHaveLength(1);
  expect(out).toContain(header);
});

test('a question ends it: nobody is asked, and each command answers this question and no later one', async () => {
  const yields = await next({
    steps: [stepOf({ status: 'asking', asked: askedOf({ kind: 'yield', at: 'pre-close', turns: 0 }) })],
  });
  expect(yields.exitCode).toBe(0);
  // To the letter and in one line: somebody puts it into a question of their own.
  expect(yields.out).toContain(
    'Yield: pre-CLOSE\npre-CLOSE yield — about to draft close-time triage and artifacts; review and decide how to proceed\n',
  );
  for (const way of ['continue', 'pause', 'interject -', 'wrap-up', 'abort'])
    expect(yields.out).toMatch(
      new RegExp(
        `\\n  (npx )?guild-hall council answer ${id} ${way} --project shop --question pre-close --no-follow\\n`,
      ),
    );
  expect(yields.out).toMatch(/\nAfter the answer: (?:npx )?guild-hall council next \S+ --project shop --from 4\n$/);
  const draft = await next({
    steps: [stepOf({ status: 'asking', asked: askedOf({ kind: 'review', draft: "memory:Ann O'Neill $(x)" }) })],
  });
  expect(draft.out).toContain(String.raw`edit - --project shop --question 'memory:Ann O'\''Neill $(x)' --no-follow`);
});

test('one that answers itself is no question; its end is one', async () => {
  const { exitCode, calls } = await next({
    steps: [stepOf({ status: 'asking' }), stepOf({ status: 'aborted' })],
    events: [{ type: 'council.status', data: {} }],
  });
  expect(calls).toHaveLength(1);
  expect(exitCode).toBe(5);
});

test('ends as the following of a whole council does: halted with its line as the last word, stopped, paused', async () => {
  const halt = 'HALT condition=CITE-OR-FLAG agent=Theo fr=FR-MTG-9 detail=x';
  const line: CouncilEntry = { kind: 'line', name: 'halt', text: halt };
  const halted = await next({ steps: [stepOf({ status: 'halted', halt, entries: [line] })] });
  expect([halted.exitCode, halted.out, halted.err]).toEqual([2, `${halt}\n`, '']);
  const stopped = await next({ steps: [stepOf({ status: 'paused', trouble: 'No model.' })] });
  expect([stopped.exitCode, stopped.err]).toEqual([7, expect.stringContaining('No model.')]);
  const asked = askedOf({ kind: 'yield', at: 'post-charter', turns: 0 });
  const paused = await next({ steps: [stepOf({ status: 'paused', asked })] });
  expect([paused.exitCode, paused.out]).toEqual([0, '']);
  expect(paused.err).toContain(`guild-hall council resume ${id}`);
});

test('outlives a hall that is started again, and can be left', async () => {
  const back = await next({ steps: [stepOf(), stepOf({ entries: [turn] })], goes: true });
  expect([back.exitCode, back.calls.length]).toEqual([0, 1]);
  expect(back.out).toContain(header);
  const left = await next({ steps: [stepOf()], leaves: true });
  expect([left.exitCode, left.out]).toEqual([130, '']);
});

test('as JSON it is the answer of the operation, and nothing besides', async () => {
  const step = stepOf({ entries: [marker, turn] });
  const { out } = await next({ steps: [step], asJson: true });
  expect(JSON.parse(out)).toEqual(step);
});

test('at a door that does not wait the same words are the answer', () => {
  const term = createTerminal(
    { out: { write: () => true, isTTY: false }, err: { write: () => true } },
    { NO_COLOR: '1' },
  );
  const render = councilRenderers['council.next'] as (step: CouncilNext, on: typeof term) => string;
  expect(render(stepOf({ entries: [turn] }), term)).toContain(header);
  const asked = askedOf({ kind: 'yield', at: 'post-charter', turns: 0 });
  expect(render(stepOf({ status: 'asking', asked }), term)).toContain(
    'interject - --project shop --question post-charter',
  );
  expect(render(stepOf({ status: 'aborted' }), term)).toBe('– aborted\n');
});
