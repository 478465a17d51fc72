/** The doors by which a person holds a council, each with the same few words; and what councils left, to be compared. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import {
  type Asked,
  councilGoesOnSchema,
  type CouncilView,
  councilViewSchema,
} from '../../src/features/councils/contract.ts';
import { questionName } from '../../src/features/councils/contract/asking.ts';
import { sessionsFolder } from '../../src/features/councils/store/place.ts';
import { connectHall, type HallClient } from '../../src/interfaces/cli/client.ts';
import { questionText } from '../../src/interfaces/cli/council-asking.ts';
import { createTerminal } from '../../src/interfaces/cli/terminal.ts';
import { filesBelow } from './councils.ts';
import { connectMcp } from './mcp.ts';
import { askTicket, openPage } from './page-sockets.ts';
import { type Home, runProgram } from './programs.ts';

/** How a council begins. */
export const council = {
  charter: 'Shall the parser refuse empty lines?',
  invitees: ['Theo', 'Vera'],
  turns: 2,
} as const;

/** One way in. Every word goes by it, and every look at how the council stands. */
export interface Door {
  begin(): Promise<CouncilView>;
  answer(id: string, answer: string, text?: string): Promise<CouncilView>;
  resume(id: string): Promise<CouncilView>;
}

/** What the person does at each question: the same at every door. */
export class Person {
  readonly #asked: string[] = [];

  /** @returns an answer, and words for it; where a council is paused it is resumed */
  answerTo(name: string): readonly [answer: string, text?: string] {
    const before = this.#asked.filter((each) => each === name).length;
    this.#asked.push(name);
    if (name === 'post-charter') return before === 0 ? ['interject', words] : ['continue'];
    if (name === 'post-research') return before === 0 ? ['pause'] : ['continue'];
    if (name === 'SP-1') return ['keep'];
    if (name === 'memory:Vera') return ['drop'];
    return name === 'pre-close' || name === 'pre-save' || name === 'discuss-cadence' ? ['continue'] : ['accept'];
  }
}

/** Words that a shell would do something with. */
export const words = `What does it cost "the" callers? $(touch ran) \`touch ran\` it's`;

/** From the charter to the files. @returns each question as it was put, and how the council stood */
export async function holdBy(door: Door): Promise<{ readonly id: string; readonly yields: readonly string[] }> {
  const person = new Person();
  const yields: string[] = [];
  let view = await door.begin();
  while (view.status !== 'saved') {
    if (view.status !== 'asking' && view.status !== 'paused') throw new Error(`it is ${view.status}`);
    yields.push(standing(view));
    if (view.status === 'paused') view = await door.resume(view.id);
    else view = await door.answer(view.id, ...person.answerTo(questionName(view.asked!.question)));
  }
  yields.push(standing(view));
  return { id: view.id, yields };
}

const pipe = createTerminal(
  { out: { write: () => true, isTTY: false }, err: { write: () => true } },
  { NO_COLOR: '1' },
);

export function asText(asked: Asked): string {
  return questionText(asked, pipe);
}

function standing({ status, phase, round, turns, tokens, asked, muted, costs }: CouncilView): string {
  const bySpeaker = costs.bySpeaker.map(({ name, tokens: spent }) => `${name} ${spent}`);
  const facts = [status, phase, `round ${round}`, `${turns} turns`, `${tokens} tokens`, ...bySpeaker, ...muted];
  return `${facts.join(', ')}\n${asked === null ? '' : asText(asked)}`;
}

type Call = (operation: string, input: object) => Promise<unknown>;

/**
 * HTTP, MCP, a page's socket and commands, taken in turn: each word goes in by the next one. At each question the first
 * three are looked through, and have to show the same; what a command prints has to hold the question.
 */
