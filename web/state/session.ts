/** Who this browser is to the hall: a token of its own, kept for this origin alone, port included. */
import type { ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { keep, readKept } from './kept.ts';

const tokenKey = 'guild-hall.token';
/** Id of the sign-in, to tell this browser from the others in their list. No secret. */
const idKey = 'guild-hall.sign-in';

/** An answer that was no success, with what to show. */
export class Refusal extends Error {
  readonly facts: ErrorFacts;
  constructor(facts: ErrorFacts) {
    super(facts.message);
    this.name = 'Refusal';
    this.facts = facts;
  }
}

export function readToken(): string | null {
  return readKept(tokenKey);
}

/** Null where nobody is signed in. */
export function readSignInId(): string | null {
  return readKept(idKey);
}

export function forgetToken(): void {
  keep(tokenKey, null);
  keep(idKey, null);
}

/** Calls back when another window of this browser signs in. @returns ends it */
export function onTokenKept(listener: () => void): () => void {
  const heard = (event: StorageEvent) => {
    if (event.key === tokenKey && event.newValue !== null) listener();
  };
  addEventListener('storage', heard);
  return () => removeEventListener('storage', heard);
}

/** Exchanges the secret of a one-time link for a token, and keeps it. @throws Refusal */
export async function signIn(secret: string): Promise<void> {
  const { token, id } = (await postJson('/api/sign-in', { secret })) as { token: unknown; id: unknown };
  keep(tokenKey, String(token));
  keep(idKey, String(id));
}

/** What a ticket opens. */
export type TicketFor =
  | { readonly for: 'socket' }
  | { readonly for: 'terminal'; readonly terminal: string; readonly readOnly: boolean };

/** A ticket for one socket. @throws Refusal; `unauthorized` when the sign-in has ended; TypeError when nobody answers */
export async function fetchTicket(token: string, what: TicketFor = { for: 'socket' }): Promise<string> {
  const answer = await postJson('/api/ticket', what, token);
  return String((answer as { ticket: unknown }).ticket);
}

async function postJson(path: string, body: unknown, token?: string): Promise<unknown> {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const problem = answer as { code?: ErrorFacts['code']; detail?: string; hint?: string };
  throw new Refusal({
    code: problem.code ?? 'internal',
    message: problem.detail ?? `The hall answered with ${response.status}.`,
    hint: problem.hint ?? 'See: guild-hall logs',
  });
}

/** What to show of anything that was thrown. */
export function factsOf(thrown: unknown): ErrorFacts {
  if (thrown instanceof Refusal) return thrown.facts;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return {
    code: 'internal',
    message: `The page failed: ${text}`,
    hint: 'Reload it; what you wrote is kept as a draft.',
  };
}
