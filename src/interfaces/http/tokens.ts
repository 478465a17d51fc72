/** Comparing tokens without telling, by the time it takes, how much of one was right. */
import { createHash, timingSafeEqual } from 'node:crypto';

export function isSameToken(given: string | undefined, expected: string): boolean {
  const same = timingSafeEqual(digestOf(given ?? ''), digestOf(expected));
  return same && given !== undefined && expected !== '';
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
