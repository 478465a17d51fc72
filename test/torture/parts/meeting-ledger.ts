/** A person's meeting as a script that writes down what was acknowledged, and the search for it after a kill. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  MeetingClosed,
  MeetingOpened,
  MeetingRecord,
  MeetingView,
  TurnEvent,
} from '../../../src/features/meetings/contract.ts';
import { parseArtifact } from '../../../src/kernel/artifacts/parse.ts';
import { firstSentence } from '../../../src/features/meetings/summary.ts';
import type { HallClient } from '../../../src/interfaces/cli/client.ts';
import { delay, gitIn, type TortureHome } from './hall-process.ts';

export interface Ledger {
  id?: string;
  /** Texts of messages that the hall said it had taken. */
  messages: string[];
  /** Turns whose end was announced, with the text that had been shown. */
  turns: { turn: number; text: string; failed: boolean }[];
  /** The close was acknowledged. */
  closed?: boolean;
  /** Where the script was when the hall went away. */
  stage: string;
  finished: boolean;
  trouble?: string;
}

const artifactPath = (id: string): string => `.lore/notes/${id}.md`;

/** Opens, asks, has an artifact written and a decision recorded, lets two messages wait, closes. Ends early when the hall dies. */
export async function runWorkload(client: HallClient, place: TortureHome, kind: 'own' | 'request'): Promise<Ledger> {
  const ledger: Ledger = { messages: [], turns: [], stage: kind === 'own' ? 'open' : 'accept', finished: false };
  try {
    const first = 'Where are words counted?';
    const opened = kind === 'own' ? await openOwn(client, first) : await acceptRequest(client, place, first);
    ledger.id = opened.id;
    ledger.messages.push(kind === 'own' ? first : `Count words\n\n${first}`);
    ledger.stage = 'first turn';
    await followTurns(client, ledger, opened.cursor, 1);
    ledger.stage = 'tool call';
    const asked = await say(client, ledger, `Write what you found to ${artifactPath(opened.id)}`);
    await followTurns(client, ledger, asked, 2);
    ledger.stage = 'queue';
    const from = await say(client, ledger, 'We decide: words are separated by white space. Record this decision.');
    await say(client, ledger, 'Summarize the progress.');
    await followTurns(client, ledger, from, 4);
    ledger.stage = 'close';
    const closed = (await client.call('meeting.close', { id: opened.id })) as MeetingClosed;
    ledger.closed = closed.merge.state === 'merged';
    if (!ledger.closed) ledger.trouble = `the close gave ${closed.merge.state}`;
    ledger.stage = 'after close';
    ledger.finished = true;
  } catch (error) {
    ledger.trouble = error instanceof Error ? error.message : String(error);
  }
  return ledger;
}

async function openOwn(client: HallClient, message: string): Promise<MeetingOpened> {
  return (await client.call('meeting.open', { project: 'tally', worker: 'researcher', message })) as MeetingOpened;
}

