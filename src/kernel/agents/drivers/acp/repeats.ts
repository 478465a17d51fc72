/**
 * Text of a model's answer that broke off and is said again by the next try: given once. Where the try says something
 * else, it begins on a line of its own.
 */
export interface Repeats {
  /** What was given since the model was asked the last time. */
  since: string;
  /** What the reader has of an answer that broke off; empty when no try has to catch up with it. */
  given: string;
  /** What the next try has said so far, while it only repeats `given`. */
  repeated: string;
}

/** More than this is not held against what comes again. Characters. */
const maxKept = 200_000;

export function newRepeats(): Repeats {
  return { since: '', given: '', repeated: '' };
}

/** The model is asked. @param isAgain the answer before broke off, and nothing that came of it was kept */
export function askAgain(repeats: Repeats, isAgain: boolean): void {
  const isBehind = repeats.given !== '' && repeats.since === '';
  if (!isAgain) repeats.given = '';
  else if (!isBehind) repeats.given = repeats.since;
  repeats.since = '';
  repeats.repeated = '';
}

/** @returns what of `piece` is new to the reader */
export function sayOnce(repeats: Repeats, piece: string): string {
  const fresh = repeats.given === '' ? piece : catchUp(repeats, piece);
  if (repeats.since.length < maxKept) repeats.since += fresh;
  return fresh;
}

function catchUp(repeats: Repeats, piece: string): string {
  const { given } = repeats;
  const said = repeats.repeated + piece;
  if (given.length > said.length && given.startsWith(said)) {
    repeats.repeated = said;
    return '';
  }
  repeats.given = '';
  repeats.repeated = '';
  if (!said.startsWith(given)) return `\n\n${said}`;
  // What the reader has of it belongs to this try now.
  repeats.since = given;
  return said.slice(given.length);
}
