/** Live, replayed and reloaded are the same; by values. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { put, sampleCircle, say, waitForClock } from '../../../../test/help/ceremony.ts';
import type { HallEvent } from '../../../kernel/pure/events.ts';
import { mostMessages, type Message } from '../contract.ts';
import type { GatheringEvents, GatheringEventType, GatheringView } from '../contract/gathering-views.ts';
import type { Gathering, Notice } from '../contract/gathering.ts';
import { dueOf } from '../rules/ceremony/due.ts';
import { closed } from '../rules/ceremony/machine.ts';
import { allowedInGathering, foldGatheringEvent } from './gathering.ts';

/** A hall that keeps one gathering: what it shows, and what it told. */
function openHall(names: readonly string[]) {
  const circle = sampleCircle(names);
  const messages: Message[] = [];
  const events: HallEvent[] = [];
  const tell = <Type extends GatheringEventType>(type: Type, data: Omit<GatheringEvents[Type], 'id'>): void => {
    const seq = events.length + 1;
    const about = { subject: 'gathering:circle', project: 'sample', epoch: 'e1', at: circle.at };
    events.push({ ...about, type, seq, data: { id: 'circle', ...data } });
  };
  const keep = (notices: readonly Notice[]): void => {
    for (const { id, kind, from, text, at, to } of notices) {
      const message: Message = {
        id,
        number: messages.length + 1,
        kind,
        from,
        text,
        at,
        to,
        fate: 'sent',
        receipts: [],
      };
      messages.push(message);
      tell('gathering.message', { message });
    }
  };
  const changed = (): void => {
    const { outbox: _outbox, kept, ...gathering } = circle.gathering;
    const allowed = allowedInGathering(gathering);
    if (gathering.stage === 'closed') tell('gathering.closed', { gathering });
    else tell('gathering.changed', { gathering, due: dueOf(circle.gathering), kept, allowed });
  };
  const arrived = (message: Message, to: number): void => {
    const receipt = { state: 'delivered', at: circle.at } as const;
    const { receipts } = messages[message.number - 1]!;
    if (receipts.some((each) => each.to === to)) return;
    messages[message.number - 1] = { ...message, receipts: [...receipts, { to, receipt }] };
    tell('gathering.receipt', { message: message.id, to, receipt });
  };
  const show = (): GatheringView => {
    const { outbox: _outbox, kept, ...gathering } = circle.gathering;
    const shown = messages.slice(-mostMessages);
    return {
      gathering,
      messages: shown,
      earlier: messages.length - shown.length,
      due: dueOf(circle.gathering),
      you: gathering.seats.find(({ terminal }) => terminal === null)?.number ?? null,
      kept,
      allowed: allowedInGathering(gathering),
      cursor: `e1.${events.length}`,
    };
  };
  keep(circle.log);
  return { circle, messages, events, keep, changed, arrived, show, tell };
}

/** To its end, with more messages than a view holds. */
function wholeStory() {
  const hall = openHall(['Ada', 'Mo', 'Cyd']);
  const { circle } = hall;
  const views = [hall.show()];
  const act = (notices: readonly Notice[]): void => {
    hall.changed();
    hall.keep(notices);
    for (const message of hall.messages.slice(-2)) for (const to of message.to) hall.arrived(message, to);
    views.push(hall.show());
  };
  act(put(circle, { kind: 'kept', id: 'k1', text: 'For later.' }));
  for (let count = 0; count < 210; count += 1) act(say(circle, `Words ${count}.`));
  act(waitForClock(circle));
  for (let turns = 0; turns < 9; turns += 1) act(say(circle, 'I pass'));
  act(put(circle, { kind: 'gone', number: 1 }));
  const end: Gathering['end'] = {
    at: circle.at,
    trail: '.lore/gatherings/daily.md',
    harvested: [],
    isWrittenByHall: true,
    commit: null,
  };
  circle.gathering = closed(circle.gathering, end, circle.at);
  act(circle.gathering.outbox);
  return { ...hall, views };
}

describe('a view of a gathering', () => {
  const { events, views, show } = wholeStory();
  const last = show();

  test('with the events that came after it shows what a later view shows, also when they come twice', () => {
    expect(last.gathering.stage).toBe('closed');
    expect(last.earlier).toBeGreaterThan(10);
    expect(last.messages).toHaveLength(mostMessages);
    fc.assert(
      fc.property(fc.nat(views.length - 1), fc.nat(events.length), (from, again) => {
        const told = [...events.slice(0, again), ...events, ...events];
        expect(told.reduce(foldGatheringEvent, views[from]!)).toEqual(last);
      }),
      { numRuns: 12 },
    );
  });

  test('what is about another one gives the same view back', () => {
    const other = { ...events[0]!, subject: 'gathering:other', seq: events.length + 1 };
    expect(foldGatheringEvent(last, other)).toBe(last);
    const unknown = { ...events[0]!, type: 'gathering.sung', seq: events.length + 1 };
    expect(foldGatheringEvent(last, unknown)).toEqual({ ...last, cursor: `e1.${events.length + 1}` });
  });

  test('of a new stream the numbers begin anew', () => {
    const { gathering } = views[0]!;
    const started = {
      ...events[0]!,
      type: 'gathering.started',
      epoch: 'e2',
      seq: 1,
      data: { id: 'circle', gathering },
    };
    expect(foldGatheringEvent(last, started)).toMatchObject({ cursor: 'e2.1', gathering: { stage: 'inhale' } });
  });
});

test('what the person may do: speak with a seat, pass with the piece, announce and end without either', () => {
  const circle = sampleCircle(['Ada', 'Mo']);
  const now = (): string => allowedInGathering(circle.gathering).join(' ');
  expect(now()).toBe('say announce end');
  say(circle, 'I pass');
  expect(now()).toBe('say pass announce end');
  expect(allowedInGathering(sampleCircle(['Ada', 'Ben']).gathering)).toEqual(['announce', 'end']);
  put(circle, { kind: 'ended', by: 'person' });
  expect(now()).toBe('announce');
  circle.gathering = closed(circle.gathering, null, circle.at);
  expect(now()).toBe('');
});
