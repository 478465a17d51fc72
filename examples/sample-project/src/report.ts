import { type Entry, minutesOf } from './entry.ts';

/** Hours by name, the most first. */
export type Hours = readonly (readonly [name: string, hours: number])[];

/** Hours by tag, rounded to quarters. */
export function hoursByTag(entries: readonly Entry[]): Hours {
  return hoursBy(entries, (entry) => entry.tag);
}

/** Hours by ISO week, like `2026-W10`, rounded to quarters. */
export function hoursByWeek(entries: readonly Entry[]): Hours {
  return hoursBy(entries, (entry) => weekOf(entry.date));
}

export function totalOf(hours: Hours): number {
  return hours.reduce((sum, [, each]) => sum + each, 0);
}

/** The nearest quarter of an hour. */
export function toQuarters(minutes: number): number {
  return Math.round(minutes / 15) / 4;
}

/** ISO week of a date `YYYY-MM-DD`. */
export function weekOf(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const firstDay = Date.UTC(day.getUTCFullYear(), 0, 1);
  const days = (day.getTime() - firstDay) / 86_400_000;
  const week = Math.floor(days / 7) + 1;
  return `${day.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

function hoursBy(entries: readonly Entry[], nameOf: (entry: Entry) => string): Hours {
  const sums = new Map<string, number>();
  for (const entry of entries) {
    const name = nameOf(entry);
    sums.set(name, (sums.get(name) ?? 0) + toQuarters(minutesOf(entry)));
  }
  return [...sums].sort((a, b) => b[1] - a[1]);
}
