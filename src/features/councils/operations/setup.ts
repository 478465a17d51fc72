/** From how a council was called to how it is set up: the charter first of all, then mode, invitees, seats. */
import { readUserName } from '../../../kernel/git/repository.ts';
import type { Project } from '../../../kernel/projects/projects.ts';
import { nearestOf } from '../../../kernel/pure/nearest.ts';
import type { WorkerCatalogue, WorkerPackage } from '../../../kernel/workers/contract.ts';
import { findByIdentity, listIdentities } from '../../../kernel/workers/identities.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilSetup, Invitee } from '../contract.ts';
import { readModes } from '../knowledge.ts';
import { settleCadence } from '../rules/cadence.ts';
import { judgeCharter } from '../rules/charter.ts';
import { parseNames, resolveInvitees, type ResolvedInvitees } from '../rules/invitees.ts';
import { defaultMode, findMode, type Mode } from '../rules/modes.ts';
import { chooseUserName, isUserToken, userNameAdvice } from '../rules/user-name.ts';
import { readMeetingSettings } from '../store/settings.ts';
import { blocked, malformed, refused, unknownMode } from './refusals.ts';

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
  /** The person has a seat. */
  readonly attendance: boolean;
  /** Whole lines, to be told before INVITE. */
  readonly warnings: readonly string[];
  /** Where its agents read and its files are written. Absolute. */
  readonly root: string;
}

/** How long a discussion is where nobody says. Rounds. */
const usualRounds = 2;
const auto = 'auto';

/**
 * Writes nothing.
 * @throws HallError whose `details.exit` is that of the contract: no charter, two modes, an unknown mode or invitee, too
 *   few speakers
 */
export async function prepareCouncil(ctx: CouncilsContext, project: Project, calling: Calling): Promise<Prepared> {
  const judged = judgeCharter(calling.charter);
  if (!judged.ok) throw blocked(judged.explanation);
  const mode = await requireMode(calling.mode);
  const root = calling.inPlace ? project.path : project.integrationWorktree;
  const settings = await readMeetingSettings(project.path);
  const userName = chooseUserName(settings.userName, await readUserName(ctx, project.path)) ?? null;
  const cadence = settleCadence(settings.cadence);
  const catalogue = await ctx.catalogue();
  const given = calling.invitees.flatMap(parseNames);
  const isProposed = given.includes(auto);
  const wanted = isProposed ? proposeInvitees(catalogue, calling.charter ?? '', given) : given;
  const resolved = resolveInvitees({
    mode,
    given: wanted,
    installed: listIdentities(catalogue),
    override: calling.inviteesOverride,
    userName,
    // Who answers everything beforehand is not there to be asked.
    canAsk: !calling.yes,
  });
  const invitees = seatsOf(catalogue, resolved, userName);
  requireSpeakers(catalogue, invitees, given, mode);
  const warnings = [
    ...settings.warnings,
    ...(cadence.warning === undefined ? [] : [cadence.warning]),
    ...(judged.warning === undefined ? [] : [judged.warning]),
    ...resolved.warnings,
  ];
  const startedAt = ctx.clock.nowIso();
  const agents = invitees.filter(({ worker }) => worker !== null).length;
  return {
    charter: calling.charter ?? '',
    setup: {
      mode: resolved.mode,
      bias: resolved.bias,
      invitees,
      inviteesOverride: resolved.override,
      defaultInviteesResolved: [...resolved.defaultsResolved],
      missingInvitees: [...resolved.missing],
      noWeb: !calling.web,
      skipResearch: calling.skipResearch,
      turns: calling.turns ?? usualRounds * agents,
      maxTurns: calling.maxTurns,
      perAgentCap: calling.perAgentCap,
      yes: calling.yes,
      inPlace: calling.inPlace ? project.path : null,
      userName,
      date: startedAt.slice(0, 10),
      startedAt,
    },
    cadence: cadence.cadence,
    attendance: resolved.attendance,
    warnings,
    root,
  };
}

