/** Secrets: what an agent says, does and writes, and what the person says. */
import { expect, test } from 'vitest';
import { openMeeting, show, startHallWithProject } from '../help/halls.ts';

/** Secrets are put together here, so that no scanner takes this file for a leak. */
const made = (...parts: string[]): string => parts.join('');
const awsKey = made('AKIA', 'IOSFODNN7ABCDEFG');

test('an answer is streamed without the secret in it, cut anywhere, and kept as it was streamed [SEC-SECRETS]', async () => {
  const say = `The key is ${awsKey}, and password: hunter2 opens it. So much for that.`;
  const { hall } = await startHallWithProject({
    scenario: JSON.stringify([
      { match: 'tell', do: [{ say }, { call: { tool: 'Read', input: { file_path: 'README.md' } } }, { say: 'Done' }] },
    ]),
  });
  const { id, first } = await openMeeting(hall, { message: 'tell me' });
  const kept =
    'The key is [secret removed: AWS key], and password: [secret removed: password] opens it. So much for that.\n\nDone';
  const [, label = ''] = /^(> \*\*Rehearsal\.\*\*.*\n\n)/.exec(first.text) ?? [];
  expect(first.text).toBe(label + kept);
  expect(first.events.filter(({ type }) => type === 'text_delta').length).toBeGreaterThan(5);
  const { turns } = await show(hall, id);
  expect(turns.at(-1)).toMatchObject({
    text: label + kept,
    mark: 'done',
    tools: [{ name: 'Read', after: (label + kept).length - '\n\nDone'.length }],
  });
});
