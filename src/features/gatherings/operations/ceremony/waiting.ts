/** What of the gatherings waits for the person, and what runs. */
import { type InboxAction, problemItem, type WaitingItem } from '../../../inbox/contract.ts';
import type { RunningActivity } from '../../../overview/contract.ts';
import type { GatheringsContext, LiveGathering } from '../../context.ts';
import { type Gathering, gatheringKind, type Turn } from '../../contract/gathering.ts';
import { calledAs, quoted } from '../../rules/words.ts';
import { personIn } from './reading.ts';

export function waitingGatherings(ctx: GatheringsContext): WaitingItem[] {
  const turns = [...ctx.gatherings.live.values()].flatMap((live) => {
    const { turn } = live.record;
    return turn !== null && isPersonsTurn(live.record) ? [turnItem(live, turn)] : [];
  });
  const broken = [...ctx.gatherings.problems].map(([id, detail]) =>
    problemItem({
      project: ctx.gatherings.known.get(id)?.project ?? null,
      subject: { kind: gatheringKind, id, title: ctx.gatherings.known.get(id)?.question ?? id },
      title: 'A gathering needs you',
      detail,
      actions: [],
    }),
  );
  return [...turns, ...broken];
}

export function isPersonsTurn(record: Gathering): boolean {
  return record.turn !== null && record.turn.holder === personIn(record)?.number;
}

function turnItem(live: LiveGathering, turn: Turn): WaitingItem {
  const { id, project, question } = live.record;
  return {
    // Another turn is another question.
    id: `yield.${project}.${id}.${turn.number}`,
    kind: 'yield',
    project,
    subject: { kind: gatheringKind, id, title: question },
    title: 'It is your turn',
    detail: lastWords(live),
    since: turn.announcedAt,
    actions: [
      { ...action('answer', 'Say it', 'gathering.say', { id }), asks: 'text', field: 'text', required: true },
      action('pass', 'Pass', 'gathering.pass', { id }),
    ],
  };
}

function action(verb: string, label: string, operation: string, input: InboxAction['input']): InboxAction {
  return { verb, label, operation, input, asks: 'nothing', field: null, required: false, warning: null };
}

/** What was said last by another, as a quotation: nothing in it is read as Markdown of the hall. */
function lastWords({ record, relay }: LiveGathering): string {
  const own = personIn(record)?.number;
  // What goes with the step that gave the person the piece may not be in the relay's log yet.
  const told = [...relay.log.messages.values(), ...record.outbox];
  const said = told.findLast(({ kind, from }) => kind === 'words' && from !== own);
  const seat = record.seats.find(({ number }) => number === said?.from);
  if (said === undefined || seat === undefined) return `${quoted(record.question)}\n\nNobody has spoken yet.`;
  return `${quoted(record.question)}\n\n${calledAs(seat)}:\n\n${quoted(said.text)}`;
}

/** Those that are not closed, of one project or of all. */
export function openGatheringsOf(ctx: GatheringsContext, wanted?: string): Gathering[] {
  return [...ctx.gatherings.known.values()].filter(
    ({ stage, project }) => stage !== 'closed' && (wanted === undefined || project === wanted),
  );
}

export function runningGatherings(ctx: GatheringsContext, wanted?: string): RunningActivity[] {
  return openGatheringsOf(ctx, wanted).map((record) => {
    const { id, project, question, seats, stage, turn, close, startedAt } = record;
    return {
      kind: gatheringKind,
      id,
      title: question,
      project,
      worker: seats.map(({ name }) => name).join(', '),
      state: stage === 'closing' ? 'closing' : isPersonsTurn(record) ? 'waiting' : 'answering',
      since: close?.at ?? turn?.announcedAt ?? startedAt,
    };
  });
}

/** By id: what each is about. */
export function talksOfGatherings(ctx: GatheringsContext, project: string): ReadonlyMap<string, string> {
  const own = [...ctx.gatherings.known.values()].filter((each) => each.project === project);
  return new Map(own.map(({ id, question }) => [id, question]));
}
