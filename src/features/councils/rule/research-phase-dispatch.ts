/** What a research turn may use, how research was called, and where an agent's memory lies. */
import { allowList, printAudit, sidecarPath } from '../rules/phases.ts';
import { hasFlag, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';

const name = 'research-phase-dispatch';
const actions = ['--print-allowlist', '--check-web-flag', '--check-research-flag', '--emit-frontmatter'];

/** 0; 2 a name that would lead elsewhere; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--sidecar-path'], switches: [...actions, '--no-web', '--skip-research'] });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const chosen = [...actions, '--sidecar-path'].filter((flag) => hasFlag(read, flag));
  if (chosen.length !== 1) return complain(io, name, `expected one of ${actions.join(', ')}, --sidecar-path`, 3);
  const [noWeb, skipResearch] = [hasFlag(read, '--no-web'), hasFlag(read, '--skip-research')];
  const agent = valueOf(read, '--sidecar-path');
  if (agent !== undefined) return printSidecar(io, agent);
  const lines: Readonly<Record<string, () => readonly string[]>> = {
    '--print-allowlist': () => [allowList('RESEARCH', noWeb).join(',')],
    '--check-web-flag': () => [noWeb ? 'disabled' : 'enabled'],
    '--check-research-flag': () => [skipResearch ? 'skipped' : 'enabled'],
    '--emit-frontmatter': () => printAudit({ skipResearch, noWeb }),
  };
  return await Promise.resolve(printAll(io, lines[chosen[0]!]!()));
}

function printSidecar(io: RuleIo, agent: string): number {
  if (agent === '') return complain(io, name, '--sidecar-path needs the name of an agent', 3);
  if (/[/\\\p{Cc}]/u.test(agent))
    return complain(io, name, `${JSON.stringify(agent.slice(0, 80))} is no name of an agent`, 2);
  return printAll(io, [sidecarPath(agent)]);
}
