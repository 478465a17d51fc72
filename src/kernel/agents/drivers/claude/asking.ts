/** Calls that the gate allows and the session's mode does not: the person is asked, and the call waits for the answer. */
import { open, realpath } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import type { CanUseTool } from '@anthropic-ai/claude-agent-sdk';
import { isInside } from '../../../artifacts/paths.ts';
import { withPinnedFile } from '../../../artifacts/pinned.ts';
import type { LogContext } from '../../../log/log.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import type { OpenOptions, PermissionAnswer, PermissionRequest } from '../../contract.ts';
import { changesOf, describeCall, fieldsOf } from './calls.ts';
import { shownName } from './map.ts';
import type { Chosen } from './modes.ts';

/** What the turn that a process serves does about calls. */
export interface TurnEar {
  readonly onDenied: (denial: Denial) => void;
  /** Resolves when the reader of the turn has been given the call, and all that came before it. */
  readonly onAsked: (callId: string, name: string, input: unknown) => Promise<void>;
  /** Of the turn's session, once it is known. */
  readonly sessionId: () => AgentSessionId | null;
  /** Aborts when the turn is over. */
  readonly over: AbortSignal;
}

/** A call that the gate denied, for the turn's reader. */
export interface Denial {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly reason: string;
}

/** Larger files are not shown beside what is to be written over them. Bytes. */
const maxBefore = 200_000;

const refused = 'The person refused this call. Go on without it, or ask what they want instead.';
const unanswered = 'Nobody answered: the turn is over.';

export interface Asking {
  readonly open: OpenOptions;
  readonly ear: () => TurnEar;
  readonly chosen: () => Chosen;
}

/** For the agent's program: waits for the person's answer however long it takes. */
export function askPerson(ctx: LogContext, asking: Asking): CanUseTool {
  return async (tool, input, { signal, toolUseID }) => {
    const ear = asking.ear();
    const over = AbortSignal.any([signal, ear.over]);
    try {
      await ear.onAsked(toolUseID, tool, input);
      const request = await requestOf(asking.open, toolUseID, tool, input);
      const answer = over.aborted ? 'cancelled' : await asking.open.ask!(request, over);
      if (answer === 'cancelled' || over.aborted) return { behavior: 'deny', message: unanswered };
      return takeAnswer(asking.chosen(), tool, input, request, answer);
    } catch (error) {
      ctx.log.error({ err: error, tool }, 'a permission could not be asked for');
      return { behavior: 'deny', message: 'The person could not be asked, so this call is denied.' };
    }
  };
}

function takeAnswer(
  chosen: Chosen,
  tool: string,
  input: Record<string, unknown>,
  { options }: PermissionRequest,
  { optionId }: Exclude<PermissionAnswer, 'cancelled'>,
): Awaited<ReturnType<CanUseTool>> {
  const kind = options.find(({ id }) => id === optionId)?.kind;
  if (kind === 'allow_always') chosen.always.add(tool);
  return kind === 'allow_once' || kind === 'allow_always'
    ? { behavior: 'allow', updatedInput: input }
    : { behavior: 'deny', message: refused };
}

async function requestOf(
  options: OpenOptions,
  callId: string,
  tool: string,
  input: unknown,
): Promise<PermissionRequest> {
  const name = shownName(tool);
  const before = tool === 'Write' ? await readBefore(options, fieldsOf(input)['file_path']) : null;
  return {
    callId,
    name,
    title: describeCall(name, input, options.cwd).title ?? name,
    input,
    diffs: changesOf(name, input, before),
    options: [
      { id: 'allow', name: 'Allow', kind: 'allow_once' },
      { id: 'always', name: alwaysWords(name), kind: 'allow_always' },
      { id: 'refuse', name: 'Refuse', kind: 'reject_once' },
    ],
  };
}

function alwaysWords(name: string): string {
  return name === 'Bash' ? 'Allow every command in this session' : `Allow ${name} in this session`;
}

/** The file that a call would write over, as the gate saw its path; null where there is none, or none to be shown. */
async function readBefore({ access, cwd }: OpenOptions, path: unknown): Promise<string | null> {
  if (typeof path !== 'string') return null;
  try {
    const root = await realpath(access.root);
    const target = await realpath(resolve(cwd, path));
    if (!isInside(root, target) || relative(root, target) === '') return null;
    return (await withPinnedFile(root, target, readWhole)) ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readWhole(path: string): Promise<string | undefined> {
  const file = await open(path, 'r');
  try {
    const facts = await file.stat();
    return facts.isFile() && facts.size <= maxBefore ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}
