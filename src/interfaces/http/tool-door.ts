/** The place of the MCP door in the HTTP face: what is let in at `/mcp` is handed on with what is known of it. */
import type { Caller } from '../../kernel/operations/operations.ts';
import { type Admission, admissionKey } from './admission.ts';
import type { OpenStream, Streams } from './streams.ts';

export interface ToolDoorRequest {
  readonly request: Request;
  /** Of a POST: what its JSON says. */
  readonly body: unknown;
  readonly caller: Caller;
  /** One word for the bearer of this token. */
  readonly key: string;
  /** Whether the token would be let in now. */
  readonly isStillAdmitted: () => boolean;
  /** Counts one more stream. @throws HallError `limit` */
  readonly open: () => OpenStream;
}

export interface ToolDoor {
  answer(request: ToolDoorRequest): Promise<Response>;
}

export interface LetIn {
  readonly request: Request;
  readonly body: unknown;
  readonly admission: Admission;
  /** Who bears the token now. */
  readonly readmit: () => Admission | undefined;
}

export async function answerTools(door: ToolDoor, streams: Streams, letIn: LetIn): Promise<Response> {
  const { request, body, admission, readmit } = letIn;
  const key = admissionKey(admission);
  return await door.answer({
    request,
    body,
    caller: admission.caller,
    key,
    isStillAdmitted: () => {
      const now = readmit();
      return now !== undefined && admissionKey(now) === key;
    },
    open: () => streams.open(admission, 'events'),
  });
}
