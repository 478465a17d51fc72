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

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

/** `just now`, `4 min ago`, `3 h ago`, `yesterday`, `12 Feb`, `12 Feb 2025`. */
export function sayAgo(atMs: number, nowMs: number): string {
  const seconds = Math.round((nowMs - atMs) / 1000);
  if (seconds < 45) return 'just now';
  if (seconds < 3600) return `${Math.max(1, Math.round(seconds / 60))} min ago`;
  if (seconds < 86_400 && new Date(atMs).getDate() === new Date(nowMs).getDate())
    return `${Math.round(seconds / 3600)} h ago`;
  if (seconds < 2 * 86_400 && new Date(atMs + 86_400_000).getDate() === new Date(nowMs).getDate()) return 'yesterday';
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? day : dayOfYear).format(atMs);
}

/** `4 s`, `2 min 05 s`, `1 h 12 min`. */
export function sayDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** @param at ISO 8601, or a date; anything else is shown as it stands */
export function TimeAgo({ at }: { readonly at: string }) {
  const nowMs = useNow(15_000);
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return <span>{at}</span>;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(at);
  return (
    <time dateTime={at} title={isDay ? at : exact.format(atMs)} className="whitespace-nowrap">
      {isDay && nowMs - atMs < 86_400_000 ? 'today' : sayAgo(atMs, nowMs)}
    </time>
  );
}

/** How long something has been under way, to the second. */
export function Since({ at }: { readonly at: string }) {
  const nowMs = useNow();
  return <span className="whitespace-nowrap">{sayDuration(nowMs - Date.parse(at))}</span>;
}
