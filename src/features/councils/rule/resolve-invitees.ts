/** Who sits in the council. */
import { readModes } from '../knowledge.ts';
import { oneLine } from '../rules/header.ts';
import { parseNames, resolveInvitees, type ResolvedInvitees } from '../rules/invitees.ts';
import { findMode } from '../rules/modes.ts';
import { hasFlag, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { pathOf, readState } from './state.ts';

const name = 'resolve-invitees';

/** 0; 2 bad arguments, or a file that is not there; 3 unknown mode. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, {
    values: ['--mode', '--invitees', '--installed', '--session-file'],
    switches: ['--invitees-override'],
  });
  const wanted = valueOf(read, '--mode');
  const problem = read.problem ?? (wanted ? null : '--mode is missing');
  if (problem !== null) return complain(io, name, problem, 2);
  const mode = findMode(await readModes(), wanted ?? '');
  if (mode === undefined) return complain(io, name, `unknown mode ${JSON.stringify(wanted?.slice(0, 80))}`, 3);
  const file = valueOf(read, '--installed');
  const installed = file === undefined ? null : await readState(pathOf(io, file));
  if (installed === undefined) return complain(io, name, `${file} is not there; expected one identifier a line`, 2);
  const given = parseNames(valueOf(read, '--invitees') ?? '');
  const sessionFile = valueOf(read, '--session-file');
  const answer = resolveInvitees({
    mode,
    given,
    installed: installed?.split(/\r?\n/) ?? null,
    override: hasFlag(read, '--invitees-override'),
    userName: given.length === 0 ? null : await userNameOf(io),
    canAsk: sessionFile !== undefined,
  });
  for (const warning of answer.warnings) io.err(oneLine(warning));
  if (sessionFile !== undefined && !(await noteAttendance(io, sessionFile, answer.attendance))) return 2;
  return printAll(io, linesOf(answer));
}

async function userNameOf(io: RuleIo): Promise<string | null> {
  const { resolveUserName } = await import('../store/user-name.ts');
  return (await resolveUserName(io.cwd)).userName ?? null;
}

async function noteAttendance(io: RuleIo, file: string, attends: boolean): Promise<boolean> {
  const { run: runSessionState } = await import('./session-state.ts');
  const words = ['update', '--file', file, '--field', 'user_attendance', '--value', String(attends)];
  return (await runSessionState(words, io)) === 0;
}

function linesOf(answer: ResolvedInvitees): string[] {
  return [
    `resolved=${answer.resolved.join(',')}`,
    `missing=${answer.missing.join(',')}`,
    `bias=${answer.bias}`,
    `canonical_mode=${answer.mode}`,
    `invitees_override=${answer.override}`,
    `default_invitees_resolved=${answer.defaultsResolved.join(',')}`,
  ].map(oneLine);
}
