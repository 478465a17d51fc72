/** One council by two drivers whose agents say the same: the real Claude Agent SDK, and a driver that starts no process. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { CouncilsContext } from '../../src/features/councils/context.ts';
import { councilIdSchema, type CouncilSession } from '../../src/features/councils/contract.ts';
import { questionName } from '../../src/features/councils/contract/asking.ts';
import { askedOf } from '../../src/features/councils/operations/asked.ts';
import { changeByPerson } from '../../src/features/councils/reactions/person.ts';
import { wakeCouncil } from '../../src/features/councils/reactions/runner.ts';
import { beginCouncil } from '../../src/features/councils/reactions/starting.ts';
import { applyAnswer, applyResume } from '../../src/features/councils/rules/answers.ts';
import { countCosts } from '../../src/features/councils/rules/costs.ts';
import { startSession } from '../../src/features/councils/rules/steps.ts';
import { type CouncilRef, sessionFile } from '../../src/features/councils/store/place.ts';
import { readSession } from '../../src/features/councils/store/session-file.ts';
import { councilTurns } from '../../src/features/councils/turns/turns.ts';
import type { AgentDriver, AgentEvent, AgentUsage } from '../../src/kernel/agents/contract.ts';
import { createRecordedDriver } from '../../src/kernel/agents/drivers/recorded.ts';
import { createBackground } from '../../src/kernel/background/background.ts';
import { systemClock } from '../../src/kernel/clock/clock.ts';
import { silentLog } from '../../src/kernel/log/log.ts';
import { asText, leftBelow, Person } from '../help/council-doors.ts';
import { makeTurnsRig, sessionOf as sampleSession } from '../help/council-turns.ts';
import { makeRepository, tempFolder } from '../help/repositories.ts';

const scenario = `
- match: 'in RESEARCH: your'
  activity: council
  say: "Sources consulted:\\n  src/parser.ts:1\\nWhat I know:\\n  - What do the callers want?"
- match: '/DISCUSS: turn 4,/'
  activity: council
  say: "I would ask the callers first.\\n\\n\`\`\`pin\\n| case | answer |\\n\`\`\`"
- { match: 'in DISCUSS:', activity: council, say: "As for me, I would wait. What is the hurry?" }
- { match: 'submit_drafts', activity: council, say: "I have none." }
`;
const files = {
  'src/parser.ts': 'export const parse = (text: string): string[] => text.split(",");\n',
  'README.md': '# Shop\n',
  'settings.json': '{"meeting":{"checkpoint_every_n_turns":1}}\n',
};

/** What an agent was told, what it said, what that used. */
interface Spoken {
  readonly prompt: string;
  text: string;
  usage: AgentUsage | null;
}

interface Held {
  readonly session: CouncilSession;
  readonly yields: readonly string[];
  readonly left: Readonly<Record<string, unknown>>;
  readonly prompts: readonly string[];
}

test('prompts, yields, the resumed phase, costs and files of a council are the same by every driver [CNC-YLD-28]', async () => {
  const spoken: Spoken[] = [];
  const byClaude = await hold(spoken, (driver) => driver);
  expect(spoken.length).toBeGreaterThan(5);
  const again: Spoken[] = [];
  const byOther = await hold(again, () => replaying(spoken));
  expect(byOther.prompts).toEqual(byClaude.prompts);
  expect(byOther.yields).toEqual(byClaude.yields);
  expect(byClaude.yields.filter((each) => each.startsWith('paused'))).toHaveLength(1);
  expect(byOther.left).toEqual(byClaude.left);
  expect(Object.keys(byClaude.left).length).toBeGreaterThan(2);
  // To the last digit: what is rounded is rounded after the driver.
  expect(countCosts(byOther.session)).toEqual(countCosts(byClaude.session));
  expect(byClaude.session.cumulativeCost).toBeGreaterThan(0);
  for (const { left } of [byClaude, byOther])
    expect(JSON.stringify(left)).not.toMatch(/recorded|"driver"|claude-agent/i);
});

/** A whole council on a hall's engine, each time that it is resumed on another one. */
async function hold(spoken: Spoken[], choose: (driver: AgentDriver) => AgentDriver): Promise<Held> {
  const { path: root } = await makeRepository({ files });
  const rig = await makeTurnsRig({ folder: await tempFolder(), root, scenario });
  onTestFinished(rig.close);
  const driver = listening(choose(rig.ctx.driver), spoken);
  const open = () => openEngine({ ...rig.ctx, driver });
  const ref = { ...rig.ref, id: councilIdSchema.parse('2026-11-22-a-council') };
  const person = new Person();
  const yields: string[] = [];
  let engine = open();
  await beginCouncil(engine.ctx, ref, beginning(root));
  await walk(engine, ref);
  for (;;) {
    const session = (await readSession(ref.root, ref.id))!;
    yields.push(standing(session));
    if (session.status === 'saved') {
      const prompts = spoken.map(({ prompt }) => withoutSign(prompt).replaceAll(root, '<root>'));
      expect(readFileSync(sessionFile(ref), 'utf8')).toContain('cumulative_cost');
      return { session, yields, left: leftBelow(root), prompts };
    }
    expect(['asking', 'paused']).toContain(session.status);
    if (session.status === 'paused') engine = open();
    await changeByPerson(engine.ctx, ref, (now, facts) => {
      if (now.status === 'paused') return applyResume(now, { action: 'resume_default' }, facts);
      const [answer, text] = person.answerTo(questionName(now.question!));
      return applyAnswer(now, { answer: answer as 'continue', text }, facts);
    });
    await walk(engine, ref);
  }
}

