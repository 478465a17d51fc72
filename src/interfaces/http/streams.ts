/** What stays open: event streams and sockets, counted for each admission, and ended when a sign-in is revoked. */
import { HallError, type ErrorFacts } from '../../kernel/pure/errors.ts';
import type { SignInId } from '../../kernel/pure/ids.ts';
import { admissionKey, type Admission } from './admission.ts';
import { defaultLimits, type LimitSettings } from './limits.ts';

export type StreamKind = 'events' | 'socket' | 'terminal';

export interface Streams {
  /** Why this admission may not have one more; undefined when it may. */
  refusalOf(admission: Admission, kind: StreamKind): ErrorFacts | undefined;
  /** Counts one more. @throws HallError `limit` */
  open(admission: Admission, kind: StreamKind): OpenStream;
  /** Ends, at once, everything that this sign-in has open. */
  closeOf(signIn: SignInId): void;
}

export interface OpenStream {
  /** Aborts when it has to end. */
  readonly signal: AbortSignal;
  /** It has ended. Safe to call twice. */
  leave(): void;
}

interface Entry {
  readonly key: string;
  readonly kind: StreamKind;
  readonly signIn: SignInId | undefined;
  readonly ending: AbortController;
}

export function createStreams(given: Partial<LimitSettings> = {}): Streams {
  const settings = { ...defaultLimits, ...given };
  const entries = new Set<Entry>();
  const refusalOf: Streams['refusalOf'] = (admission, kind) => {
    const own = [...entries].filter(({ key }) => key === admissionKey(admission));
    if (own.length >= settings.streams) return tooManyStreams(settings.streams);
    const same = own.filter((entry) => entry.kind === kind).length;
    if (kind === 'socket' && same >= settings.sockets) return tooManySockets(settings.sockets);
    return kind === 'terminal' && same >= settings.terminals ? tooManyTerminals(settings.terminals) : undefined;
  };
  return {
    refusalOf,
    open: (admission, kind) => {
      const refusal = refusalOf(admission, kind);
      if (refusal) throw new HallError(refusal);
      const { signIn } = admission;
      const entry = { key: admissionKey(admission), kind, signIn, ending: new AbortController() };
      entries.add(entry);
      return { signal: entry.ending.signal, leave: () => void entries.delete(entry) };
    },
    closeOf: (signIn) => {
      for (const entry of entries) if (entry.signIn === signIn) entry.ending.abort();
    },
  };
}

function tooManyStreams(most: number): ErrorFacts {
  return {
    code: 'limit',
    message: `There are ${most} event streams open already, the most that one caller may have.`,
    hint: 'Close some of them: one stream, or one page, shows everything.',
  };
}

function tooManySockets(most: number): ErrorFacts {
  return {
    code: 'limit',
    message: `There are ${most} pages of this hall open already in this browser.`,
    hint: 'Close some of them.',
  };
}

function tooManyTerminals(most: number): ErrorFacts {
  return {
    code: 'limit',
    message: `${most} terminals are shown live already in this browser, the most that may be.`,
    hint: 'Close one of the pages that show them.',
  };
}
