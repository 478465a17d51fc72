/** What each kind of turn is told, and what it is not: from the program's own prompts. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sessionOf, stepOf } from '../../../../test/help/council-turns.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import type { CouncilSession } from '../contract.ts';
import { readModes } from '../knowledge.ts';
import type { SpeakStep } from '../rules/facts.ts';
import type { CouncilRef } from '../store/place.ts';
import { contextText, firstPrompt } from './asking.ts';

const ctx = {
  councilPrompts: join(import.meta.dirname, '..', 'prompts'),
  ids: { random: () => 'r', secret: () => 'key000000000' },
} as unknown as Parameters<typeof firstPrompt>[0];
const kinds = ['prelude', 'round-robin', 'raise-hand', 'research-interrupt'] as const;

async function toldTo(kind: SpeakStep['kind'], session: CouncilSession): Promise<string> {
  const root = await tempFolder();
  const ref = { root, id: session.sessionId } as unknown as CouncilRef;
  const step = stepOf(kind, undefined, { by: 'Ben', question: 'Why?' });
  return `${await contextText(ctx, ref, session, step)}\n${await firstPrompt(ctx, ref, session, step)}`;
}

test.each(kinds)(
  'a turn of kind %s has the scratchpad before it: the latest of each pin, in order [CNC-PAD-4]',
  async (kind) => {
    const pin = { contentType: 'md', agent: 'Ben', intent: 'x', disposition: null } as const;
    const pins = [
      { ...pin, id: 'SP-1', content: 'what it came to', historyCount: 2 },
      { ...pin, id: 'SP-2', content: 'two\nlines', historyCount: 0 },
    ];
    expect(await toldTo(kind, sessionOf('Why?', { pins }))).toContain(
      '<<<scratchpad key000000000>>>\nSP-1: what it came to\nSP-2: two\\nlines\n<<<end key000000000>>>',
    );
    expect(await toldTo(kind, sessionOf('Why?'))).toContain('## Scratchpad\n\nEmpty.\n');
  },
);

test.each(kinds)('a turn of kind %s has the charter, whole [CNC-CHA-7]', async (kind) => {
  const charter = `Shall it be so?\n${'Or not. '.repeat(2000)}Say.`;
  const told = await toldTo(kind, sessionOf(charter));
  expect(told.includes(`<<<charter key000000000>>>\n${charter}\n<<<end key000000000>>>`)).toBe(true);
});

test.each(kinds)('a turn of kind %s is told the same whatever the mode [CNC-CLO-5]', async (kind) => {
  const { setup } = sessionOf('Why?');
  const told = new Set<string>();
  for (const { name, bias } of await readModes())
    told.add(await toldTo(kind, sessionOf('Why?', { setup: { ...setup, mode: name, bias } })));
  expect(told.size).toBe(1);
});
