/** The tokens of each agent, and who is muted, in a file that the caller names. Muting is for good. */
import { defaultPerAgentCap } from '../contract/terms.ts';
import { printMuted } from '../rules/caps.ts';
import { countOf, hasFlag, missingOf, readFlags, valueOf, type RuleArgs } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { changeState, notOurs, pathOf, readState } from './state.ts';

const name = 'per-agent-cap';
const actions = ['--accumulate', '--get', '--is-muted'];

interface Used {
  readonly tokens: number;
  readonly muted: boolean;
}

/** 0; 1 not muted; 3 malformed, and what asks to unmute. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, {
    values: ['--state', '--agent', '--tokens', '--per-agent-cap'],
    switches: [...actions, '--unmute'],
  });
  if (hasFlag(read, '--unmute'))
    return complain(io, name, 'a muted agent stays muted: the cap bounds what is spent', 3);
  const problem = read.problem ?? missingOf(read, ['--state', '--agent']);
  if (problem !== null) return complain(io, name, problem, 3);
  const chosen = actions.filter((flag) => hasFlag(read, flag));
  if (chosen.length !== 1) return complain(io, name, `expected one of ${actions.join(', ')}`, 3);
  if (chosen[0] === '--accumulate') return await accumulate(read, io);
  const path = stateOf(read, io);
  const used = usedOf(parse(path, await readState(path)), agentOf(read));
  if (chosen[0] === '--get') return printAll(io, [String(used.tokens)]);
  return used.muted ? 0 : 1;
}

async function accumulate(read: RuleArgs, io: RuleIo): Promise<number> {
  const tokens = countOf(valueOf(read, '--tokens'));
  const cap = countOf(valueOf(read, '--per-agent-cap') ?? String(defaultPerAgentCap), 1);
  if (tokens === undefined) return complain(io, name, '--tokens is a whole number from 0 on', 3);
  if (cap === undefined) return complain(io, name, '--per-agent-cap is a whole number from 1 on', 3);
  const agent = agentOf(read);
  const path = stateOf(read, io);
  const line = await changeState(path, (text) => {
    const all = parse(path, text);
    const before = usedOf(all, agent);
    const total = before.tokens + tokens;
    const muted = before.muted || total >= cap;
    return {
      text: print(new Map(all).set(agent, { tokens: total, muted })),
      answer: muted && !before.muted ? printMuted(agent, total, cap) : undefined,
    };
  });
  return printAll(io, line === undefined ? [] : [line]);
}

function stateOf(read: RuleArgs, io: RuleIo): string {
  return pathOf(io, valueOf(read, '--state') ?? '');
}

function agentOf(read: RuleArgs): string {
  return valueOf(read, '--agent') ?? '';
}

function usedOf(all: ReadonlyMap<string, Used>, agent: string): Used {
  return all.get(agent) ?? { tokens: 0, muted: false };
}

/** One agent a line: its tokens, whether it is muted, and its name, which may hold anything. */
function print(all: ReadonlyMap<string, Used>): string {
  return [...all]
    .map(([agent, { tokens, muted }]) => `${tokens} ${muted ? 'muted' : 'speaks'} ${JSON.stringify(agent)}\n`)
    .join('');
}

function parse(path: string, text: string | undefined): ReadonlyMap<string, Used> {
  const all = new Map<string, Used>();
  for (const line of (text ?? '').split('\n').filter((each) => each !== '')) {
    const found = /^(\d{1,15}) (muted|speaks) (".*")$/.exec(line);
    if (found === null) throw notOurs(path, 'the tokens of agents');
    all.set(JSON.parse(found[3]!) as string, { tokens: Number(found[1]), muted: found[2] === 'muted' });
  }
  return all;
}