async function requireMode(given: readonly string[]): Promise<Mode> {
  const modes = await readModes();
  if (given.length > 1) {
    throw refused(
      `A council has one mode; given ${given.map((mode) => `--mode ${mode.slice(0, 60)}`).join(' and ')}.`,
      'Leave all but one of them out.',
    );
  }
  const mode = findMode(modes, given[0] ?? defaultMode);
  if (mode === undefined) throw unknownMode(given[0]!, modes);
  return mode;
}

/** In order; the same worker, or the person, sits once. */
function seatsOf(catalogue: WorkerCatalogue, { resolved }: ResolvedInvitees, userName: string | null): Invitee[] {
  const seats: Invitee[] = [];
  for (const name of resolved) {
    if (isUserToken(name, userName)) {
      if (userName === null)
        throw refused('It is not known what you are called, so you cannot be given a seat.', userNameAdvice);
      seats.push({ name, role: 'attendee', worker: null });
      continue;
    }
    const worker = requireWorker(catalogue, name);
    if (!seats.some((seat) => seat.worker === worker.name)) {
      seats.push({ name, role: worker.identity.displayTitle, worker: worker.name });
    }
  }
  return seats;
}

function requireWorker(catalogue: WorkerCatalogue, name: string): WorkerPackage {
  const found = findByIdentity(catalogue, name);
  if (found !== undefined) return found;
  const names = namesFor(catalogue);
  const near = nearestOf(name, names);
  throw malformed(
    `Nobody named ${JSON.stringify(name.slice(0, 60))} is installed; there are ${names.join(', ')}.`,
    `${near === undefined ? '' : `Did you mean ${near}? `}See: guild-hall worker list --councillors`,
  );
}

function requireSpeakers(
  catalogue: WorkerCatalogue,
  invitees: readonly Invitee[],
  given: readonly string[],
  mode: Mode,
) {
  const agents = invitees.filter(({ worker }) => worker !== null);
  if (agents.length >= 1 && invitees.length >= 2) return;
  const names = namesFor(catalogue).join(', ');
  const hint = `Name them: --invitees <A,B>, or let somebody propose them: --invitees ${auto}`;
  if (given.length === 0)
    throw refused(
      `The mode ${mode.name} brings no councillors of its own, and nobody was invited; there are ${names}.`,
      hint,
    );
  const who = agents.length === 0 ? 'nobody but you' : `only ${agents[0]!.name}`;
  throw refused(`A council needs two speakers, and ${who} is invited; there are ${names}.`, hint);
}

/** Councillors first: they are made for it. */
function namesFor(catalogue: WorkerCatalogue): string[] {
  const all = [...catalogue.workers.values()];
  return [...all.filter(({ councillor }) => councillor), ...all.filter(({ councillor }) => !councillor)].map(
    ({ identity }) => identity.name,
  );
}

const proposed = 3;

/** Those whose words are nearest to the charter's. Shown at the first yield, where the person may still say no. */
export function proposeInvitees(catalogue: WorkerCatalogue, charter: string, given: readonly string[]): string[] {
  const words = new Set(wordsOf(charter));
  const named = given.filter((name) => name !== auto);
  const candidates = [...catalogue.workers.values()]
    .filter(({ councillor }) => councillor === true)
    .map(({ identity, posture }) => ({
      name: identity.name,
      near: nearness(words, `${identity.displayTitle} ${identity.description}`) * 3 + nearness(words, posture),
    }))
    .filter(({ name }) => !named.includes(name))
    .toSorted((a, b) => b.near - a.near || a.name.localeCompare(b.name));
  return [...named, ...candidates.slice(0, Math.max(0, proposed - named.length)).map(({ name }) => name)];
}

function nearness(words: ReadonlySet<string>, text: string): number {
  return new Set(wordsOf(text).filter((word) => words.has(word))).size;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{4,}/gu) ?? [];
}
