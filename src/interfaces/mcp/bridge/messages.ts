/** Messages of JSON-RPC as the bridge passes them: looked at no more than it has to. */
import { errorTable, errorFactsOf, type ErrorCode, type ErrorFacts } from '../../../kernel/pure/errors.ts';

export type Message = Readonly<Record<string, unknown>>;

export type MessageId = string | number;

export function methodOf(message: Message): string | undefined {
  return typeof message['method'] === 'string' ? message['method'] : undefined;
}

/** Of a request; undefined for a notification and for an answer. */
export function requestIdOf(message: Message): MessageId | undefined {
  return methodOf(message) === undefined ? undefined : idOf(message);
}

/** Of an answer; undefined for anything else. */
export function answeredIdOf(message: Message): MessageId | undefined {
  return methodOf(message) === undefined ? idOf(message) : undefined;
}

/** The request that a client does not want answered any more. */
export function cancelledIdOf(message: Message): MessageId | undefined {
  if (methodOf(message) !== 'notifications/cancelled') return undefined;
  const id = (message['params'] as { requestId?: unknown } | undefined)?.requestId;
  return isId(id) ? id : undefined;
}

/** The answer to a request that came to nothing. */
export function errorMessage(id: MessageId | null, thrown: unknown): Message {
  const { code, message, hint, details } = errorFactsOf(thrown);
  return {
    jsonrpc: '2.0',
    id,
    error: { code: errorTable[code].mcp, message: `${message} ${hint}`, data: { ...details, code, message, hint } },
  };
}

/** Of an answer over HTTP that is a refusal, in either form that the hall has. */
export async function factsOfAnswer(response: Response): Promise<ErrorFacts> {
  const text = await response.text();
  const body = parsedOrNothing(text) as { detail?: unknown; error?: { data?: unknown } } | undefined;
  const given = (body?.error?.data ?? body) as Record<string, unknown> | undefined;
  const [code, message, hint] = [given?.['code'], given?.['message'] ?? given?.['detail'], given?.['hint']];
  if (typeof code === 'string' && code in errorTable && typeof message === 'string' && typeof hint === 'string') {
    return { code: code as ErrorCode, message, hint };
  }
  const said = text.slice(0, 120);
  return {
    code: 'internal',
    message: `The hall answered ${response.status} with something unexpected: ${said}`,
    hint: 'guild-hall logs',
  };
}

export function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: whoever asked says what that means.
    return undefined;
  }
}

function idOf(message: Message): MessageId | undefined {
  return isId(message['id']) ? message['id'] : undefined;
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || typeof value === 'number';
}
