/**
 * Who came in by which token. The hall's own token admits the command line; a browser that signed in has a token of
 * its own, which works for the one origin that it was made for.
 */
import type { Caller } from '../../kernel/operations/operations.ts';
import { activityKey, type SignInId } from '../../kernel/pure/ids.ts';

export interface Admission {
  readonly caller: Caller;
  /** The browser's sign-in; undefined for the hall's own token and for agents. */
  readonly signIn?: SignInId;
}

/** Where a request says that it comes from, both in lower case; `origin` is undefined when there is no such header. */
export interface RequestPlace {
  /** The header `Host`, which is one of the hall's own. */
  readonly host: string;
  readonly origin: string | undefined;
}

/** Who bears this token there; undefined for nobody. Compares in constant time. */
export type AdmissionOf = (token: string | undefined, place: RequestPlace) => Admission | undefined;

/** One word for whoever shares limits: each sign-in and each agent has its own, the command line has one. */
export function admissionKey({ caller, signIn }: Admission): string {
  if (signIn !== undefined) return `sign-in ${signIn}`;
  return caller.kind === 'agent' ? `agent ${caller.activity.project} ${activityKey(caller.activity)}` : 'token';
}
