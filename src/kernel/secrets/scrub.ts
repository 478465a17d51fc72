/**
 * Takes secrets out of text that an agent writes. A maintained scanner's recommended rules and our own patterns look
 * for them; in place of each stands `[secret removed: <kind>]`. Text without secrets comes back as it was.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { type Finding, findOwnPatterns, findPrivateKeys, maskFindings } from './patterns.ts';

/** Characters that are looked through at one go: about a millisecond. No secret but a private key spreads over lines. */
export const chunkLength = 200_000;

/** @returns `text` with every secret that was found replaced by a mark; scrubbing twice changes nothing more */
export async function scrub(text: string): Promise<string> {
  const withoutKeys = maskFindings(text, findPrivateKeys(text));
  const done: string[] = [];
  for (const chunk of splitAtLines(withoutKeys, chunkLength)) {
    if (done.length > 0) await yieldToOthers();
    done.push(await scrubChunk(chunk));
  }
  return done.join('');
}

async function scrubChunk(chunk: string): Promise<string> {
  const masked = maskFindings(chunk, findOwnPatterns(chunk));
  return maskFindings(masked, await findByScanner(masked));
}

export function* splitAtLines(text: string, length: number): Generator<string> {
  let start = 0;
  while (text.length - start > length) {
    const lineEnd = text.indexOf('\n', start + length);
    if (lineEnd === -1) break;
    yield text.slice(start, lineEnd + 1);
    start = lineEnd + 1;
  }
  yield text.slice(start);
}

type Scanner = (text: string) => Promise<readonly ScannerMessage[]>;

interface ScannerMessage {
  readonly ruleId: string;
  readonly range: readonly [number, number];
  readonly data?: object;
}

let scanner: Promise<Scanner> | undefined;

/** Loaded at the first use: most commands of the hall never scrub. */
async function loadScanner(): Promise<Scanner> {
  const [{ lintSource }, { creator }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
  ]);
  const config = { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] };
  return async (content) => {
    const source = { content, filePath: 'text.md', ext: '.md', contentType: 'text' as const };
    const { messages } = await lintSource({ source, options: { noPhysicFilePath: true, config } });
    return messages;
  };
}

export async function findByScanner(text: string): Promise<Finding[]> {
  scanner ??= loadScanner();
  const scan = await scanner;
  // The scanner obeys `secretlint-disable` comments in the text; whoever wrote the text must not be able to switch it off.
  const messages = await scan(text.replaceAll(/secretlint/gi, 'sekretlint'));
  return messages.flatMap((message) => locate(text, message));
}

/**
 * Some rules report a range that begins at the name before the secret and ends in the middle of it, so the value that
 * the message carries is looked for as well.
 */
function locate(text: string, { ruleId, range, data }: ScannerMessage): Finding[] {
  const kind = ruleId.replace(/^.*secretlint-rule-/, '').replaceAll('-', ' ');
  const values = Object.values(data ?? {}).filter(
    (value): value is string => typeof value === 'string' && value.length >= 8,
  );
  const found = values.flatMap((value) =>
    occurrencesOf(text, value).map((start) => ({ start, end: start + value.length, kind })),
  );
  return found.length > 0 ? found : [{ start: range[0], end: range[1], kind }];
}

function occurrencesOf(text: string, value: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) starts.push(at);
  return starts;
}
