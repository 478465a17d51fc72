/** Two real Claude Code CLIs talk in the hall's terminals, before the rehearsal. One of them begins; nobody calls a tool again. */
import { expect, onTestFinished, test } from 'vitest';
import { startHallWithProject } from '../help/halls.ts';
import { endAllTerminals, haveTwoTalk, notSaid, sampleFiles, toolCallsOf } from '../help/two-claudes.ts';

// On a machine with nothing else to do it takes some ten seconds.
const timeoutMs = 120_000;

test(
  'two talk for six turns, without an echo, begun by one call of a tool [GTH-CONV-3, GTH-CONV-4, GTH-CONV-5, GTH-CONV-7, GTH-RELAY-18]',
  async () => {
    const { hall } = await startHallWithProject({ config: 'conversations: { turns: 3 }', files: sampleFiles() });
    onTestFinished(async () => {
      await endAllTerminals(hall.client);
      await hall.stop();
    });
    const { ada, mira, view, words } = await haveTwoTalk(hall.client, 'tally');
    expect([ada.entry, mira.entry]).toEqual(['claude', 'claude']);
    const sent = words.filter(({ fate }) => fate === 'sent');
    expect(view.conversation.pause).toMatchObject({ why: 'budget' });
    expect(view.used.every((turns) => turns >= 3)).toBe(true);
    expect(sent.filter(({ from }) => from === 1).length).toBeGreaterThanOrEqual(3);
    expect(sent.filter(({ from }) => from === 2).length).toBeGreaterThanOrEqual(3);
    const receipts = sent.slice(0, -2).flatMap((message) => message.receipts.map(({ receipt }) => receipt.state));
    expect(new Set(receipts)).toEqual(new Set(['delivered']));
    // Nobody says again what was said to him, nor himself.
    expect(new Set(words.map(({ text }) => text)).size).toBe(words.length);
    for (const { text } of words) expect(text).not.toMatch(notSaid);
    expect(toolCallsOf(hall.home, ada)).toEqual(['mcp__guild-hall__send_message']);
    expect(toolCallsOf(hall.home, mira)).toEqual([]);
  },
  timeoutMs,
);
