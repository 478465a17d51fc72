/** Whose pages a speaker may name: through the real SDK, before an agent that says what a test says. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hooksOf, makeTurnsRig, saying, sessionOf, stepOf } from '../../../../test/help/council-turns.ts';
import { makeRepository } from '../../../../test/help/repositories.ts';
import type { Situation } from '../../../kernel/agents/rehearsal/situation.ts';
import { speak } from './speaking.ts';

test('an address holds up a claim only of the speaker whose own research fetched it [CNC-DIS-14]', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gh-turns-')));
  const repo = await makeRepository({ path: join(folder, 'repository') });
  let act = saying('');
  const play = { name: 'test', priority: 900, play: (situation: Situation) => act(situation) };
  const rig = await makeTurnsRig({ folder, root: repo.path, plays: [play], scenario: '[]' });
  onTestFinished(async () => {
    await rig.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  const fetched = { Ada: ['https://example.org/own'], Ben: ['https://example.org/other'] };
  const session = sessionOf('Decide whether the queue is bounded.', { fetched });
  const sayOf = async (page: string) => {
    act = saying(`The vendor bounds its queue at 200 entries (https://example.org/${page}).`);
    return await speak(rig.ctx, rig.ref, session, stepOf('round-robin'), hooksOf());
  };
  expect(await sayOf('own')).toMatchObject({ outcome: 'spoken', claims: [{ verdict: 'cited' }] });
  expect(await sayOf('other')).toMatchObject({ outcome: 'refused', offenders: [{ verdict: 'unflagged' }] });
}, 60_000);
