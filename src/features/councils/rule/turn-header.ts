/** The header of a turn. One of the protected helpers: its output changes only on purpose. */
import { provenances } from '../contract/terms.ts';
import { printHeader, type HeaderFacts } from '../rules/header.ts';
import { isPhase } from '../rules/phases.ts';
import { countOf, missingOf, readFlags, valueOf, type RuleArgs } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'turn-header';
const required = ['--round', '--turn', '--speaker', '--role', '--turn-cost', '--running-total'];

/** 0; 2 a `--dispatched-via` that is not legal, or none in RESEARCH and DISCUSS; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: [...required, '--phase', '--turn-id', '--dispatched-via', '--origin'] });
  const facts = factsOf(read);
  if (typeof facts === 'string') return complain(io, name, facts, 3);
  const via = valueOf(read, '--dispatched-via');
  const legal = provenances.find((each) => each === via);
  if (via !== undefined && legal === undefined) {
    return complain(
      io,
      name,
      `--dispatched-via ${JSON.stringify(via.slice(0, 80))} is none of ${provenances.join(', ')}`,
      2,
    );
  }
  if (legal === undefined && facts.phase !== undefined) {
    const isSpoken = facts.phase === 'RESEARCH' || facts.phase === 'DISCUSS';
    if (isSpoken) return complain(io, name, `a turn of ${facts.phase} needs --dispatched-via`, 2);
    io.err(`${name}: WARNING: a turn of ${facts.phase} without --dispatched-via`);
  }
  return await Promise.resolve(printAll(io, printHeader({ ...facts, via: legal })));
}

/** A sentence where something is wrong with them. */
function factsOf(read: RuleArgs): HeaderFacts | string {
  const problem = read.problem ?? missingOf(read, required);
  if (problem !== null) return problem;
  const counts = ['--round', '--turn', '--turn-cost', '--running-total'].map((flag) => countOf(valueOf(read, flag)));
  const [round, turn, turnCost, runningTotal] = counts;
  if (round === undefined || turn === undefined || turnCost === undefined || runningTotal === undefined) {
    return '--round, --turn, --turn-cost and --running-total are whole numbers from 0 on';
  }
  const phase = valueOf(read, '--phase')?.toUpperCase();
  if (phase !== undefined && !isPhase(phase)) return `--phase ${JSON.stringify(phase.slice(0, 80))} is no phase`;
  const given = valueOf(read, '--origin');
  const origin = given === 'interject' || given === 'attendee' ? given : undefined;
  if (given !== undefined && origin === undefined) return '--origin is interject or attendee';
  const [speaker = '', role = ''] = [valueOf(read, '--speaker'), valueOf(read, '--role')];
  return { round, turn, speaker, role, turnCost, runningTotal, phase, turnId: valueOf(read, '--turn-id'), origin };
}
