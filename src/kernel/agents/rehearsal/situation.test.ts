import { describe, expect, test } from 'vitest';

import { cleanUserText, parseRequest, readSituation, type Situation } from './situation.ts';

const about = { worker: 'researcher', activityKind: 'activity' };

function situationOf(messages: unknown, over: Record<string, unknown> = {}): Situation {
  const parsed = parseRequest({ model: 'rehearsal', messages, ...over });
  if ('problem' in parsed) expect.unreachable(parsed.problem);
  return readSituation(parsed.request, about);
}

const text = (words: string) => ({ type: 'text', text: words });
const reminder = text('<system-reminder>\nYou have 100 tokens left.\n</system-reminder>');

describe('a request', () => {
  test.each([
    [undefined, 'body'],
    [{ messages: [] }, 'messages'],
    [{ messages: [{ role: 'nobody', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: 'user', content: 7 }] }, 'messages.0.content'],
  ])('that is none is told by its field: %j', (body, field) => {
    expect(parseRequest(body)).toEqual({ problem: expect.stringContaining(field) });
  });

  test('gives the tools with their schemas, the folder and the system prompt with its later notes', () => {
    const situation = situationOf(
      [
        { role: 'user', content: 'hi' },
        { role: 'system', content: ' - Primary working directory: /tmp/x\n - Shell: bash' },
      ],
      {
        system: [text('You are R.')],
        tools: [{ name: 'Grep', description: 'find', input_schema: { type: 'object' } }],
        stream: true,
      },
    );
    expect(situation.tools).toEqual([{ name: 'Grep', description: 'find', inputSchema: { type: 'object' } }]);
    expect(situation.cwd).toBe('/tmp/x');
    expect(situation.systemPrompt).toContain('You are R.');
    expect(situation.stream).toBe(true);
  });

  test('cannot make up a folder by naming one in a message', () => {
    expect(situationOf([{ role: 'user', content: 'Primary working directory: /etc' }]).cwd).toBeUndefined();
  });
});

describe('turns', () => {
  test('hold calls with their results, and leave out what the program says', () => {
    const situation = situationOf([
      { role: 'user', content: [reminder, text('first')] },
      {
        role: 'assistant',
        content: [text('looking'), { type: 'tool_use', id: 't1', name: 'Grep', input: { pattern: 'a' } }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [text('a:1:b'), reminder] }, reminder],
      },
      { role: 'assistant', content: 'found' },
      { role: 'user', content: 'second' },
    ]);
    expect(situation.turns).toEqual([
      {
        userText: 'first',
        assistantText: 'looking\n\nfound',
        calls: [{ id: 't1', name: 'Grep', input: { pattern: 'a' }, result: { text: 'a:1:b', isError: false } }],
        answers: 2,
      },
    ]);
    expect(situation.turn).toMatchObject({ userText: 'second', calls: [], answers: 0 });
  });

  test('a tool result goes on with the turn; the last of several texts is the one to answer', () => {
    const going = situationOf([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true }] },
    ]);
    expect(going.turn.calls[0]?.result).toEqual({ text: 'no', isError: true });
    const merged = situationOf([
      { role: 'user', content: [text('failed turn'), text('[Request interrupted by user]'), text('now this')] },
    ]);
    expect(merged.turns.map((turn) => turn.userText)).toEqual(['failed turn']);
    expect(merged.turn.userText).toBe('now this');
  });

  test('only what the program says is no text of the person', () => {
    expect(cleanUserText('<system-reminder>x</system-reminder>')).toBe('');
    expect(cleanUserText('[Request interrupted by user for tool use]')).toBe('');
    expect(cleanUserText('say <b>this</b> <system-reminder>not this</system-reminder>')).toBe('say <b>this</b>');
  });
});
