/** A hall ends while Claude Code works in a terminal, and another one comes. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../../test/help/programs.ts';
import {
  closeAgentBench,
  leaveAgentBench,
  openAgentBench,
  project,
  spoken,
  startLive,
  tell,
} from '../../../../../test/help/terminal-agents.ts';
import { leaveTestTerminals } from '../../../../../test/help/terminals.ts';
import { silentLog } from '../../../log/log.ts';
import { joinTerminal } from '../../../terminals/terminals.ts';
import { claudeEntry } from './claude.ts';
import { rejoinTerminalAgent } from './prepare.ts';

test.each(['model-only', 'full'] as const)(
  'what it said meanwhile is told, and it goes on by the same way to its model: %s [GTH-RELAY-10]',
  async (network) => {
    const first = await openAgentBench({ network });
    first.play('- match: work\n  do:\n    - wait: 500\n    - say: It is done.\n- match: again\n  say: And once more.');
    const agent = await startLive(first, claudeEntry);
    await tell(first, agent, 'work');
    const { terminals } = first.hall;
    const signals = join(agent.folder, 'signals');
    // The hall hears nothing of it; what is there is what the program itself has left.
    await leaveTestTerminals(first.hall);
    expect(spoken(first, agent)).toEqual([]);
    await waitUntil(() => readdirSync(signals).filter((name) => name.endsWith('.json')).length > 0);
    await leaveAgentBench(first);
    expect(terminals.isClosed).toBe(true);

    const second = await openAgentBench({ network }, first);
    onTestFinished(async () => closeAgentBench(second));
    second.play('- match: again\n  say: And once more.');
    expect(second.gateway.baseUrl).toBe(first.gateway.baseUrl);
    const { id, folder } = agent;
    const kept = JSON.parse(JSON.stringify(agent.prepared.kept)) as typeof agent.prepared.kept;
    const rejoined = await rejoinTerminalAgent({ log: silentLog }, second.parts, claudeEntry, {
      id,
      project,
      folder,
      kept,
    });
    expect(await joinTerminal(second.hall.terminals, rejoined.kind)).toBe('running');
    await waitUntil(() => spoken(second, agent).length > 0);
    expect(spoken(second, agent)).toEqual(['It is done.']);
    expect(await tell(second, agent, 'again')).toMatchObject({ state: 'delivered' });
    await waitUntil(() => spoken(second, agent).length > 1);
    expect(spoken(second, agent)).toEqual(['It is done.', 'And once more.']);
    await rejoined.leave();
  },
  60_000,
);
