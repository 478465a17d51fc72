/** Refusals and faults as problem details (RFC 9457). */
import { errorTable, errorTitles, type ErrorFacts } from '../../kernel/pure/errors.ts';

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorFacts['code'];
  readonly hint: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function problemBodyOf(facts: ErrorFacts): ProblemBody {
  const { code, message, hint, details } = facts;
  const body = {
    type: `urn:guild-hall:problem:${code}`,
    title: errorTitles[code],
    status: errorTable[code].http,
    detail: message,
    code,
    hint,
  };
  return details === undefined ? body : { ...body, details };
}

export interface ProblemParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What an answer over HTTP is made of. */
export function problemPartsOf(facts: ErrorFacts): ProblemParts {
  const body = problemBodyOf(facts);
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' };
  if (facts.code === 'unauthorized') headers['www-authenticate'] = 'Bearer realm="guild-hall"';
  const seconds = facts.details?.['retryAfterSeconds'];
  if (facts.code === 'limit' && typeof seconds === 'number') headers['retry-after'] = String(seconds);
  return { status: body.status, headers, body: JSON.stringify(body) };
}

export function problemResponse(facts: ErrorFacts): Response {
  const { status, headers, body } = problemPartsOf(facts);
  return new Response(body, { status, headers });
}