/** A request that a person put there by hand, accepted with words of their own. */
async function acceptRequest(client: HallClient, place: TortureHome, message: string): Promise<MeetingOpened> {
  requests += 1;
  const id = `request-${process.pid}-${requests}`;
  const folder = join(place.home, 'projects/tally/.lore/meetings');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${id}.md`), '---\nstatus: requested\nworker: researcher\nagenda: Count words\n---\n');
  return (await client.call('meeting.accept', { project: 'tally', id, message })) as MeetingOpened;
}
let requests = 0;

async function say(client: HallClient, ledger: Ledger, message: string): Promise<string> {
  const said = (await client.call('meeting.say', { id: ledger.id, message })) as { cursor: string };
  ledger.messages.push(message);
  return said.cursor;
}

/** Reads the stream until the end of turn `last`, noting each end. */
async function followTurns(client: HallClient, ledger: Ledger, after: string, last: number): Promise<void> {
  const leaving = new AbortController();
  const texts = new Map<number, string>();
  try {
    for await (const event of client.events({ subject: `meeting:${ledger.id}`, after, signal: leaving.signal })) {
      if (event.type !== 'meeting.turn') continue;
      const { turn, event: piece } = event.data as { turn: number; event: TurnEvent };
      if (piece.type === 'text_delta') texts.set(turn, (texts.get(turn) ?? '') + piece.text);
      if (piece.type !== 'turn_end' && piece.type !== 'error') continue;
      ledger.turns.push({ turn, text: texts.get(turn) ?? '', failed: piece.type === 'error' });
      if (turn === last) return;
    }
  } finally {
    leaving.abort();
  }
}

/** What was acknowledged and is not there. */
export async function verifyLedger(client: HallClient, ledger: Ledger): Promise<readonly string[]> {
  const { meetings } = (await client.call('meeting.list', { project: 'tally' })) as { meetings: MeetingRecord[] };
  const lost = meetings.flatMap((meeting) =>
    meeting.problems.map((problem) => `${meeting.id} does not parse: ${problem.message}`),
  );
  if (ledger.id === undefined) return lost;
  const record = meetings.find((meeting) => meeting.id === ledger.id);
  if (record === undefined) return [...lost, `meeting ${ledger.id} is gone`];
  if (record.status === 'closed') return lost;
  const view = (await client.call('meeting.show', { id: ledger.id })) as MeetingView;
  const words = [
    ...view.turns.filter((entry) => entry.speaker === 'user').map((entry) => entry.text),
    ...view.queue.map((message) => message.text),
  ];
  for (const message of ledger.messages) {
    if (view.meeting.status === 'open' && !words.includes(message))
      lost.push(`the message ${JSON.stringify(message)} is gone`);
  }
  for (const message of new Set(words)) {
    if (words.filter((word) => word === message).length > 1)
      lost.push(`the message ${JSON.stringify(message)} stands there twice`);
  }
  for (const ended of ledger.turns) {
    const answer = view.turns.find((entry) => entry.speaker === 'assistant' && entry.turn === ended.turn);
    if (view.meeting.status !== 'open') continue;
    if (answer === undefined) lost.push(`the answer of turn ${ended.turn} is gone`);
    else if (answer.text !== ended.text) lost.push(`the answer of turn ${ended.turn} is not the one that was shown`);
  }
  return lost;
}

/** Lets every meeting that is still open say one thing more and close; tells what went wrong with that. */
export async function finishMeetings(client: HallClient): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (let tries = 0; tries < 400; tries += 1) {
    const { meetings } = (await client.call('meeting.list', { project: 'tally', status: 'open' })) as {
      meetings: MeetingRecord[];
    };
    const [open] = meetings;
    if (open === undefined) break;
    try {
      await goOn(client, open.id, wrong);
    } catch (error) {
      // A close that is under way since the start of the hall refuses messages, and ends by itself.
      if (!/closing|is closed/.test(String(error))) wrong.push(`${open.id} does not go on: ${String(error)}`);
      await delay(25);
    }
    if (wrong.length > 3) break;
  }
  await declineRequests(client);
  return wrong;
}

/** Requests whose acceptance was cut off are requests again; they are answered, so that the next round begins clean. */
async function declineRequests(client: HallClient): Promise<void> {
  const { meetings } = (await client.call('meeting.list', { project: 'tally', status: 'requested' })) as {
    meetings: MeetingRecord[];
  };
  for (const { id } of meetings) await client.call('meeting.decline', { project: 'tally', id });
}

async function goOn(client: HallClient, id: string, wrong: string[]): Promise<void> {
  const said = (await client.call('meeting.say', { id, message: 'What do we know by now?' })) as {
    cursor: string;
    turn: number;
  };
  const ledger: Ledger = { id, messages: [], turns: [], stage: 'after', finished: false };
  await followTurns(client, ledger, said.cursor, said.turn);
  const last = ledger.turns.find((turn) => turn.turn === said.turn);
  if (last === undefined || last.failed) wrong.push(`${id}: the turn after the restart failed`);
  const closed = (await client.call('meeting.close', { id })) as MeetingClosed;
  if (closed.merge.state !== 'merged') wrong.push(`${id}: the close after the restart gave ${closed.merge.state}`);
}

/** The record on the integration branch, one closing commit, the words in the notes, one end of each turn, the artifact. */
export function checkResult(place: TortureHome, ledger: Ledger): readonly string[] {
  if (ledger.id === undefined) return [];
  const wrong: string[] = [];
  const worktree = join(place.home, 'projects/tally');
  const path = `.lore/meetings/${ledger.id}.md`;
  const committed = gitIn(place.repo, 'show', `claude/main:${path}`);
  const { frontmatter, problems } = parseArtifact(committed, path);
  if (problems.length > 0 || frontmatter['status'] !== 'closed')
    wrong.push(`${path} on the integration branch is ${String(frontmatter['status'])}`);
  if (readFileSync(join(worktree, path), 'utf8').trim() !== committed)
    wrong.push(`${path} in the worktree is not what is committed`);
  const closes = gitIn(place.repo, 'log', '--format=%s', 'claude/main', '--', path)
    .split('\n')
    .filter((subject) => subject.startsWith(`Meeting ${ledger.id}:`));
  if (closes.length !== 1) wrong.push(`${closes.length} closing commits of ${ledger.id}, expected one`);
  const notes = String(frontmatter['notes_summary']);
  for (const message of ledger.messages) {
    if (!notes.includes(firstSentence(message))) wrong.push(`the notes know nothing of ${JSON.stringify(message)}`);
  }
  const artifactDone = ledger.turns.some((turn) => turn.turn === 2 && !turn.failed);
  const artifacts = gitIn(place.repo, 'ls-tree', '--name-only', 'claude/main', artifactPath(ledger.id));
  if (artifactDone && artifacts === '')
    wrong.push(`${artifactPath(ledger.id)} was written in an acknowledged turn and is not on the integration branch`);
  return [...wrong, ...endsOfTurns(place, ledger.id)];
}

/** Each turn that was started has exactly one end in the hall's kept events. */
function endsOfTurns(place: TortureHome, id: string): readonly string[] {
  const folder = join(place.home, 'state/events');
  const ends = new Map<number, number>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.jsonl'))) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (!line.includes(`meeting:${id}"`)) continue;
      const { type, data } = JSON.parse(line) as { type: string; data: { turn: number; event?: TurnEvent } };
      if (type === 'meeting.turn_started') ends.set(data.turn, ends.get(data.turn) ?? 0);
      if (data.event?.type === 'turn_end' || data.event?.type === 'error')
        ends.set(data.turn, (ends.get(data.turn) ?? 0) + 1);
    }
  }
  return [...ends].filter(([, count]) => count !== 1).map(([turn, count]) => `turn ${turn} of ${id} has ${count} ends`);
}
