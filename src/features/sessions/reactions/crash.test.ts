/** The hall is killed at one point after another; the next start has all that was acknowledged, and nothing runs for ever. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundled, runUntil } from '../../../../test/help/fault-programs.ts';
import { tempFolder } from '../../../../test/help/repositories.ts';
import { openSessions } from '../../../../test/help/sessions.ts';
import type { SessionList } from '../contract.ts';

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
}

test('what was acknowledged is answered, or ends as interrupted, exactly once', { timeout: 120_000 }, async () => {
  const program = await bundled('session-until-fault');
  const seen = new Set<string>();
  for (const at of [1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20]) {
    const home = await tempFolder();
    mkdirSync(join(home, 'repo'));
    const died = await runUntil(program, [home, join(home, 'repo')], { at, match: 's' });
    const acknowledged = linesOf(join(home, 'acknowledged.txt'));
    const hall = await openSessions(home, join(home, 'repo'));
    onTestFinished(async () => await hall.stop());
    await hall.idle();
    const { sessions } = await hall.call<SessionList>('list');
    if (acknowledged.length > 0) expect(sessions, `point ${at}`).toHaveLength(1);
    for (const { id } of sessions) {
      const { messages } = await hall.state(id);
      const prompts = messages.flatMap((message) => (message.role === 'person' ? [message.promptId] : []));
      expect(prompts, `point ${at}`).toEqual(expect.arrayContaining(acknowledged));
      const ends = messages.flatMap((message) => (message.role === 'agent' ? [message.state] : []));
      expect(ends, `point ${at}`).toHaveLength(prompts.length);
      expect(ends.filter((word) => word === 'interrupted').length, `point ${at}`).toBeLessThanOrEqual(1);
      expect(ends, `point ${at}`).not.toContain('running');
      for (const word of ends) seen.add(word);
    }
    // No prompt was sent twice.
    const asked = [...linesOf(join(home, 'asked.txt')), ...hall.asked.map(({ words }) => words)];
    expect(new Set(asked).size, `point ${at}`).toBe(asked.length);
    seen.add(String(died));
  }
  expect([...seen].toSorted()).toEqual(['SIGKILL', 'done', 'interrupted']);
});
