/** A gathering in which a speaker and the harvester are the real Claude Code CLI, before the rehearsal. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdersIn, openCircle } from '../help/gatherings.ts';
import { waitUntil } from '../help/programs.ts';

// On a machine with nothing else to do it takes some twenty seconds.
const timeoutMs = 180_000;

test(
  'the real Claude Code is started for it, speaks with the piece alone, passes by name, and harvests [GTH-TOOL-4, GTH-SEED-13, GTH-RELAY-18]',
  async () => {
    const turns = [
      'Words are split by spaces.\n\nI pass',
      'A hyphen is no space.\n\nI pass',
      'We count words.\n\nI pass',
    ];
    const circle = await openCircle({ Ada: { turns } }, { settings: 'harvestSeconds: 120' });
    const { id } = await circle.begin({
      participants: ['Clio=claude', 'Ada=circle'],
      harvester: 'Hal=claude',
      structure: '1-1-1',
      openingQuestion: 'How do we count words?',
      beatIntervalSeconds: 120,
    });
    const view = await circle.untilClosed(id);
    expect(holdersIn(view)).toEqual(['Clio', 'Ada', 'Clio', 'Ada', 'Clio', 'Ada']);

    const clio = view.messages.filter(({ kind, from }) => kind === 'words' && from === 1).map(({ text }) => text);
    expect(clio).toHaveLength(3);
    // It tells a place of the project, and passes by name in its first turn.
    expect(clio[0]).toMatch(/^With “How do we count words\?” I begin at `[^`]+:\d+`\..+\n\nI pass to Ada$/s);
    expect(clio[1]).toMatch(/^Ada said: “Words are split by spaces\.”/);
    expect(clio[2]).toContain('As a next step I ');
    for (const text of clio)
      expect(text).not.toMatch(/\(\d\):\n|listening|ready|pasted_content|esc to interrupt|Rehearsal/);
    expect(circle.taken('Ada').filter((text) => text.startsWith('Clio (1):\n\n'))).toHaveLength(3);

    const { end } = view.gathering;
    expect(end).toMatchObject({ isWrittenByHall: false, trail: '.lore/gatherings/daily.md' });
    const trail = readFileSync(join(circle.integration, end!.trail), 'utf8');
    expect(trail).toContain(id);
    expect(trail).toContain('Clio and Ada spoke 6 times about “How do we count words?”');
    expect(end!.harvested.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['todo', 'proposal', 'memory']));
    for (const { path, kind } of end!.harvested)
      if (kind !== 'memory') expect(existsSync(join(circle.integration, path))).toBe(true);
    // What the gathering has started it has ended.
    await waitUntil(async () => (await circle.terminals()).length === 0);
  },
  timeoutMs,
);
