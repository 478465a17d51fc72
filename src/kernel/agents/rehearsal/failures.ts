/** Every way in which a provider fails, by a name that scenarios and directives use. */

/** Failures that are an HTTP answer: status, error type, headers. */
export const httpFailures = {
  auth: { status: 401, type: 'authentication_error', says: 'invalid x-api-key' },
  forbidden: { status: 403, type: 'permission_error', says: 'this key may not use this model' },
  rate_limit: {
    status: 429,
    type: 'rate_limit_error',
    says: 'the rate limit is reached',
    headers: { 'retry-after': '1' },
  },
  overloaded: { status: 529, type: 'overloaded_error', says: 'Overloaded' },
  server_error: { status: 500, type: 'api_error', says: 'Internal server error' },
  not_found: { status: 404, type: 'not_found_error', says: 'no such model' },
  invalid: { status: 400, type: 'invalid_request_error', says: 'the request is not valid' },
} as const satisfies Record<
  string,
  { status: number; type: string; says: string; headers?: Readonly<Record<string, string>> }
>;

/** Failures of an answer that began well. */
export const brokenAnswers = ['truncated', 'stalled', 'garbage', 'reset'] as const;

export type HttpFailure = keyof typeof httpFailures;
export type BrokenAnswer = (typeof brokenAnswers)[number];
export type FailureName = HttpFailure | BrokenAnswer;

export const failureNames: readonly FailureName[] = [...(Object.keys(httpFailures) as HttpFailure[]), ...brokenAnswers];

export function isFailureName(text: string): text is FailureName {
  return (failureNames as readonly string[]).includes(text);
}

export function isHttpFailure(name: FailureName): name is HttpFailure {
  return name in httpFailures;
}
