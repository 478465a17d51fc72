/** Removes old checkpoints and session files; says only what would go, unless it is told to. */
import { join } from 'node:path';
import { systemClock } from '../../../kernel/clock/clock.ts';
import { defaultAgeDays, reapSessions } from '../store/reaper.ts';
import { countOf, hasFlag, missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf } from './state.ts';

const name = 'checkpoint-reaper';

/** 0; 2 for bad arguments. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--root', '--age-days'], switches: ['--apply', '--dry-run'] });
  const problem = read.problem ?? missingOf(read, ['--root']);
  if (problem !== null) return complain(io, name, problem, 2);
  const days = countOf(valueOf(read, '--age-days') ?? String(defaultAgeDays));
  if (days === undefined) return complain(io, name, '--age-days takes a number of days', 2);
  const apply = hasFlag(read, '--apply');
  if (apply && hasFlag(read, '--dry-run')) return complain(io, name, 'takes --apply or --dry-run, not both', 2);
  const root = valueOf(read, '--root')!;
  // The helper's present, which a test sets, counts for it.
  const clock = { ...systemClock, nowMs: () => Date.parse(io.now()) };
  for (const { path } of await reapSessions({ clock }, pathOf(io, root), days, apply)) {
    io.out(`${apply ? 'DELETED' : 'REAP'} ${join(root, path)}`);
  }
  return 0;
}
