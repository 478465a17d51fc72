/** What the person reads when an ACP agent fails: agents say the same thing in many ways, the hall says it in one. */
import { RequestError } from '@agentclientprotocol/sdk';
import type { AgentLimits } from '../../contract.ts';
import { decideCrash, decideFailure, type Failure, type FailureFacts } from '../claude/failures.ts';
import type { AcpEntry } from './entry.ts';
import { type Meter, spentUsd } from './meter.ts';

export type { Failure } from '../claude/failures.ts';

/** What an agent answered in place of a result. */
interface Saying {
  readonly code: number | null;
  readonly text: string;
  /** An HTTP status of its model's service, where it names one. */
  readonly status: number | null;
  /** Claude's own word for the kind of failure. */
  readonly kind: string | null;
}

export function failure(errorClass: Failure['errorClass'], message: string, hint: string): Failure {
  return { errorClass, message, hint, retryAfterMs: null };
}

/** The failure of a request other than of a session that is to be taken up. */
export function failureOfRequest(entry: AcpEntry, meter: Pick<Meter, 'model' | 'limits'>, error: unknown): Failure {
  const saying = sayingOf(error);
  if (isAuthRequired(saying)) return authFailure(entry, saying.text);
  if (isUnknownSession(saying)) return expired();
  if (saying.code === -32601) {
    return failure(
      'protocol',
      `${entry.title} does not know a request of the protocol: ${saying.text}.`,
      updateHint(entry),
    );
  }
  return failureOfWords(entry, meter, saying);
}

/** The failure of a session that was to be taken up: whatever the agent calls it, it cannot go on with it. */
export function failureOfLoad(entry: AcpEntry, error: unknown): Failure {
  const saying = sayingOf(error);
  return isAuthRequired(saying) ? authFailure(entry, saying.text) : expired();
}

export function failureOfTwice({ title }: AcpEntry): Failure {
  const hint = 'Send the message again; if it happens again, try another version of the agent.';
  return failure('protocol', `${title} gave a new session the name of one that is there already.`, hint);
}

export function expired(): Failure {
  return failure(
    'expired_session',
    'The agent no longer knows this session.',
    'Begin a new session and give it what was said so far.',
  );
}

/** The turn ended because of its model, which the hall has seen at its own door. */
export function failureOfModel(meter: Meter): Failure {
  const { failure: seen, model, limits } = meter;
  return decideFailure({
    ...noFacts(model, limits),
    text: seen?.text ?? '',
    status: seen?.status ?? null,
    terminalReason: seen?.status === null ? 'api_error' : null,
    lastRetryDelayMs: seen?.retryAfterMs ?? null,
  });
}

export function failureOfLimit(meter: Meter): Failure {
  if (meter.reached === 'tries') return failureOfModel(meter);
  const subtype = meter.reached === 'budget' ? 'error_max_budget_usd' : 'error_max_turns';
  return decideFailure({ ...noFacts(meter.model, meter.limits), text: '', subtype, spentUsd: spentUsd(meter) });
}

/** A turn that the agent ended by another reason than that it was done. Undefined for one that is no failure. */
export function failureOfStop(stopReason: string, limits: AgentLimits): Failure | undefined {
  switch (stopReason) {
    case 'end_turn':
      return undefined;
    case 'max_tokens':
      return failure(
        'budget',
        'The answer was cut off: the model may write no more in one go.',
        'Say "go on" to let it continue.',
      );
    case 'max_turn_requests':
      return decideFailure({ ...noFacts('', limits), text: '', subtype: 'error_max_turns' });
    case 'refusal':
      return failure(
        'protocol',
        'The model refused to go on with this.',
        'Say it in another way; the agent leaves this turn out of what it remembers.',
      );
    case 'cancelled':
      return failure(
        'aborted',
        'The agent broke the turn off by itself.',
        'Send the message again; nothing of the conversation is lost.',
      );
    default:
      return failure(
        'protocol',
        `The agent ended its turn for a reason that the hall does not know: ${stopReason.slice(0, 60)}.`,
        'Send the message again; see `guild-hall logs`.',
      );
  }
}

