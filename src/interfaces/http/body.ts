/** The body of a request: JSON, and never more of it in memory than is allowed. */
import { fail, type HallError } from '../../kernel/pure/errors.ts';

/** @throws HallError `invalid` for another content type or no JSON; `too_large` */
export async function readJsonBody(request: Request, maxBytes: number): Promise<unknown> {
  requireJsonType(request.headers.get('content-type'));
  const text = await readText(request, maxBytes);
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw fail('invalid', `The body is not JSON: ${(error as Error).message.slice(0, 120)}`, 'Send a JSON object.');
  }
}

function requireJsonType(header: string | null): void {
  const type = header?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return;
  throw fail(
    'invalid',
    `The content type is ${type === undefined ? 'missing' : `"${type.slice(0, 60)}"`}; application/json was expected.`,
    'Send `Content-Type: application/json` and a JSON object.',
  );
}

/** The length that a client claims is believed only when it is too much: what comes is counted. */
async function readText(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (!request.body) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of request.body) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function tooLarge(maxBytes: number): HallError {
  return fail(
    'too_large',
    `The request is larger than ${Math.floor(maxBytes / 1024)} KiB, the most that is taken.`,
    'Send less: put long text into an artifact and name its path.',
  );
}