export async function mixedDoors(home: Home, cwd: string, project: string): Promise<Door & { close(): void }> {
  const client = await connectHall(home.path);
  const page = await openPage(Number(new URL(client.url).port), {
    ticket: await askTicket(Number(new URL(client.url).port), tokenOf(home)),
  });
  const mcp = await connectMcp({ url: client.url, token: tokenOf(home) });
  const calls: readonly Call[] = [
    async (name, input) => await client.call(name, input),
    async (name, input) => {
      const { isError, value, text } = await mcp.call(name.replace('.', '_'), { ...input });
      if (isError) throw new Error(text);
      return value;
    },
    async (name, input) => {
      const message = await page.call(name, input);
      if (message.kind !== 'answer') throw new Error(JSON.stringify(message));
      return message.output;
    },
  ];
  let said = -1;
  const say = async (verb: string, input: object, line: readonly string[], text?: string): Promise<CouncilView> => {
    said += 1;
    const call = calls[said % (calls.length + 1)];
    const printed = call === undefined ? await runLine(home, cwd, [verb, ...line, '--project', project], text) : '';
    const { id } = call === undefined ? { id: line[0]! } : goesOn(await call(`council.${verb}`, { ...input, project }));
    const view = await standingAtAll(calls, client, { id, project });
    if (call === undefined && view.status === 'asking' && !printed.includes(asText(view.asked!)))
      throw new Error(`not asked: ${printed}`);
    return view;
  };
  return {
    begin: async () => await say('run', council, []),
    answer: async (id, answer, text) =>
      await say(
        'answer',
        { id, answer, ...(text !== undefined && { text }) },
        [id, answer, ...(text === undefined ? [] : ['-'])],
        text,
      ),
    resume: async (id) => await say('resume', { id }, [id]),
    close: () => page.ws.close(),
  };
}

const goesOn = (output: unknown) => councilGoesOnSchema.parse(output);

async function runLine(home: Home, cwd: string, args: readonly string[], input = ''): Promise<string> {
  const { exitCode, out, err } = await runProgram(home.env, cwd, ['council', ...args], input);
  if (exitCode !== 0) throw new Error(`${args.join(' ')}: ${err}${out}`);
  return out;
}

/** Once it does not run. @throws where two doors show it differently */
async function standingAtAll(
  calls: readonly Call[],
  client: HallClient,
  ref: { readonly id: string; readonly project: string },
): Promise<CouncilView> {
  for (;;) {
    const views = await Promise.all(
      calls.map(async (call) => councilViewSchema.parse(await call('council.show', ref))),
    );
    const [view, ...others] = views;
    const running = views.find(({ status }) => status === 'running');
    if (running === undefined) {
      const withoutCursor = (each: CouncilView): string => JSON.stringify({ ...each, cursor: '' });
      for (const other of others)
        if (withoutCursor(other) !== withoutCursor(view!)) throw new Error('Two doors show it differently.');
      return view!;
    }
    const leaving = new AbortController();
    const listening = { subject: `council:${ref.id}`, after: running.cursor, signal: leaving.signal };
    for await (const event of client.events(listening))
      if (event.project === ref.project && /asked|status/.test(event.type)) leaving.abort();
  }
}

function tokenOf({ path }: Home): string {
  return readFileSync(join(path, 'token'), 'utf8').trim();
}

/** By path, what a council left below `root`, without what is of the moment: times, seals, sizes of prompts, prices. */
export function leftBelow(root: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    filesBelow(join(root, '.gaia')).map((file) => {
      const path = join('.gaia', file);
      const text = readFileSync(join(root, path), 'utf8').replaceAll(root, '<root>');
      return [path, path.startsWith(sessionsFolder) ? withoutChance(parse(text)) : withoutMoment(text)];
    }),
  );
}

function withoutMoment(text: string): string {
  return text
    .replaceAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, '<time>')
    .replaceAll(/(input_tokens|cache_read_tokens|cache_write_tokens|cost_usd): [\d.]+/g, '$1: <of the moment>')
    .replaceAll(/\$\d+\.\d+/g, '<cost>');
}

/** Of a session also the project, which is another one for each door. */
const ofTheMoment = new Set(['usage', 'seal', 'commit', 'project']);

function withoutChance(value: unknown): unknown {
  if (typeof value === 'string') return withoutMoment(value);
  if (Array.isArray(value)) return value.map(withoutChance);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !ofTheMoment.has(name));
  return Object.fromEntries(kept.map(([name, held]) => [name, withoutChance(held)]));
}
