import { describe, expect, test } from 'vitest';
import type { MeetingStatus } from './contract.ts';
import {
  composeFirstPrompt,
  decideInterruptedTurn,
  decideMessage,
  decideMove,
  decideRoom,
  type Move,
  normaliseLink,
  transitions,
} from './rules.ts';

const statuses: MeetingStatus[] = ['requested', 'open', 'closed', 'declined'];
const moves: Move[] = ['accept', 'decline', 'close', 'rollback'];
const allowed: Record<string, MeetingStatus> = {
  'requested accept': 'open',
  'requested decline': 'declined',
  'open close': 'closed',
  'open rollback': 'requested',
};

describe('the state machine [MTG-5.1, MTG-5.2, MTG-5.3, MTG-S2]', () => {
  for (const status of statuses) {
    for (const move of moves) {
      const target = allowed[`${status} ${move}`];
      test(`${status}, ${move}: ${target ?? 'refused'}`, () => {
        const decision = decideMove({ id: 'm-1', status }, move, 'because', '2026-02-14T09:30:00.000Z');
        if (target !== undefined) {
          expect(decision).toMatchObject({ ok: true, next: { status: target } });
          expect(decision.ok && decision.next.entry).toMatchObject({
            timestamp: '2026-02-14T09:30:00.000Z',
            reason: 'because',
          });
        } else {
          expect(decision.ok).toBe(false);
          if (decision.ok) return;
          expect(decision.refusal.code).toBe('conflict');
          expect(decision.refusal.message).toContain(status);
          expect(decision.refusal.hint).toContain(`From ${status} you can`);
          expect(decision.refusal.details).toMatchObject({ status });
        }
      });
    }
  }

  test('there are exactly four states [MTG-4.1]', () => {
    expect(Object.keys(transitions)).toEqual(statuses);
  });

  test('a record without a readable status is refused and never guessed [MTG-4.1]', () => {
    const decision = decideMove({ id: 'm-1', status: null }, 'close', '', '');
    expect(decision).toMatchObject({ ok: false, refusal: { code: 'conflict' } });
    expect(!decision.ok && decision.refusal.message).toContain('no readable status');
  });
});

describe('messages [MTG-4.2]', () => {
  test('an open meeting takes one', () => {
    expect(decideMessage({ id: 'm', status: 'open' }, 'open').ok).toBe(true);
  });

  test('one that is closing does not', () => {
    expect(decideMessage({ id: 'm', status: 'open' }, 'closing')).toMatchObject({
      ok: false,
      refusal: { code: 'conflict' },
    });
  });

  for (const status of ['requested', 'closed', 'declined'] as const) {
    test(`${status} is refused with its state and a next step`, () => {
      const decision = decideMessage({ id: 'm', status }, undefined);
      expect(decision).toMatchObject({ ok: false, refusal: { code: 'conflict', details: { status } } });
      expect(!decision.ok && decision.refusal.message).toContain(status);
      expect(!decision.ok && decision.refusal.hint).toContain('guild-hall meeting');
    });
  }
});

describe('room [MTG-9.1, MTG-28.1]', () => {
  test('below the cap there is room', () => {
    expect(decideRoom('p', 2, ['a']).ok).toBe(true);
  });

  test('at the cap the refusal names the number and every open meeting', () => {
    const decision = decideRoom('p', 2, ['alpha', 'beta']);
    expect(decision).toMatchObject({
      ok: false,
      refusal: { code: 'limit', details: { cap: 2, open: ['alpha', 'beta'] } },
    });
    expect(!decision.ok && decision.refusal.message).toMatch(/2.*alpha, beta/);
  });

  test('a lowered cap closes nothing, it only leaves no room [MTG-29]', () => {
    expect(decideRoom('p', 1, ['a', 'b', 'c'])).toMatchObject({ ok: false, refusal: { details: { cap: 1 } } });
  });
});

describe('the first prompt [MTG-8.7, MTG-8.8, MTG-8.9]', () => {
  test('a person without an agenda is heard word for word', () => {
    expect(
      composeFirstPrompt({ agenda: '', artifacts: [], message: 'Hello.\n  Two', fromRequest: false, title: 'T' }),
    ).toBe('Hello.\n  Two');
  });

  test('an agenda given beside the message goes into the first turn too', () => {
    const prompt = composeFirstPrompt({
      agenda: 'The parser',
      artifacts: ['.lore/a.md'],
      message: 'Begin',
      fromRequest: false,
      title: 'T',
    });
    expect(prompt).toBe('Agenda: The parser\n\nReferenced artifacts:\n- .lore/a.md\n\nBegin');
  });

  test('an accepted request: the agenda alone, or followed by the words of the person', () => {
    const request = { agenda: 'Look at it', artifacts: [], fromRequest: true, title: 'T' };
    expect(composeFirstPrompt({ ...request, message: '' })).toBe('Look at it');
    expect(composeFirstPrompt({ ...request, message: 'Start with two' })).toBe('Look at it\n\nStart with two');
  });
});

test('links are brought to one form, and none leaves the project [MTG-17.1]', () => {
  expect(normaliseLink('./.lore//a.md')).toBe('.lore/a.md');
  expect(normaliseLink('.lore/a.md')).toBe('.lore/a.md');
  for (const bad of ['', '/', '/etc/passwd', '../a', 'a/../../b', 'a\\b', 'a\0b', '..'])
    expect(normaliseLink(bad)).toBeUndefined();
});

test('a turn that had shown nothing is started again, another one ends', () => {
  expect(decideInterruptedTurn(false)).toBe('again');
  expect(decideInterruptedTurn(true)).toBe('end');
});
