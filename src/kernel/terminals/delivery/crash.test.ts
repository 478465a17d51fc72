/** The hall is killed in the middle of a delivery, again and again, and the next one goes on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundled, runUntil } from '../../../../test/help/fault-programs.ts';
import {
  agentManner,
  anyManner,
  endTestTerminals,
  leaveTestTerminals,
  openTestTerminals,
  signallingManner,
  startAgent,
} from '../../../../test/help/terminals.ts';
import { waitUntil } from '../../../../test/help/programs.ts';
import type { Manner, Speech } from '../contract.ts';
import { joinTerminal, statusOf } from '../terminals.ts';
import { inOneLine } from './text.ts';

function readLines(path: string): unknown[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as unknown);
}

/** With the points that each of the rounds dies at: a later round begins with what an earlier one left. */
test.each<[string, string, Manner, Record<string, string>, readonly number[]]>([
  ['any', 'deliver:', anyManner, {}, [2, 4]],
  ['signalling', 'deliver:', signallingManner, { RAW: '1' }, [1, 2, 3, 4, 7]],
  ['agent', 'ledger', agentManner, { RAW: '1' }, [3, 5, 7, 10]],
  ['agent', 'heard', agentManner, { RAW: '1' }, [1, 2, 4]],
])(
  'a program (%s), the hall killed at %s…: all that was acknowledged arrives, once and in order',
  async (name, match, manner, env, rounds) => {
    const program = await bundled('terminals-until-fault');
    const first = await openTestTerminals();
    const { folder } = first;
    // Of all that come after it, the tmux is the same one.
    onTestFinished(() => endTestTerminals(first));
    const agent = await startAgent(first, manner, env);
    await waitUntil(() => statusOf(first.terminals, agent.id).status === 'idle');
    await leaveTestTerminals(first);
    for (const at of rounds)
      expect(await runUntil(program, [folder, agent.id, name, String(at)], { at, match })).toBe('SIGKILL');
    expect(await runUntil(program, [folder, agent.id, name, '99'], { at: 0 })).toBe(0);

    const acked = readLines(join(folder, 'acked.jsonl')) as string[];
    const taken = agent.taken();
    const shaped = manner === anyManner ? acked.map(inOneLine) : acked;
    expect(readLines(join(folder, 'failed.jsonl'))).toEqual([]);
    expect(new Set(taken).size).toBe(taken.length);
    expect(taken.filter((text) => shaped.includes(text))).toEqual(shaped);
    expect(taken.length).toBeGreaterThan(2);

    const last = await openTestTerminals(folder);
    await joinTerminal(last.terminals, agent.kind);
    const said = (): Speech[] => [...(readLines(join(folder, 'said.jsonl')) as Speech[]), ...last.speeches];
    const answers = (): string[] =>
      [...new Map(said().map(({ id, text }) => [id, text])).values()].join('\n').split('\n');
    await waitUntil(() => answers().length >= taken.length);
    expect(answers()).toEqual(taken.map((text) => `Taken ${text.length}.`));
    await leaveTestTerminals(last);
  },
  60_000,
);
