/** `kill -9` at every fault point of a click: after the next start there is nothing of it, or all of it. */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  askedOf,
  blockOf,
  click,
  nextBlock,
  openContexts,
  registryOnDisk,
  sessionSaying,
  stateOf,
} from '../../../test/help/open-contexts.ts';
import { bundled, runUntil } from '../../../test/help/fault-programs.ts';
import { makeRepository, tempFolder } from '../../../test/help/repositories.ts';

const sideBySide = 5;

test('killed at any point of a click, the hall has nothing of it or all of it; the command is sent once [UC-1.6, CTX-EVT-7, SYS-CRASH]', async () => {
  const program = await bundled('click-until-fault');
  const root = await tempFolder();
  const [home, repo] = [join(root, 'home'), join(root, 'repository')];
  await makeRepository({ path: repo });
  const next = { label: 'Go', command: '/req auth', metaContext: 'auth' };
  const first = await openContexts(home, repo, onTestFinished);
  const block = blockOf(await sessionSaying(first, nextBlock(next)));
  const seen: ('nothing' | 'all' | 'whole')[] = [];
  // Most of the time is spent in waiting for the disk.
  for (let at = 1; !seen.includes('whole'); at += sideBySide) {
    const points = Array.from({ length: sideBySide }, (_, more) => at + more);
    seen.push(...(await Promise.all(points.map(async (point) => await killedAt(point)))));
  }
  expect(seen.filter((each) => each === 'nothing').length).toBeGreaterThan(3);
  expect(seen.filter((each) => each === 'all').length).toBeGreaterThan(8);

  async function killedAt(at: number): Promise<'nothing' | 'all' | 'whole'> {
    const [own, copy] = [join(root, `home-${at}`), join(root, `repository-${at}`)];
    cpSync(home, own, { recursive: true });
    cpSync(repo, copy, { recursive: true });
    const input = { ...next, block, clickId: 'click-until-fault' };
    const end = await runUntil(program, [own, copy, JSON.stringify(input)], { at });
    expect([0, 'SIGKILL']).toContain(end);
    const hall = await openContexts(own, copy, onTestFinished);
    await hall.idle();
    const journals = join(own, 'state/clicks');
    expect(existsSync(journals) ? readdirSync(journals) : []).toEqual([]);
    const isMade = [...hall.sessions.sessionDesk.known.values()].some(({ head }) => head.from !== null);
    if (!isMade) {
      expect(existsSync(join(copy, '.conclave/state/meta-contexts.json'))).toBe(false);
      expect(askedOf(own)).toHaveLength(1);
    }
    // The same click again: now it is made, or it is told that it was.
    const answer = await click(hall, input);
    await hall.idle();
    expect(answer).toMatchObject({ isRepeated: isMade, isNew: true });
    expect(registryOnDisk(copy).contexts).toEqual([
      { id: answer.metaContextId, name: 'auth', sessionIds: [answer.sessionId] },
    ]);
    const { messages } = await stateOf(hall, answer.sessionId);
    const said = messages.find(({ role }) => role === 'agent');
    const asked = askedOf(own).slice(1);
    // What had begun when it was killed ends as interrupted: it may have reached the agent, and is not sent again.
    if (said?.state !== 'interrupted') expect([said?.state, asked.length]).toEqual(['done', 1]);
    expect(asked.length).toBeLessThanOrEqual(1);
    if (end === 0) return 'whole';
    return isMade ? 'all' : 'nothing';
  }
}, 240_000);
