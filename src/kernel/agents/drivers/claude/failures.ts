/** What the person reads when a turn fails, and the class that decides what the hall does next. */
import type { AgentErrorClass, AgentLimits } from '../../contract.ts';

export interface Failure {
  readonly errorClass: AgentErrorClass;
  readonly message: string;
  readonly hint: string;
  readonly retryAfterMs: number | null;
}

/** What the SDK says of a turn that failed. */
export interface FailureFacts {
  readonly model: string;
  readonly limits: AgentLimits;
  /** The result's own words, or those of what was thrown. */
  readonly text: string;
  /** `subtype` and `terminal_reason` of the result. Neither suffices alone: API errors come as `success`. */
  readonly subtype: string | null;
  readonly terminalReason: string | null;
  /** HTTP status of the last model call; null when it got no answer. */
  readonly status: number | null;
  /** `error` of the assistant message that stands for the failed call. */
  readonly apiError: string | null;
  readonly spentUsd: number | null;
  /** The wait that was announced before the last try. Milliseconds. */
  readonly lastRetryDelayMs: number | null;
}

const retryHint = 'Send the message again in a moment; nothing of the conversation is lost.';

/** Decides the class by status, reason and words together. */
export function decideFailure(facts: FailureFacts): Failure {
  return decideLimit(facts) ?? decideSession(facts) ?? decideModel(facts) ?? decideOther(facts);
}

function failure(
  errorClass: AgentErrorClass,
  message: string,
  hint: string,
  retryAfterMs: number | null = null,
): Failure {
  return { errorClass, message, hint, retryAfterMs };
}

function decideLimit({ subtype, terminalReason, limits, spentUsd, status, text }: FailureFacts): Failure | undefined {
  if (subtype === 'error_max_turns' || terminalReason === 'max_turns') {
    const message = `turn limit reached (${limits.maxTurns})`;
    return failure('max_turns', message, 'Say "go on" to let it continue, or raise maxTurns of the worker.');
  }
  if (subtype === 'error_max_budget_usd' || terminalReason === 'budget_exhausted') {
    const spent = spentUsd === null ? 'more than allowed' : dollars(spentUsd);
    const message = `budget reached (${spent} of ${dollars(limits.maxBudgetUsd ?? 0)})`;
    return failure('budget', message, 'Say "go on" to spend as much again, or raise maxBudgetUsd of the worker.');
  }
  // The gateway's own refusal: what the whole activity may spend, over all its turns.
  const spent = status === 402 ? /budget reached \([^)]*\)/.exec(text)?.[0] : undefined;
  if (spent !== undefined) return failure('budget', spent, 'Raise maxBudgetUsd of the worker to go on.');
  const most = /exceeded the (\d+) output token maximum/.exec(text)?.[1];
  if (most !== undefined)
    return failure('budget', `token limit reached (${most} output tokens)`, 'Give the worker more tokens to go on.');
  const tokens = status === 402 ? /token limit reached \([^)]*\)/.exec(text)?.[0] : undefined;
  return tokens === undefined ? undefined : failure('budget', tokens, 'Give the worker more tokens to go on.');
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}

function decideSession({ text }: FailureFacts): Failure | undefined {
  if (!/No conversation found|--resume requires a valid session/i.test(text)) return undefined;
  const message = 'The agent no longer knows this session.';
  return failure('expired_session', message, 'Begin a new session and give it what was said so far.');
}

