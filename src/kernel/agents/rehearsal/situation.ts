/** A Messages API request, read as a conversation: what plays decide from. */
import { z } from 'zod';

const blockSchema = z.looseObject({ type: z.string() });
const messageSchema = z.looseObject({
  role: z.enum(['user', 'assistant', 'system']),
  content: z.union([z.string(), z.array(blockSchema)]),
});
const requestSchema = z.looseObject({
  model: z.string().default('rehearsal'),
  stream: z.boolean().default(false),
  max_tokens: z.number().optional(),
  system: z.union([z.string(), z.array(blockSchema)]).optional(),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
  messages: z.array(messageSchema).min(1),
});

export type MessagesRequest = z.infer<typeof requestSchema>;
type Block = z.infer<typeof blockSchema>;

export interface OfferedTool {
  /** The full name, as a call must give it. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

export interface SituationCall {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What came back; undefined when the turn was broken off before. */
  readonly result?: { readonly text: string; readonly isError: boolean };
}

export interface SituationTurn {
  /** What the person wrote, without what the agent's program put around it. */
  readonly userText: string;
  readonly assistantText: string;
  readonly calls: readonly SituationCall[];
  /** Model calls answered in this turn. */
  readonly answers: number;
}

export interface Situation {
  readonly systemPrompt: string;
  readonly tools: readonly OfferedTool[];
  /** The turns before this one, oldest first. */
  readonly turns: readonly SituationTurn[];
  /** The turn to go on with. */
  readonly turn: SituationTurn;
  readonly model: string;
  readonly stream: boolean;
  /** The agent's working directory where its program told it: absolute. */
  readonly cwd: string | undefined;
  readonly worker: string;
  /** The feature's word for what this belongs to. */
  readonly activityKind: string;
}

/** @returns the request, or one sentence on what is wrong with it */
export function parseRequest(body: unknown): { request: MessagesRequest } | { problem: string } {
  const result = requestSchema.safeParse(body);
  if (result.success) return { request: result.data };
  const issue = result.error.issues[0];
  return { problem: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not a Messages API request'}` };
}

export function readSituation(request: MessagesRequest, about: { worker: string; activityKind: string }): Situation {
  const turns = readTurns(request);
  const turn = turns.pop() ?? emptyTurn('');
  const notes = request.messages
    .filter((message) => message.role === 'system')
    .map((message) => textOf(message.content));
  const systemPrompt = [textOf(request.system ?? ''), ...notes].join('\n\n');
  return {
    systemPrompt,
    tools: request.tools.map(readTool),
    turns,
    turn,
    model: request.model,
    stream: request.stream,
    cwd: /Primary working directory: (.+)/.exec(systemPrompt)?.[1]?.trim(),
    ...about,
  };
}

function readTool(tool: MessagesRequest['tools'][number]): OfferedTool {
  const schema = tool['input_schema'];
  return {
    name: tool.name,
    description: typeof tool['description'] === 'string' ? tool['description'] : '',
    inputSchema: typeof schema === 'object' && schema !== null ? (schema as Record<string, unknown>) : {},
  };
}

interface OpenTurn {
  userText: string;
  assistantText: string;
  calls: SituationCall[];
  answers: number;
}

function emptyTurn(userText: string): OpenTurn {
  return { userText, assistantText: '', calls: [], answers: 0 };
}

/**
 * Every text of the person's own begins a turn. Several in one message are turns that got no answer (they failed or
 * were interrupted, and the agent's program merged them into the next message); the last one is to be answered.
 */
function readTurns(request: MessagesRequest): OpenTurn[] {
  const turns: OpenTurn[] = [];
  for (const message of request.messages) {
    const blocks = blocksOf(message.content);
    if (message.role === 'user') blocks.forEach((block) => readUserBlock(turns, block));
    if (message.role === 'assistant') readAssistantBlocks(turns, blocks);
  }
  return turns;
}

function readUserBlock(turns: OpenTurn[], block: Block): void {
  if (block.type === 'tool_result') {
    const calls = turns.at(-1)?.calls ?? [];
    const index = calls.findIndex((call) => call.id === block['tool_use_id']);
    const call = calls[index];
    const result = { text: textOf(block['content']), isError: block['is_error'] === true };
    if (call !== undefined) calls[index] = { ...call, result };
    return;
  }
  const text = block.type === 'text' ? cleanUserText(String(block['text'] ?? '')) : '';
  if (text !== '') turns.push(emptyTurn(text));
}

function readAssistantBlocks(turns: OpenTurn[], blocks: readonly Block[]): void {
  if (turns.length === 0) turns.push(emptyTurn(''));
  const turn = turns.at(-1)!;
  turn.answers += 1;
  for (const block of blocks) {
    const text = block.type === 'text' ? String(block['text'] ?? '') : '';
    if (text !== '' && !programWords.test(text)) turn.assistantText += `${turn.assistantText ? '\n\n' : ''}${text}`;
    if (block.type !== 'tool_use') continue;
    const input = (block['input'] ?? {}) as Record<string, unknown>;
    turn.calls.push({ id: String(block['id']), name: String(block['name']), input });
  }
}

/** What the agent's program adds to the person's words, or says in their place. */
const wrappers = /<(system-reminder|command-[a-z]+|local-command-[a-z]+|ide_[a-z_]+)>[\s\S]*?<\/\1>/g;
const programWords =
  /^\s*(\[Request interrupted by user[^\]]*\]|\[structured-output-enforce\].*|\[Your previous response had no visible output[^\]]*\]|No response requested\.|\[Image: source: [^\]]*\])\s*$/;

/** Around words of several lines that were pasted into a terminal. */
const pasteMarks = /<\/?pasted_content(?: [^<>]*)?>\n?/g;

/** The person's own words in a text block; empty when there are none. */
export function cleanUserText(text: string): string {
  const rest = text.replaceAll(wrappers, '').replaceAll(pasteMarks, '').trim();
  return programWords.test(rest) ? '' : rest;
}

function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = (content as Block[])
    .filter((block) => block.type === 'text')
    .map((block) => String(block['text'] ?? ''));
  return texts
    .join('\n')
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
    .trimEnd();
}
