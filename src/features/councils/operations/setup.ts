/** From how a council was called to how it is set up: the charter first of all, then mode, invitees, seats. */
import { readUserName } from '../../../kernel/git/repository.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { listIdentities } from '../../../kernel/workers/identities.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilSetup, Invitee } from '../contract.ts';
import { readModes } from '../knowledge.ts';
import { settleCadence } from '../rules/cadence.ts';
import { judgeCharter } from '../rules/charter.ts';
import { parseNames, resolveInvitees, type ResolvedInvitees } from '../rules/invitees.ts';
import { defaultMode, findMode, type Mode } from '../rules/modes.ts';
import { chooseUserName } from '../rules/user-name.ts';
import { readMeetingSettings } from '../store/settings.ts';
import { blocked, unfit, unknownMode } from './refusals.ts';
import { auto, proposeInvitees, requireSpeakers, seatsOf } from './seats.ts';

/** The input of `council.run` where it starts a council. */
export interface Calling {
  readonly charter?: string | undefined;
  readonly mode: readonly string[];
  readonly invitees: readonly string[];
  readonly inviteesOverride: boolean;
  readonly turns?: number | undefined;
  readonly maxTurns: number;
  readonly perAgentCap: number;
  readonly web: boolean;
  readonly skipResearch: boolean;
  readonly inPlace: boolean;
  readonly yes: boolean;
}

export interface Prepared {
  readonly charter: string;
  /** Without the slug, which is chosen under a lock. */
  readonly setup: Omit<CouncilSetup, 'slug'>;
  readonly cadence: number;
  /** Whole lines, to be told before INVITE. */
  readonly warnings: readonly string[];
  /** Where its agents read and its files are written. Absolute. */
  readonly root: string;
}

/** How long a discussion is where nobody says. Rounds. */
const usualRounds = 2;

/**
 * Writes nothing.
 * @throws HallError whose `details.exit` is that of the contract: no charter, two modes, an unknown mode or invitee, too
 *   few speakers
 */
export async function prepareCouncil(ctx: CouncilsContext, project: Project, calling: Calling): Promise<Prepared> {
  const charter = calling.charter ?? '';
  const judged = judgeCharter(calling.charter);
  if (!judged.ok) throw blocked(judged.explanation);
  const mode = await requireMode(calling.mode);
  const settings = await readMeetingSettings(project.path);
  const userName = chooseUserName(settings.userName, await readUserName(ctx, project.path)) ?? null;
  const cadence = settleCadence(settings.cadence);
  const { resolved, invitees } = await resolveSeats(ctx, calling, mode, userName);
  const told = [cadence.warning, judged.warning].filter((warning) => warning !== undefined);
  const startedAt = ctx.clock.nowIso();
  return {
    charter,
    setup: {
      ...wishesOf(calling, invitees),
      mode: resolved.mode,
      bias: resolved.bias,
      invitees: [...invitees],
      inviteesOverride: resolved.override,
      defaultInviteesResolved: [...resolved.defaultsResolved],
      missingInvitees: [...resolved.missing],
      inPlace: calling.inPlace ? project.path : null,
      userName,
      date: startedAt.slice(0, 10),
      startedAt,
    },
    cadence: cadence.cadence,
    warnings: [...settings.warnings, ...told, ...resolved.warnings],
    root: calling.inPlace ? project.path : project.integrationWorktree,
  };
}

function wishesOf(calling: Calling, invitees: readonly Invitee[]) {
  const { turns, maxTurns, perAgentCap, web, skipResearch, yes } = calling;
  const agents = invitees.filter(({ worker }) => worker !== null).length;
  return { turns: turns ?? usualRounds * agents, maxTurns, perAgentCap, noWeb: !web, skipResearch, yes };
}

async function resolveSeats(
  ctx: Pick<CouncilsContext, 'catalogue'>,
  { charter, invitees: listed, inviteesOverride, yes }: Calling,
  mode: Mode,
  userName: string | null,
): Promise<{ readonly resolved: ResolvedInvitees; readonly invitees: readonly Invitee[] }> {
  const catalogue = await ctx.catalogue();
  const given = listed.flatMap(parseNames);
  const resolved = resolveInvitees({
    mode,
    given: given.includes(auto) ? proposeInvitees(catalogue, charter ?? '', given) : given,
    installed: listIdentities(catalogue),
    override: inviteesOverride,
    userName,
    // Who answers everything beforehand is not there to be asked.
    canAsk: !yes,
  });
  const invitees = seatsOf(catalogue, resolved, userName);
  requireSpeakers(catalogue, invitees, given, mode);
  return { resolved, invitees };
}

/** The gate: the first thing that happens. @throws HallError with the contract's exit code and lines */
export function requireCharter(charter: string | undefined): { readonly warning?: string } {
  const judged = judgeCharter(charter);
  if (!judged.ok) throw blocked(judged.explanation);
  return judged;
}

async function requireMode(given: readonly string[]): Promise<Mode> {
  const modes = await readModes();
  if (given.length > 1) {
    throw unfit(
      `A council has one mode; given ${given.map((mode) => `--mode ${mode.slice(0, 60)}`).join(' and ')}.`,
      'Leave all but one of them out.',
    );
  }
  const mode = findMode(modes, given[0] ?? defaultMode);
  if (mode === undefined) throw unknownMode(given[0]!, modes);
  return mode;
}
