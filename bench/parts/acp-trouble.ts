/** Steps with a real agent: what goes wrong, and what is taken up again. */
import {
  callTool,
  collect,
  lastOf,
  ofType,
  readRest,
  readUntil,
  say,
  sessionOf,
  textOf,
} from '../../src/kernel/agents/conformance-bench.ts';
import { defineTool } from '../../src/kernel/agents/tools.ts';
import type { AgentSessionId } from '../../src/kernel/pure/ids.ts';
import { openIn, type Step, wordsOf } from './acp-step.ts';

const load: Step = [
  'load in a new process',
  async (bench) => {
    const first = await openIn(bench);
    bench.model.answer(first.key, say('I will remember the fox.'), say('A fox.'));
    const before = await collect(first.session.prompt('Remember a fox.'));
    await first.session.close();
    const { session } = await bench.open(first.options);
    const after = await collect(session.prompt('What was it?', { resume: sessionOf(before) }));
    await session.close();
    const seen = bench.model.requests(first.key).at(-1)?.conversation ?? '';
    return [
      textOf(after) === 'A fox.' && seen.includes('Remember a fox.') && sessionOf(after) === sessionOf(before),
      wordsOf(after),
    ];
  },
];

const kill: Step = [
  'kill -9, then go on',
  async (bench) => {
    const { session, key } = await openIn(bench);
    bench.model.answer(key, say('Noted.'), { blocks: [{ type: 'text', chunks: ['Half ', 'of'] }], then: 'stall' });
    const first = await collect(session.prompt('Note this.'));
    const turn = session.prompt('Tell.', { resume: sessionOf(first) })[Symbol.asyncIterator]();
    await readUntil(turn, 'text');
    for (const pid of await bench.livePids()) process.kill(-pid, 'SIGKILL');
    const rest = await readRest(turn);
    bench.model.otherwise(key, say('Alive.'));
    const next = await collect(session.prompt('Hello?', { resume: sessionOf(first) }));
    await session.close();
    const left = await bench.livePids();
    const end = lastOf(rest);
    const seen = bench.model.requests(key).at(-1)?.conversation ?? '';
    return [
      end.type === 'error' &&
        end.errorClass === 'crashed' &&
        textOf(next) === 'Alive.' &&
        seen.includes('Note this.') &&
        left.length === 0,
      `${wordsOf(rest)}; ${wordsOf(next)}`,
    ];
  },
];

const unknown: Step = [
  'a session that it does not know',
  async (bench) => {
    const { session, key } = await openIn(bench);
    const id = '99999999-9999-4999-8999-999999999999' as AgentSessionId;
    const events = await collect(session.prompt('Do you know me?', { resume: id }));
    bench.model.answer(key, say('Now I do.'));
    const next = await collect(session.prompt('I am new.'));
    await session.close();
    const end = lastOf(events);
    return [
      end.type === 'error' && end.errorClass === 'expired_session' && textOf(next) === 'Now I do.',
      `${wordsOf(events)}; ${wordsOf(next)}`,
    ];
  },
];

const failures = (
  [
    [401, 'auth'],
    [400, 'protocol'],
    [529, 'overloaded'],
  ] as const
).map(([status, errorClass]): Step => [
  `the model answers ${status}`,
  async (bench) => {
    const { session, key } = await openIn(bench, { limits: { maxTurns: 20, maxBudgetUsd: null, silenceMs: 60_000 } });
    bench.model.otherwise(key, { status });
    const events = await collect(session.prompt('Hello?'));
    const tries = bench.model.requests(key).length;
    bench.model.otherwise(key, say('Well again.'));
    const next = await collect(session.prompt('Now?', { resume: sessionOf(events) }));
    await session.close();
    const end = lastOf(events);
    return [
      end.type === 'error' && end.errorClass === errorClass && textOf(next) === 'Well again.',
      `${tries} tries, ${ofType(events, 'retry').length} told; ${wordsOf(events)}; ${wordsOf(next)}`,
    ];
  },
]);

const broken: Step = [
  'an answer that breaks off',
  async (bench) => {
    const { session, key } = await openIn(bench);
    bench.model.answer(
      key,
      { blocks: [{ type: 'text', chunks: ['Half ', 'of'] }], then: 'truncate' },
      say('Half ', 'of it, ', 'and the rest.'),
    );
    const events = await collect(session.prompt('Tell.'));
    await session.close();
    // Some try again; others have the model go on from what it said.
    const isContinued = (bench.model.requests(key).at(-1)?.conversation ?? '').includes('Half of');
    const whole = isContinued ? 'Half ofHalf of it, and the rest.' : 'Half of it, and the rest.';
    return [textOf(events) === whole, `${isContinued ? 'continued' : 'tried again'}; ${wordsOf(events)}`];
  },
];

const limit: Step = [
  'the limit of model calls',
  async (bench) => {
    const step = defineTool({
      name: 'step',
      description: 'One step.',
      input: {},
      run: async () => await Promise.resolve({ text: 'stepped' }),
    });
    const { session, key } = await openIn(bench, {
      tools: [step],
      limits: { maxTurns: 3, maxBudgetUsd: null, silenceMs: 30_000 },
    });
    bench.model.otherwise(key, callTool(bench.toolName('step'), {}));
    const events = await collect(session.prompt('Walk.'));
    await session.close();
    const end = lastOf(events);
    const calls = bench.model.requests(key).length;
    return [end.type === 'error' && end.errorClass === 'max_turns' && calls <= 3, `${calls} calls; ${wordsOf(events)}`];
  },
];

const two: Step = [
  'two sessions in one process',
  async (bench) => {
    const first = await openIn(bench);
    const { activity: _own, model, ...place } = first.options;
    const second = await bench.open({ ...place, model: { ...model, token: 'key-of-the-second' } });
    for (const { key } of [first, second]) bench.model.answer(key, say('I am ', `${key}.`), say('Still ', `${key}.`));
    const both = [first, second];
    const turns = await Promise.all(
      both.map(async ({ session, key }) => await collect(session.prompt(`Who are you, ${key}?`))),
    );
    const again = await Promise.all(
      both.map(
        async ({ session, key }, at) =>
          await collect(session.prompt(`And now, ${key}?`, { resume: sessionOf(turns[at]!) })),
      ),
    );
    const pids = await bench.livePids();
    await Promise.all(both.map(async ({ session }) => await session.close()));
    const left = await bench.livePids();
    const ok =
      turns.every((events, at) => textOf(events) === `I am ${both[at]!.key}.`) &&
      again.every((events, at) => textOf(events) === `Still ${both[at]!.key}.`);
    return [
      ok && pids.length === 1 && left.length === 0,
      `${pids.length} process; ${[...turns, ...again].map(wordsOf).join('; ')}`,
    ];
  },
];

const choose: Step = [
  'another mode',
  async (bench) => {
    const { session } = await openIn(bench);
    const { sessionId, choices } = await session.begin!();
    const mode = choices.find(({ kind }) => kind === 'mode');
    const other = mode?.options.find(({ id }) => id === 'plan');
    if (mode === undefined || other === undefined) return [false, 'it offers no modes'];
    const chosen = await session.choose!(sessionId, mode.id, other.id);
    await session.close();
    return [
      chosen.find(({ id }) => id === mode.id)?.current === other.id,
      `${mode.current} → ${other.id}, of ${mode.options.map(({ id }) => id).join('|')}`,
    ];
  },
];

export const troubleSteps: readonly Step[] = [load, kill, unknown, ...failures, broken, limit, two, choose];
