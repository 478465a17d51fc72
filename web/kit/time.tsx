/** Times as people say them; the exact one on hover. One clock for the page, so that all move together. */
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function follow(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The page's time in steps. @param stepMs how often the piece wants to be drawn again */
export function useNow(stepMs = 1000): number {
  return useSyncExternalStore(follow, () => Math.floor(now / stepMs) * stepMs);
}

const dayMs = 86_400_000;

/** In the zone of the moment: a machine may travel while the page is open. */
function sayDate(at: Date, now: Date): string {
  const isThisYear = at.getFullYear() === now.getFullYear();
  return at.toLocaleDateString(undefined, {
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' as const }),
  });
}

/** How many midnights lie between them, in the person's zone; negative before now. A day of 23 or 25 hours is a day. */
function daysFrom(now: Date, at: Date): number {
  const midnight = (time: Date) => new Date(time.getFullYear(), time.getMonth(), time.getDate()).getTime();
  return Math.round((midnight(at) - midnight(now)) / dayMs);
}

/** `today`, `yesterday`, `tomorrow`, `12 Feb`, `12 Feb 2025`. @param at any moment of the day */
export function sayDay(at: Date, nowMs: number): string {
  const now = new Date(nowMs);
  const near = new Map([
    [-1, 'yesterday'],
    [0, 'today'],
    [1, 'tomorrow'],
  ]);
  return near.get(daysFrom(now, at)) ?? sayDate(at, now);
}

/** `just now`, `4 min ago`, `3 h ago`, `in 3 h`, and further off the day. */
export function sayAgo(atMs: number, nowMs: number): string {
  const seconds = Math.round(Math.abs(nowMs - atMs) / 1000);
  // The clocks of the hall and the page are not one to the second.
  if (seconds < 45) return 'just now';
  const say = (span: string) => (atMs > nowMs ? `in ${span}` : `${span} ago`);
  if (seconds < 3600) return say(`${Math.min(59, Math.max(1, Math.round(seconds / 60)))} min`);
  const day = sayDay(new Date(atMs), nowMs);
  return day === 'today' ? say(`${Math.round(seconds / 3600)} h`) : day;
}

/** `YYYY-MM-DD` as that day where the person is; undefined where it is none: 2026-02-30. */
export function dayOf(text: string): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  // At noon: some zones have days without a midnight.
  const at = new Date(Number(year), Number(month) - 1, Number(day), 12);
  return at.getMonth() === Number(month) - 1 && at.getDate() === Number(day) ? at : undefined;
}

/** `4 s`, `2 min 05 s`, `1 h 12 min`. */
export function sayDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** @param at ISO 8601, or a date; anything else is shown as it stands */
export function TimeAgo({ at }: { readonly at: string }) {
  const nowMs = useNow(15_000);
  const day = dayOf(at);
  const atMs = Date.parse(at);
  if (day === undefined && (Number.isNaN(atMs) || at.length <= 'YYYY-MM-DD'.length)) return <span>{at}</span>;
  return (
    <time dateTime={at} title={day ? at : exact.format(atMs)} className="whitespace-nowrap">
      {day ? sayDay(day, nowMs) : sayAgo(atMs, nowMs)}
    </time>
  );
}

/** How long something has been under way, to the second. */
export function Since({ at }: { readonly at: string }) {
  const nowMs = useNow();
  return <span className="whitespace-nowrap">{sayDuration(nowMs - Date.parse(at))}</span>;
}
