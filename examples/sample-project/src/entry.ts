/** One stretch of work. */
export interface Entry {
  /** `YYYY-MM-DD`, the day on which it began. */
  readonly date: string;
  /** Minutes after midnight. */
  readonly start: number;
  /** Minutes after midnight. */
  readonly end: number;
  readonly tag: string;
  readonly note: string;
}

/** How long the work took, in minutes. */
export function minutesOf(entry: Entry): number {
  return entry.end - entry.start;
}

/** Minutes after midnight of `HH:MM`, or undefined when it is no time of day. */
export function parseTime(text: string): number | undefined {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text);
  if (!match) return undefined;
  const hours = Number(match[1]);
  const minutes = Number(match[2]);
  return hours <= 24 && minutes < 60 ? hours * 60 + minutes : undefined;
}

/** `HH:MM` of minutes after midnight. */
export function printTime(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  return `${String(hours).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
