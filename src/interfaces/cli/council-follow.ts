/**
 * Follows a council: prints what lands, asks at its questions, ends where it does. A hall that starts again meanwhile is
 * found again.
 */
import { z } from 'zod';
import {
  type CouncilGoesOn,
  councilEntrySchema,
  councilGoesOnSchema,
  councilStatusSchema,
  type CouncilView,
  councilViewSchema,
} from '../../features/councils/contract.ts';
import type { HallEvent } from '../../kernel/pure/events.ts';
import type { HallClient } from './client.ts';
import { askCharter } from './council-charter.ts';
import { type Following, endOf, hasCome, printNew, sayNext, whileAway } from './council-ends.ts';
import { answerQuestion } from './council-questions.ts';
import { addWords, beginSpeaking, createCouncilScreen, endSpeaking, showTool } from './council-screen.ts';
import { type AnswerFollow, type FollowParts, leftByInterrupt } from './follow.ts';
import { plainText } from './terminal.ts';

export const councilExits =
  '0 when it is saved, paused or waits for an answer, 1 when the origin of a turn cannot be proved, 2 when it is refused or halts, 3 when the words are malformed, 5 when it was aborted, 7 when a turn cannot be had';

export const followCouncil: AnswerFollow = {
  exits: councilExits,
  malformedExit: 3,
  run: async (parts, client, answer, asJson) => await follow(parts, client, councilGoesOnSchema.parse(answer), asJson),
};

/** `council run`: besides, a charter that was not given is asked for. */
export const runCouncil: AnswerFollow = { ...followCouncil, prepare: askCharter };

async function follow(parts: FollowParts, client: HallClient, goesOn: CouncilGoesOn, asJson: boolean): Promise<number> {
  const { id, project, from } = goesOn;
  const screen = createCouncilScreen(parts.terminal, parts.sleep, asJson);
  const leaving = new AbortController();
  const following: Following = {
    parts,
    client,
    screen,
    id,
    project,
    asJson,
    shown: from,
    leaving,
    view: undefined,
    asked: false,
  };
  const stopListening = parts.onInterrupt(() => interrupt(following));
  if (!asJson) parts.terminal.out(`${parts.terminal.style('dim', `council ${id}`)}\n`);
  screen.hasAbove = true;
  try {
    return await walk(following);
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
    sayNext(following, 'The council waits.');
    return leftByInterrupt;
  } finally {
    endSpeaking(screen);
    if (asJson) parts.terminal.out(`${JSON.stringify(jsonOf(following, goesOn))}\n`);
    stopListening();
    leaving.abort();
  }
}

async function walk(following: Following): Promise<number> {
  const { leaving } = following;
  for (let looks = 0; ; looks += 1) {
    leaving.signal.throwIfAborted();
    const view = await look(following);
    if (looks === 0) sayBefore(following, view);
    await printNew(following, view.transcript);
    if (view.status === 'asking' && view.asked !== null && !view.setup.yes) {
      const exit = await answerQuestion(following, view, view.asked);
      if (exit !== undefined) return exit;
    } else if (view.status === 'running' || view.status === 'asking') {
      await whileAway(following, async () => await watch(following, view.cursor));
    } else {
      return endOf(following, view);
    }
  }
}

/** To who sits there, beside the transcript: whether a model speaks, and where to read what was said before. */
function sayBefore({ parts: { terminal }, asJson, id, shown }: Following, view: CouncilView): void {
  if (asJson || !terminal.isTty) return;
  const words = [
    ...(view.isRehearsal
      ? ['Rehearsal: no model is configured. What speakers say is found in the project and put together.']
      : []),
    ...(shown > 0 && view.turns > 0 && view.transcript.length === shown
      ? [
          `${view.turns} turn${view.turns === 1 ? '' : 's'} so far; read them: ${terminal.hint(`guild-hall council show ${id}`)}`,
        ]
      : []),
  ];
  for (const line of words) terminal.err(`${terminal.style('dim', line)}\n`);
}

async function look(following: Following): Promise<CouncilView> {
  const { id, project } = following;
  const view = await whileAway(following, async () =>
    councilViewSchema.parse(await following.client.call('council.show', { id, project }, following.leaving.signal)),
  );
  following.view = view;
  return view;
}

const speakingSchema = z.object({ speaker: z.string(), role: z.string(), number: z.number(), attempt: z.number() });
const wordsSchema = z.object({ text: z.string() });
const toolSchema = z.object({ name: z.string(), subject: z.string() });
const entrySchema = z.object({ n: z.number(), entry: councilEntrySchema });
const statusSchema = z.object({ to: councilStatusSchema });

/** Until it asks, or stands. */
async function watch(following: Following, after: string): Promise<void> {
  const { client, id, project, leaving, screen } = following;
  for await (const event of client.events({ subject: `council:${id}`, after, signal: leaving.signal })) {
    if (event.project !== null && event.project !== project) continue;
    if (await isOver(following, event)) return endSpeaking(screen);
  }
}

async function isOver(following: Following, { type, data }: HallEvent): Promise<boolean> {
  const { screen } = following;
  switch (type) {
    case 'council.speaking': {
      const { speaker, role, number, attempt } = speakingSchema.parse(data);
      const again = attempt > 1 ? ', asked again' : '';
      beginSpeaking(screen, plainText(`${speaker} (${role}) speaks${again}`), `T${number}`);
      return false;
    }
    case 'council.words':
      addWords(screen, wordsSchema.parse(data).text);
      return false;
    case 'council.tool': {
      const { name, subject } = toolSchema.parse(data);
      showTool(screen, plainText(`${name} ${subject}`.trim()));
      return false;
    }
    case 'council.entry': {
      const { n, entry } = entrySchema.parse(data);
      // What the stream left out is read anew.
      if (n > following.shown) return true;
      if (n === following.shown) await hasCome(following, entry);
      return false;
    }
    case 'council.status':
      return statusSchema.parse(data).to !== 'running';
    default:
      return type === 'council.asked';
  }
}

/** The first Ctrl-C ends the turn that runs, the second leaves. At a question the first one leaves: nothing runs. */
function interrupt(following: Following): void {
  const { parts, client, id, project, leaving, screen } = following;
  if (following.asked) return leaving.abort();
  following.asked = true;
  endSpeaking(screen);
  parts.terminal.err(`\n${parts.terminal.style('dim', 'interrupting the turn; Ctrl-C again leaves')}\n`);
  // A hall that does not answer must not hold the one who leaves.
  client.call('council.interrupt', { id, project }, leaving.signal).catch((error: unknown) => {
    if (leaving.signal.aborted) return;
    parts.terminal.err(`${plainText(error instanceof Error ? error.message : String(error))}\n`);
  });
  return undefined;
}

function jsonOf({ view }: Following, { id, project, status, phase, sessionFile }: CouncilGoesOn) {
  if (view === undefined) return { id, project, status, phase, sessionFile };
  const { asked, halt, trouble, save, turns, tokens } = view;
  const ends = { written: save?.written ?? [], commit: save?.commit ?? null, asked, halt, trouble };
  return { id, project, status: view.status, phase: view.phase, turns, tokens, ...ends, sessionFile };
}