function beginning(root: string): CouncilSession {
  const { setup } = sampleSession('');
  const charter = 'Shall the parser refuse empty lines?';
  const begun = { sessionId: councilIdSchema.parse('2026-11-22-a-council'), charter, cadence: 1, warnings: [] };
  return startSession(
    { ...setup, turns: 2, inPlace: root, userName: 'Test Person' },
    { ...begun, project: sampleSession('').project },
  );
}

/** What sets material apart in a prompt is another sign each time. */
function withoutSign(prompt: string): string {
  const sign = /<<<… (\w+)>>>/.exec(prompt)?.[1];
  return sign === undefined ? prompt : prompt.replaceAll(sign, '<sign>');
}

interface Engine {
  readonly ctx: CouncilsContext;
  readonly idle: () => Promise<void>;
}

function openEngine(parts: Partial<CouncilsContext>): Engine {
  const background = createBackground(silentLog);
  onTestFinished(async () => void (await background.stop(5000)));
  const own = { spawn: background.spawn, turns: councilTurns, liveCouncils: new Map(), knownSessions: new Map() };
  const events = { publish: (event: unknown) => event };
  // Of the context only what the engine and its turns need.
  return { ctx: { ...parts, ...own, events } as unknown as CouncilsContext, idle: background.idle };
}

async function walk({ ctx, idle }: Engine, ref: CouncilRef): Promise<void> {
  wakeCouncil(ctx, ref);
  await idle();
}

function standing(session: CouncilSession): string {
  const { status, phase, round, turnCounter, cadenceCounter, cumulativeCost, lastCheckpointPhase, tokens } = session;
  const asked = askedOf(session);
  const facts = [status, phase, round, turnCounter, cadenceCounter, cumulativeCost, lastCheckpointPhase];
  return `${facts.join(' ')} ${JSON.stringify(tokens)}\n${asked === null ? '' : asText(asked)}`;
}

/** Keeps what is said through it. */
function listening(driver: AgentDriver, spoken: Spoken[]): AgentDriver {
  return {
    ...driver,
    open: (options) => {
      const session = driver.open(options);
      return {
        ...session,
        prompt: (prompt) => {
          const heard: Spoken = { prompt: JSON.stringify(prompt), text: '', usage: null };
          spoken.push(heard);
          return hear(session.prompt(prompt), heard);
        },
      };
    },
  };
}

async function* hear(events: AsyncIterable<AgentEvent>, heard: Spoken): AsyncIterable<AgentEvent> {
  for await (const event of events) {
    if (event.type === 'text') heard.text += event.text;
    if (event.type === 'usage') heard.usage = event.usage;
    yield event;
  }
}

/** A driver whose agents say once more what was said, in its order. */
function replaying(spoken: readonly Spoken[]): AgentDriver {
  const { spawn } = createBackground(silentLog);
  let at = -1;
  const recordingOf = () => messagesOf(spoken[(at += 1)]!, at);
  return createRecordedDriver({ clock: systemClock, spawn }, { recordingOf, paceMs: 0 });
}

/** The SDK's messages for it: the text in one piece, and the account of the turn. */
function messagesOf({ text, usage }: Spoken, at: number): string {
  const ids = {
    session_id: '00000000-0000-4000-8000-000000000000',
    uuid: `00000000-0000-4000-8000-00000000000${at % 10}`,
  };
  const account = usage && {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cacheReadInputTokens: usage.cacheReadTokens,
    cacheCreationInputTokens: usage.cacheWriteTokens,
    costUSD: usage.costUsd ?? 0,
    costBasis: usage.costUsd === null ? 'unknown' : 'list',
    contextWindow: usage.contextWindow ?? 0,
  };
  const message = {
    id: `msg_${at}`,
    type: 'message',
    role: 'assistant',
    model: 'other',
    content: [{ type: 'text', text }],
  };
  return [
    { type: 'system', subtype: 'init' },
    { type: 'assistant', message: { ...message, usage: {} }, parent_tool_use_id: null },
    {
      type: 'result',
      subtype: 'success',
      is_error: false,
      num_turns: 1,
      result: text,
      permission_denials: [],
      usage: {},
      modelUsage: {},
      model_usage_since_last_result: account === null ? {} : { other: account },
    },
  ]
    .map((each) => JSON.stringify({ ...each, ...ids }))
    .join('\n');
}
