/**
 * The rehearsal: the upstream that answers where no model is configured. It holds no conversation of its own; every
 * answer follows from the request. Only `x2` of a directive and `times` of a scenario are counted, in memory.
 */
import type { ClockContext } from '../../clock/clock.ts';
import type { LogContext } from '../../log/log.ts';
import { activityKey } from '../../pure/ids.ts';
import { brokenText, directiveMove, parseDirective } from './directives.ts';
import type { Move, RehearsalPlay } from './move.ts';
import { sayMove } from './move.ts';
import { renderMove } from './render.ts';
import { parseRequest, readSituation, type Situation } from './situation.ts';
import { type CallOrigin, errorReply, type RehearsalUpstream, type UpstreamReply } from './upstream.ts';
import { projectPlays } from './plays/project-plays.ts';
import type { Scenario, ScenarioProblem } from './scenario.ts';
import { readScenario, type ScenarioFile } from './scenario-file.ts';
import { type Counters, createCounters, isFailureDue, scenarioMove } from './scenario-play.ts';

export interface RehearsalOptions {
  /** Plays of the features, beside the hall's own. */
  readonly plays: readonly RehearsalPlay[];
  /** Absolute path of a scenario file, or what tells it at each call. Read anew when the file has changed. */
  readonly scenario?: string | (() => string | undefined) | undefined;
  /** Kinds of activities whose own words say that it is a rehearsal: no label is put into an answer. */
  readonly unlabelled?: readonly string[];
}

export interface Rehearsal extends RehearsalUpstream {
  /** What is wrong with the scenario file as it is now. */
  scenarioProblems(): Promise<readonly ScenarioProblem[]>;
}

interface RehearsalState {
  readonly ctx: ClockContext & LogContext;
  readonly plays: readonly RehearsalPlay[];
  readonly unlabelled: readonly string[];
  readonly scenarioPath: () => string | undefined;
  readonly file: ScenarioFile;
  readonly counters: Counters;
}

/** Said once, before the first words of a conversation. */
export const rehearsalLabel =
  '> **Rehearsal.** No model is configured: I search this project, quote what I find, and use the tools I have.';

export function createRehearsal(ctx: ClockContext & LogContext, options: RehearsalOptions): Rehearsal {
  const plays = [...options.plays, ...projectPlays].toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0));
  const { scenario, unlabelled = [] } = options;
  const scenarioPath = typeof scenario === 'function' ? scenario : () => scenario;
  const state: RehearsalState = { ctx, plays, unlabelled, scenarioPath, file: {}, counters: createCounters() };
  return {
    reply: (body, origin) => replyTo(state, body, origin),
    scenarioProblems: async () => (await currentScenario(state)).problems,
    close: async () => {},
  };
}

function currentScenario(state: RehearsalState): Promise<Scenario> {
  return readScenario(state.ctx, state.file, state.scenarioPath());
}

async function replyTo(state: RehearsalState, body: unknown, origin: CallOrigin): Promise<UpstreamReply> {
  const parsed = parseRequest(body);
  if ('problem' in parsed) return errorReply(400, 'invalid_request_error', parsed.problem);
  const about = { worker: origin.worker, activityKind: origin.activity.kind };
  const situation = readSituation(parsed.request, about);
  const turnKey = `${origin.activity.project}/${activityKey(origin.activity)}/${origin.worker}/${situation.turns.length}`;
  const scenario = await currentScenario(state);
  const decided = decideMove(state, situation, scenario, turnKey);
  const move = state.unlabelled.includes(situation.activityKind) ? decided : labelled(situation, decided);
  if (move.waitMs !== undefined) await state.ctx.clock.sleep(move.waitMs, origin.signal);
  return renderMove(state.ctx, parsed.request, move, origin.signal);
}

/** A directive in the message comes first, then the scenario, then the plays. */
function decideMove(state: RehearsalState, situation: Situation, scenario: Scenario, turnKey: string): Move {
  const { directive, rest } = parseDirective(situation.turn.userText);
  const turns = situation.turns.map((turn) => ({ ...turn, userText: parseDirective(turn.userText).rest }));
  const plain = { ...situation, turns, turn: { ...situation.turn, userText: rest } };
  if (
    directive?.kind === 'fail' &&
    isFailureDue(state.counters, `${turnKey}/${situation.turn.userText}`, directive.times)
  ) {
    return { ...sayMove(brokenText), fail: directive.failure };
  }
  const directed = directive === undefined ? undefined : directiveMove(directive, situation);
  const move = directed ?? scenarioMove(scenario.entries, plain, state.counters, turnKey);
  return move ?? playedMove(state, plain);
}

function playedMove(state: RehearsalState, situation: Situation): Move {
  for (const play of state.plays) {
    try {
      const move = play.play(situation);
      if (move !== undefined) return move;
    } catch (error) {
      state.ctx.log.error({ err: error, play: play.name }, 'a play of the rehearsal failed');
      return sayMove(
        `The rehearsal stumbled over this message (in its play "${play.name}"): a fault of the hall, not of your words. \`guild-hall logs\` has the details; another wording may work.`,
      );
    }
  }
  return sayMove('I have no answer to this. Ask about a name, a word or a file of this project.');
}

/** With the label in front when nothing in the conversation bears it yet. */
function labelled(situation: Situation, move: Move): Move {
  if (move.fail !== undefined || move.blocks.length === 0) return move;
  const isLabelled = [...situation.turns, situation.turn].some((turn) => turn.assistantText.includes(rehearsalLabel));
  // A plain call without tools is the hall's own: whoever asks for it says where the words come from.
  if (isLabelled || (!situation.stream && situation.tools.length === 0)) return move;
  const [first, ...rest] = move.blocks;
  if (first?.type === 'text') {
    return { ...move, blocks: [{ type: 'text', text: `${rehearsalLabel}\n\n${first.text}` }, ...rest] };
  }
  return { ...move, blocks: [{ type: 'text', text: rehearsalLabel }, ...move.blocks] };
}