function decideModel(facts: FailureFacts): Failure | undefined {
  const { model, status, apiError, text, terminalReason } = facts;
  const said = saying(text);
  if (status === 401 || status === 403 || isAuthError(apiError)) {
    const hint = `Check the key of model "${model}" in config.yaml; see: guild-hall doctor`;
    return failure('auth', `The model refused the key.${said}`, hint);
  }
  if (status === 429 || apiError === 'rate_limit' || apiError === 'billing_error') {
    const wait = retryAfterOf(facts);
    const when = wait === null ? 'Wait a little' : `Wait ${Math.ceil(wait / 1000)} s`;
    return failure('rate_limit', `The model's limit is reached.${said}`, `${when}, then send the message again.`, wait);
  }
  if (status === 404 || apiError === 'model_not_found') {
    const hint = `Check modelId and baseUrl of model "${model}" in config.yaml.`;
    return failure('protocol', `The model's service does not know the model "${model}".${said}`, hint);
  }
  if (terminalReason === 'prompt_too_long' || /prompt is too long/i.test(text)) {
    const message = "The conversation no longer fits into the model's window.";
    return failure('protocol', message, 'Close this one and go on in a new one; its notes carry over what matters.');
  }
  if (isServiceTrouble(status, apiError)) {
    const message = `The model's service is overloaded or cannot be reached.${said}`;
    return failure('overloaded', message, retryHint, retryAfterOf(facts));
  }
  return undefined;
}

function isAuthError(apiError: string | null): boolean {
  return (
    apiError !== null && /^(authentication_failed|oauth_org|account_on|verification_|cloud_credential)/.test(apiError)
  );
}

function isServiceTrouble(status: number | null, apiError: string | null): boolean {
  return (status !== null && status >= 500) || apiError === 'overloaded' || apiError === 'server_error';
}

function decideOther({ text, terminalReason, status }: FailureFacts): Failure {
  const said = saying(text);
  if (terminalReason?.startsWith('aborted') === true) {
    return failure('aborted', 'The turn was broken off before its end.', retryHint);
  }
  if (terminalReason === 'api_error' && status === null) {
    return failure('overloaded', `The connection to the model broke off.${said}`, retryHint);
  }
  const hint = 'See `guild-hall logs`; sending the message again is safe.';
  return failure('protocol', `The model or the agent answered in a way that was not understood.${said}`, hint);
}

/** The service's own words, without the parts that speak of the agent's program and its gateway. */
function saying(text: string): string {
  const words = text
    .replace(/^(Failed to authenticate\. )?API Error: (Request rejected )?/, '')
    .replace(/ This is a server-side issue.*$/s, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (words === '') return '';
  const quoted = words.slice(0, 300);
  return ` It said: ${quoted}${/[.!?…]$/.test(quoted) ? '' : '.'}`;
}

/** The wait that the service names in its words, else the one that was kept before the last try. */
function retryAfterOf({ text, lastRetryDelayMs }: FailureFacts): number | null {
  const named = /(?:retry|try again)[^.\d]{0,20}(?:after|in) (\d{1,5}) ?s/i.exec(text);
  return named ? Number(named[1]) * 1000 : lastRetryDelayMs;
}

/** The agent's process ended without a result. */
export function decideCrash(text: string, stderrTail: string): Failure {
  const session = decideSession({ text: `${text} ${stderrTail}` } as FailureFacts);
  if (session) return session;
  const lastWords = stderrTail.trim();
  const said = lastWords === '' ? '' : ` Its last words: ${lastWords.slice(-500)}`;
  const message = `The agent's process ended before the turn was done (${shorten(text)}).${said}`;
  return failure('crashed', message, 'Send the message again: the session is resumed in a new process.');
}

/** The turn showed no sign of life for too long. */
export function decideSilence(silentMs: number): Failure {
  const message = `The agent gave no sign of life for ${describeSpan(silentMs)}, so the turn was ended.`;
  return failure(
    'crashed',
    message,
    'Send the message again; if it happens often, check the model with: guild-hall doctor',
  );
}

function describeSpan(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

function shorten(text: string): string {
  return text
    .replace(/^Claude Code /, '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200);
}

/** The class of a passing failure that the agent announces before it tries again. */
export function classOfRetry(error: string, status: number | null): AgentErrorClass {
  if (status === 429 || error === 'rate_limit') return 'rate_limit';
  if (status === 401 || status === 403 || isAuthError(error)) return 'auth';
  return status === null && error === 'invalid_request' ? 'protocol' : 'overloaded';
}
