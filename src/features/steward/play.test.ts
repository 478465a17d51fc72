import { expect, test } from 'vitest';
import { readOrder } from './play.ts';

const rows: readonly (readonly [string, string | undefined, Record<string, unknown>])[] = [
  [
    'Commission the researcher to find out how errors are reported, and write it to `.lore/research/errors.md`.',
    'create_commission',
    { worker: 'researcher', title: 'Find out how errors are reported', dispatch: true },
  ],
  [
    'please have the writer explain the parser, but do not start it yet',
    'create_commission',
    { worker: 'writer', prompt: 'Explain the parser', dispatch: false },
  ],
  ['commission the nobody to do a great thing', 'create_commission', { worker: 'nobody' }],
  ['What is going on?', 'see_work', {}],
  ['how does it stand', 'see_work', {}],
  ['brief me', 'see_work', {}],
  ['start errors-20261122-120000-k3f9', 'dispatch_commission', { id: 'errors-20261122-120000-k3f9' }],
  ['cancel k3f9 because it is late', 'cancel_commission', { id: 'k3f9', reason: 'it is late' }],
  ['show commission parser', 'see_work', { id: 'parser' }],
  [
    'request a meeting with the reviewer about the parser',
    'request_meeting',
    { worker: 'reviewer', agenda: 'the parser' },
  ],
  ['propose a pull request: notes on counting', 'propose_pull_request', { title: 'Notes on counting' }],
  // Questions, and what is only quoted, order nothing.
  ['what is a commission?', undefined, {}],
  ['"commission the researcher to find out more"', undefined, {}],
  ['> cancel k3f9', undefined, {}],
  ['show me how it works', undefined, {}],
  ['have the errors a common form?', undefined, {}],
  ['commission the writer to', undefined, {}],
];

for (const [text, tool, input] of rows) {
  test(`${text} → ${tool ?? 'nothing'}`, () => {
    const order = readOrder(text);
    expect(order?.tool).toBe(tool);
    if (order !== undefined) expect(order.input).toMatchObject(input);
  });
}

test('a path that is named becomes a criterion, unless the order has one of its own [COM-3]', () => {
  const prompt = (text: string): unknown => readOrder(text)?.input['prompt'];
  expect(prompt('commission the writer to say it in .lore/notes/a.md')).toMatch(
    /^Say it in .*\n\nCheck: \.lore\/notes\/a\.md/,
  );
  expect(prompt('commission the writer to say it in .lore/notes/a.md. Check: it is there')).not.toContain('\n\nCheck');
  expect(readOrder('commission the writer to explain the parser')?.adds).toContain('how the worker can check it');
});
