/** What the feature needs, and what it holds in memory. */
import type { BackgroundContext } from '../../kernel/background/background.ts';
import type { ClockContext, IdContext } from '../../kernel/clock/clock.ts';
import type { EventsContext } from '../../kernel/events/events.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import type { SignInId } from '../../kernel/pure/ids.ts';
import type { EndedSignIn, Link, SignIn } from './rules.ts';

/** Replaced as a whole, list by list. Links are nowhere else: a restart makes them worthless. */
export interface SignInBook {
  /** The newest first. */
  links: readonly Link[];
  signIns: readonly SignIn[];
  /** The newest first. */
  ended: readonly EndedSignIn[];
  /** When wrong links were tried within the last minute; wall clock, milliseconds. */
  wrongAt: readonly number[];
  /** Signed out, though the file does not say so yet: it would bring them back at a restart. */
  owed: readonly Pick<SignIn, 'id' | 'browser'>[];
  /** What is owed is being tried again in the background. */
  isRetrying: boolean;
}

export function emptyBook(): SignInBook {
  return { links: [], signIns: [], ended: [], wrongAt: [], owed: [], isRetrying: false };
}

export type SignInsContext = ClockContext &
  IdContext &
  LogContext &
  LocksContext &
  EventsContext &
  BackgroundContext & {
    readonly home: Pick<HomePaths, 'state'>;
    readonly book: SignInBook;
    /** The hall's own address, as links name it: `http://127.0.0.1:4747`. */
    readonly address: string;
    /** Ends what a sign-in has open: sockets, event streams, tickets. */
    readonly endConnections: (id: SignInId) => void;
  };
