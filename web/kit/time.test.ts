import { beforeEach, describe, expect, test, vi } from 'vitest';
import { dayOf, sayAgo, sayDay } from './time.tsx';

const setZone = (zone: string): void => void vi.stubEnv('TZ', zone);

/** A moment by the clock on the wall. */
const at = (text: string): number => new Date(text).getTime();
const day = (text: string, now: string): string => sayDay(dayOf(text)!, at(now));
const shortly = (text: string, options: Intl.DateTimeFormatOptions = {}): string =>
  new Date(`${text}T12:00`).toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...options });

const zones = ['UTC', 'America/Los_Angeles', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Africa/Cairo'];

describe.each(zones)('in %s', (zone) => {
  beforeEach(() => setZone(zone));

  test('a date is the day where the person is, at every hour of it', () => {
    for (const time of ['00:05', '11:59', '23:55']) {
      expect(day('2026-03-11', `2026-03-11T${time}`)).toBe('today');
      expect(day('2026-03-10', `2026-03-11T${time}`)).toBe('yesterday');
      expect(day('2026-03-12', `2026-03-11T${time}`)).toBe('tomorrow');
    }
  });

  test('days further off are said as they are, also those to come', () => {
    expect(day('2026-03-09', '2026-03-11T10:00')).toBe(shortly('2026-03-09'));
    expect(day('2026-03-13', '2026-03-11T10:00')).toBe(shortly('2026-03-13'));
    expect(day('2027-03-12', '2026-03-11T10:00')).toBe(shortly('2027-03-12', { year: 'numeric' }));
  });

  test('moments are near by the clock, and then by the day', () => {
    const now = at('2026-03-11T18:00');
    expect(sayAgo(now - 30_000, now)).toBe('just now');
    expect(sayAgo(now + 30_000, now)).toBe('just now');
    expect(sayAgo(now - 240_000, now)).toBe('4 min ago');
    expect(sayAgo(now - 3_590_000, now)).toBe('59 min ago');
    expect(sayAgo(now + 600_000, now)).toBe('in 10 min');
    expect(sayAgo(at('2026-03-11T09:00'), now)).toBe('9 h ago');
    expect(sayAgo(at('2026-03-11T21:00'), now)).toBe('in 3 h');
    expect(sayAgo(at('2026-03-10T23:30'), now)).toBe('yesterday');
    expect(sayAgo(at('2026-03-10T00:10'), now)).toBe('yesterday');
    expect(sayAgo(at('2026-03-12T23:00'), now)).toBe('tomorrow');
    expect(sayAgo(at('2026-03-20T09:00'), now)).toBe(shortly('2026-03-20'));
    expect(sayAgo(at('2025-03-11T18:00'), now)).toBe(shortly('2025-03-11', { year: 'numeric' }));
  });
});

test('the day of a changed clock has 23 or 25 hours, and is a day', () => {
  setZone('Europe/Berlin');
  expect(day('2026-03-28', '2026-03-29T23:30')).toBe('yesterday');
  expect(day('2026-03-30', '2026-03-29T00:30')).toBe('tomorrow');
  expect(day('2026-10-26', '2026-10-25T00:30')).toBe('tomorrow');
});

test('what is no date is none', () => {
  for (const text of ['2026-02-30', '2026-13-01', 'soon', '2026-3-1', '2026-03-11T10:00:00Z']) {
    expect(dayOf(text)).toBeUndefined();
  }
});
