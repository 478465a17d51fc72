/** Steps with a real agent: what goes well. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import {
  callTool,
  collect,
  lastOf,
  ofType,
  readRest,
  readUntil,
  say,
  sessionOf,
  textOf,
} from '../../src/kernel/agents/conformance-bench.ts';
import type { PermissionRequest } from '../../src/kernel/agents/contract.ts';
import { defineTool } from '../../src/kernel/agents/tools.ts';
import { openIn, type Step, wordsOf } from './acp-step.ts';

const begin: Step = [
  'begin, choices, commands',
  async (bench) => {
    const { session, key } = await openIn(bench);
    const { sessionId, choices } = await session.begin!();
    bench.model.answer(key, say('Here.'));
    const events = await collect(session.prompt('Hello.', { resume: sessionId }));
    const commands = ofType(events, 'commands').at(-1)?.commands.length ?? 0;
    await session.close();
    const offered = choices.map(({ id, current, options }) => `${id}=${current} of ${options.length}`).join(', ');
    return [textOf(events) === 'Here.' && sessionOf(events) === sessionId, `${offered}; ${commands} commands`];
  },
];

const prompt: Step = [
  'prompt: text in pieces, usage',
  async (bench) => {
    const { session, key } = await openIn(bench);
    bench.model.answer(key, say('Good ', 'morning, ', 'hall.'), say('Two.'));
    const events = await collect(session.prompt('Say good morning.'));
    const second = await collect(session.prompt('Again.', { resume: sessionOf(events) }));
    const usage = ofType(events, 'usage')[0]?.usage;
    await session.close();
    const ok =
      textOf(events) === 'Good morning, hall.' && ofType(events, 'text').length > 1 && textOf(second) === 'Two.';
    return [
      ok && (usage?.inputTokens ?? 0) >= 100,
      `${ofType(events, 'text').length} pieces, ${usage?.inputTokens} + ${usage?.outputTokens} tokens, $${usage?.costUsd?.toFixed(4)}; ${wordsOf(events)}; ${wordsOf(second)}`,
    ];
  },
];

const permission: Step = [
  'permission: allowed, refused, diffs',
  async (bench) => {
    const asked: PermissionRequest[] = [];
    const kinds = ['allow_once', 'reject_once'];
    const { session, key, options } = await openIn(bench, {
      ask: async (request) => {
        asked.push(request);
        return await Promise.resolve({
          optionId: request.options.find(({ kind }) => kind === kinds[asked.length - 1])!.id,
        });
      },
    });
    const write = (name: string) => {
      const { name: tool, input } = bench.writeCall(join(options.cwd, name), 'Written.\n');
      return callTool(tool, input);
    };
    bench.model.answer(key, write('a.txt'), write('b.txt'), say('Done.'));
    const events = await collect(session.prompt('Write.'));
    await session.close();
    const [a, b] = ['a.txt', 'b.txt'].map((name) => existsSync(join(options.cwd, name)));
    const said = asked.map(
      ({ name, title, diffs, options: given }) =>
        `${name} "${title.split('/').at(-1)}" ${diffs.length} diffs, ${given.map(({ kind }) => kind).join('|')}`,
    );
    const results = ofType(events, 'tool_result').map(({ name, ok }) => `${name} ${ok ? 'ok' : 'failed'}`);
    const isWritten = a === true && readFileSync(join(options.cwd, 'a.txt'), 'utf8') === 'Written.\n';
    return [
      isWritten && b === false && asked.length === 2 && asked[0]!.diffs.length > 0,
      `${said.join('; ')}; ${results.join(', ')}; ${wordsOf(events)}`,
    ];
  },
];

const ownTool: Step = [
  'a tool of the hall',
  async (bench) => {
    const given: string[] = [];
    const note = defineTool({
      name: 'note',
      description: 'Keeps a note.',
      input: { text: z.string() },
      run: async ({ text }) => {
        given.push(text);
        return await Promise.resolve({ text: 'kept it' });
      },
    });
    const { session, key } = await openIn(bench, { tools: [note] });
    bench.model.answer(key, callTool(bench.toolName('note'), { text: 'mind the gap' }), say('Noted.'));
    const events = await collect(session.prompt('Note.'));
    await session.close();
    const [result] = ofType(events, 'tool_result');
    return [
      given[0] === 'mind the gap' && result?.name === 'note' && result.ok,
      `${result?.name}: ${result?.summary.slice(0, 80)}; ${wordsOf(events)}`,
    ];
  },
];

const cancel: Step = [
  'cancel, then go on',
  async (bench) => {
    const { session, key } = await openIn(bench);
    bench.model.answer(key, { blocks: [{ type: 'text', chunks: ['Once ', 'upon'] }], then: 'stall' });
    const turn = session.prompt('Tell a story.')[Symbol.asyncIterator]();
    const heard = await readUntil(turn, 'text');
    const startedMs = performance.now();
    await session.interrupt();
    const ms = performance.now() - startedMs;
    const rest = await readRest(turn);
    bench.model.answer(key, say('On it goes.'));
    const next = await collect(session.prompt('Go on.', { resume: ofType(heard, 'session')[0]!.sessionId }));
    await session.close();
    const end = lastOf(rest);
    return [
      end.type === 'end' && end.reason === 'interrupted' && ms < 2_900 && textOf(next) === 'On it goes.',
      `${Math.round(ms)} ms; ${wordsOf(rest)}; ${wordsOf(next)}`,
    ];
  },
];

const image: Step = [
  'an image',
  async (bench) => {
    const { session, key } = await openIn(bench);
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    bench.model.answer(key, say('A dot.'));
    const events = await collect(
      session.prompt([
        { type: 'text', text: 'What is it?' },
        { type: 'image', mimeType: 'image/png', data },
      ]),
    );
    await session.close();
    const hasIt = bench.model.requests(key).some(({ conversation }) => conversation.includes(data));
    return [
      textOf(events) === 'A dot.' && hasIt,
      `${hasIt ? 'reached the model' : 'did not reach the model'}; ${wordsOf(events)}`,
    ];
  },
];

export const workSteps: readonly Step[] = [begin, prompt, permission, ownTool, cancel, image];
