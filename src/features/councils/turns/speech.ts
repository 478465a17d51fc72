/** What an agent said, made fit to be kept: readable text of a bounded length. Pure. */

/** Longer speeches are cut, with a mark. Characters. */
export const maxSpeech = 40_000;

export interface Speech {
  readonly body: string;
  /** Stands behind the body, and is no part of what is checked; empty where nothing was cut. */
  readonly mark: string;
}

/** Colours and moves of the cursor: an escape, then letters that would be left behind. */
const terminalCodes = new RegExp(String.raw`\u001B\[[0-9;?]*[A-Za-z]`, 'g');

/** Control signs and broken characters go; what shows nothing or turns the direction of text goes with them. */
export function plainText(text: string): string {
  return wellFormed(text)
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(terminalCodes, '')
    .replaceAll(/[^\P{Cc}\n\t]|[\u200B\u202A-\u202E\u2060-\u2069\uFEFF\uFFFE\uFFFF]/gu, '');
}

export function cleanSpeech(text: string): Speech {
  const plain = plainText(text)
    .split('\n')
    .map((line) => line.trimEnd()) // a pattern would look again from every blank of a long run
    .join('\n')
    .replaceAll(/\n{4,}/g, '\n\n\n')
    .trim();
  if (plain.length <= maxSpeech) return { body: plain, mark: '' };
  const end = plain.lastIndexOf('\n', maxSpeech);
  const body = wellFormed(plain.slice(0, end > maxSpeech / 2 ? end : maxSpeech)).trimEnd();
  const left = (plain.length - body.length).toLocaleString('en');
  return { body: closeFence(body), mark: `\n\n[cut: ${left} more characters]` };
}

/** Halves of signs that stand alone, as after a cut, become the sign for what is lost. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\uFFFD');
}

function closeFence(body: string): string {
  const fences = body.match(/^ {0,3}(?:`{3,}|~{3,})/gm) ?? [];
  return fences.length % 2 === 0 ? body : `${body}\n${fences.at(-1)!.trim()}`;
}

/** Whether there are words in it: letters of some language, and not mostly signs that stand for lost bytes. */
export function isReadable(body: string): boolean {
  const letters = body.match(/\p{L}/gu)?.length ?? 0;
  const lost = body.match(/\uFFFD/g)?.length ?? 0;
  const words = body.match(/\p{L}{2,}/gu)?.length ?? 0;
  return words >= 2 && letters * 4 >= body.replaceAll(/\s/g, '').length && lost * 20 < body.length;
}

const runnersLine = /^(?:\[round |## Phase: |HALT condition=|dispatched_via: |MUTED agent=|\[raise-hand cycle=)/m;

/** Whether words of it look like lines that only the runner prints. They are kept as words. */
export function looksLikeRunner(body: string): boolean {
  return runnersLine.test(body);
}
