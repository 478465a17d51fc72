/**
 * A driver that plays recorded messages of the SDK instead of starting a process: the same mapping, the same events,
 * no agent. For load runs, where real agents would fill the machine, and for tests of what stands on a driver.
 */
import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { BackgroundContext } from '../../background/background.ts';
import type { ClockContext } from '../../clock/clock.ts';
import { fail } from '../../pure/errors.ts';
import { activityKey } from '../../pure/ids.ts';
import type { AgentDriver, AgentEvent, AgentSession, OpenOptions } from '../contract.ts';
import { promptText } from '../prompt-text.ts';
import { type Channel, endChannel, openChannel, push, readChannel } from './channel.ts';
import { createMapState, finishTurn, mapSdkMessage, type MapState } from './claude/map.ts';
import { decideCrash } from './claude/failures.ts';

export interface RecordedOptions {
  /** The recording for a prompt: messages, or the text of a file with one message a line. */
  readonly recordingOf: (prompt: string, open: OpenOptions) => readonly SDKMessage[] | string;
  /** Wait before each message, in milliseconds; 0 for as fast as it can be read. */
  readonly paceMs: number;
}

interface RecordedTurn {
  readonly map: MapState;
  readonly events: Channel<AgentEvent>;
  readonly stop: AbortController;
}

interface RecordedSession {
  readonly open: OpenOptions;
  readonly options: RecordedOptions;
  turn: RecordedTurn | undefined;
  isClosed: boolean;
}

export function createRecordedDriver(ctx: ClockContext & BackgroundContext, options: RecordedOptions): AgentDriver {
  const sessions = new Set<RecordedSession>();
  return {
    name: 'recorded',
    open: (open) => openRecorded(ctx, sessions, { open, options, turn: undefined, isClosed: false }),
    stop: async () => {
      for (const session of sessions) closeRecorded(sessions, session);
    },
  };
}

function openRecorded(
  ctx: ClockContext & BackgroundContext,
  sessions: Set<RecordedSession>,
  session: RecordedSession,
): AgentSession {
  sessions.add(session);
  return {
    prompt: (prompt) => playTurn(ctx, session, promptText(prompt)),
    prepare: () => undefined,
    interrupt: async () => session.turn?.stop.abort(),
    close: async () => closeRecorded(sessions, session),
  };
}

function closeRecorded(sessions: Set<RecordedSession>, session: RecordedSession): void {
  session.isClosed = true;
  session.turn?.stop.abort();
  sessions.delete(session);
}

/** The messages of a recording. @throws invalid when a line is no JSON */
export function parseRecording(recording: string): SDKMessage[] {
  const lines = recording.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as SDKMessage;
    } catch (error) {
      throw fail('invalid', `Line ${index + 1} of the recording is no JSON.`, 'Record the turn again.', {}, error);
    }
  });
}

function playTurn(
  ctx: ClockContext & BackgroundContext,
  session: RecordedSession,
  text: string,
): AsyncIterable<AgentEvent> {
  const { open, options } = session;
  const name = activityKey(open.activity);
  if (session.isClosed) throw fail('conflict', `The session of ${name} is closed.`, 'Open a new one.');
  if (session.turn && !session.turn.map.isOver) {
    throw fail('conflict', `A turn of ${name} is running.`, 'Wait for its end, or interrupt it first.');
  }
  const recording = options.recordingOf(text, open);
  const messages = typeof recording === 'string' ? parseRecording(recording) : recording;
  const map = createMapState({ model: open.model.model, limits: open.limits });
  const turn: RecordedTurn = { map, events: openChannel(), stop: new AbortController() };
  session.turn = turn;
  turn.stop.signal.addEventListener('abort', () => {
    map.asked = 'interrupt';
    give(turn, finishTurn(map));
  });
  ctx.spawn('play a recorded turn', async () => play(ctx, turn, messages, options.paceMs));
  return readChannel(turn.events, async () => turn.stop.abort());
}

function give({ events, map }: RecordedTurn, given: readonly AgentEvent[]): void {
  for (const event of given) push(events, event);
  if (map.isOver) endChannel(events);
}

async function play(
  ctx: ClockContext,
  turn: RecordedTurn,
  messages: readonly SDKMessage[],
  paceMs: number,
): Promise<void> {
  for (const message of messages) {
    // Also without a pace others get their turn between two messages, as they do between two reads from a process.
    await ctx.clock.sleep(paceMs);
    if (turn.map.isOver) return;
    give(turn, mapSdkMessage(turn.map, message));
  }
  const failure = decideCrash('its recording ended', '');
  give(turn, finishTurn(turn.map, { type: 'error', ...failure, sessionId: turn.map.sessionId }));
}
