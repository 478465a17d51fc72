/**
 * The envelope of everything that the hall announces. One stream, numbered without gaps within an epoch; a reader
 * keeps the cursor of the last event it has dealt with and can go on from there.
 */
export interface NewEvent<Type extends string = string, Data = unknown> {
  /** A past fact, `<noun>.<participle>`: `activity.opened`. */
  readonly type: Type;
  readonly project: string | null;
  /** What it is about: `<kind>:<id>`, or null for the hall itself. */
  readonly subject: string | null;
  readonly data: Data;
}

export interface HallEvent<Type extends string = string, Data = unknown> extends NewEvent<Type, Data> {
  /** Changes when the numbering starts anew. */
  readonly epoch: string;
  /** 1, 2, 3 … within the epoch. */
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export interface Cursor {
  readonly epoch: string;
  readonly seq: number;
}

export function printCursor(cursor: Cursor): string {
  return `${cursor.epoch}.${cursor.seq}`;
}

/** The cursor that `printCursor` wrote, or undefined for anything else. */
export function parseCursor(text: string): Cursor | undefined {
  const match = /^([a-z0-9]{1,40})\.(\d{1,15})$/.exec(text);
  return match ? { epoch: match[1]!, seq: Number(match[2]) } : undefined;
}
