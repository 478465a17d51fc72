/**
 * What the page of a gathering shows. Pure; live, replayed and reloaded are the same: a view, with every event after its
 * cursor folded in, shows what a later view shows. Events up to its cursor, and what it holds already, change nothing.
 * The page carries this: of contracts it takes types alone.
 */
import { type HallEvent, parseCursor, printCursor } from '../../../kernel/pure/events.ts';
import type { Message } from '../contract.ts';
import type { GatheringEvents, GatheringFacts, GatheringView } from '../contract/gathering-views.ts';

/** As in the contract, whose shapes the page does not carry. */
const mostMessages = 200;

/** Adds one event of the hall's stream. What is not about this gathering gives the same object back. */
export function foldGatheringEvent(view: GatheringView, event: HallEvent): GatheringView {
  if (event.subject !== `gathering:${view.gathering.id}`) return view;
  const seen = parseCursor(view.cursor);
  if (seen?.epoch === event.epoch && event.seq <= seen.seq) return view;
  const fold = folds[event.type as keyof GatheringEvents] as Fold<unknown> | undefined;
  const folded = fold === undefined ? view : fold(view, event.data);
  return { ...folded, cursor: printCursor(event) };
}

type Fold<Data> = (view: GatheringView, data: Data) => GatheringView;

const folds: { readonly [Type in keyof GatheringEvents]: Fold<GatheringEvents[Type]> } = {
  'gathering.started': (view, { gathering }) => ({ ...view, gathering, allowed: allowedInGathering(gathering) }),
  'gathering.changed': (view, { gathering, due, kept, allowed }) => ({ ...view, gathering, due, kept, allowed }),
  'gathering.closed': (view, { gathering }) => ({
    ...view,
    gathering,
    due: null,
    allowed: allowedInGathering(gathering),
  }),
  'gathering.message': (view, { message }) => withMessage(view, message),
  'gathering.receipt': (view, { message: id, to, receipt }) => ({
    ...view,
    messages: view.messages.map((message) =>
      message.id === id
        ? { ...message, receipts: [...message.receipts.filter((each) => each.to !== to), { to, receipt }] }
        : message,
    ),
  }),
};

function withMessage(view: GatheringView, message: Message): GatheringView {
  const others = view.messages.filter(({ id }) => id !== message.id);
  const all = [...others, message].toSorted((one, other) => one.number - other.number);
  const shown = all.slice(-mostMessages);
  return { ...view, messages: shown, earlier: view.earlier + all.length - shown.length };
}

/** What the person may do with it. */
export function allowedInGathering({
  stage,
  seats,
  turn,
}: Pick<GatheringFacts, 'stage' | 'seats' | 'turn'>): GatheringView['allowed'] {
  if (stage === 'closed') return [];
  if (stage === 'closing') return ['announce'];
  const person = seats.find(({ terminal }) => terminal === null);
  if (person === undefined) return ['announce', 'end'];
  return turn?.holder === person.number ? ['say', 'pass', 'announce', 'end'] : ['say', 'announce', 'end'];
}