/** Some agents end a turn well and say in its text that it failed. */
const failureTexts =
  /^\s*(?:\[?error\]?:?\s*)?(?:unexpected status (\d{3})|API Error:? ?(\d{3})?|stream (?:error|disconnected)|exceeded retry limit(?:, last status: (\d{3}))?|http (?:error|status)[: ]+(\d{3})|You've hit your usage limit|Failed to authenticate)/i;

/** Whether a text that begins so is an agent's failure and no answer. */
export function looksLikeFailure(text: string): boolean {
  return failureTexts.test(text);
}

/** @returns undefined where `text`, all that was said, is an answer */
export function failureInWords(entry: AcpEntry, meter: Meter, text: string): Failure | undefined {
  const found = failureTexts.exec(text);
  if (found === null || text.length > 2_000) return undefined;
  const status = found.slice(1).find((group) => group !== undefined);
  const kind = /usage limit|rate limit/i.test(text) ? 'rate_limit' : null;
  return failureOfWords(entry, meter, {
    code: null,
    text,
    status: status === undefined ? statusIn(text) : Number(status),
    kind,
  });
}

/** The agent's process ended, or was ended because of what it did. */
export function failureOfEnd(end: string, stderrTail: string, fault: string | undefined): Failure {
  if (fault === undefined) return decideCrash(end, stderrTail);
  return failure(
    'protocol',
    `The agent's program does not keep to the protocol, so it was ended: ${fault}.`,
    'Send the message again; if it happens again, see `guild-hall logs` and try another version of the agent.',
  );
}

export function updateHint(entry: AcpEntry): string {
  return `Install a version that speaks version 1 of the Agent Client Protocol: ${entry.install}`;
}

function noFacts(model: string, limits: AgentLimits): FailureFacts {
  return {
    model,
    limits,
    text: '',
    subtype: null,
    terminalReason: null,
    status: null,
    apiError: null,
    spentUsd: null,
    lastRetryDelayMs: null,
  };
}

function failureOfWords(entry: AcpEntry, { model, limits }: Pick<Meter, 'model' | 'limits'>, saying: Saying): Failure {
  const { text, status, kind } = saying;
  const decided = decideFailure({ ...noFacts(model, limits), text, status, apiError: kind });
  // Its key is its own: the hall's settings of a model have no part in it.
  return decided.errorClass === 'auth' && !entry.takesGateway ? authFailure(entry, text) : decided;
}

function authFailure(entry: AcpEntry, text: string): Failure {
  const said = text === '' || /^authentication required$/i.test(text) ? '' : ` It said: ${text.slice(0, 300)}`;
  return failure('auth', `${entry.title} is not signed in to its model.${said}`, entry.signIn);
}

function isAuthRequired({ code, text }: Saying): boolean {
  return code === -32_000 || /\bauth(?:entication)?[ _]required\b/i.test(text);
}

function isUnknownSession({ code, text }: Saying): boolean {
  return (
    code === -32_002 ||
    /session .{0,80}not found|(?:unknown|no such) session|no (?:previous )?(?:sessions?|conversation) found|not find session/i.test(
      text,
    )
  );
}

function sayingOf(error: unknown): Saying {
  if (!(error instanceof RequestError)) {
    const text = error instanceof Error ? error.message : String(error);
    return { code: null, text, status: statusIn(text), kind: null };
  }
  const { code } = error;
  const detail = detailOf(error.data);
  const text =
    [error.message.replace(/^Internal error:? ?/, ''), detail].filter((part) => part !== '').join(': ') ||
    error.message;
  const kind = (error.data as { errorKind?: unknown } | null | undefined)?.errorKind;
  return {
    code,
    text: text.slice(0, 1_000),
    status: code >= 400 && code < 600 ? code : statusIn(text),
    kind: typeof kind === 'string' ? kind : null,
  };
}

/** What an agent says of a request that it refuses. */
export function wordsOfError(error: unknown): string {
  return sayingOf(error).text.slice(0, 300);
}

function detailOf(data: unknown): string {
  if (typeof data === 'string') return data;
  if (typeof data !== 'object' || data === null) return '';
  const { details, message, error } = data as { details?: unknown; message?: unknown; error?: unknown };
  for (const part of [details, message, error]) if (typeof part === 'string') return part;
  return detailOf(error);
}

/** A status of HTTP that stands in an agent's words. */
function statusIn(text: string): number | null {
  const found = /(?:\bstatus(?: code)?:?|\bAPI Error:?|\bHTTP\/?[\d.]*|"code":|\berror:?|^)\s*([45]\d\d)\b/i.exec(
    text,
  )?.[1];
  return found === undefined ? null : Number(found);
}
