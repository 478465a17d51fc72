/** The doctor's round, and the settings as they are in force. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import type { Problem } from '../../kernel/artifacts/parse.ts';
import type { SandboxState } from '../../kernel/agents/sandbox/contract.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import type { HallConfig } from '../../kernel/projects/config.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import type { WorkerCatalogue } from '../../kernel/workers/contract.ts';
import {
  checkAgent,
  checkDisk,
  checkGit,
  checkHome,
  checkIdentity,
  checkNode,
  checkSandbox,
  checkTerminals,
  checkToken,
} from './checks.ts';
import {
  configCheck,
  configShow,
  doctor,
  type ConfigChecked,
  type ConfigShown,
  type DoctorCheck,
  type DoctorReport,
} from './contract.ts';
import { checkModels, checkWorkers } from './setup-checks.ts';

/** What config.yaml says, and what counts because of it. */
export interface Settings {
  /** The settings in force. */
  readonly config: HallConfig;
  readonly problems: readonly Problem[];
  /** `broken`: nothing of the file could be read, and `instead` counts. */
  readonly file: 'missing' | 'broken' | 'read';
  /** What counts where the file says nothing: a running hall keeps the last good settings. */
  readonly instead: 'the defaults' | 'the last good settings';
}

export type DoctorContext = GitContext & {
  readonly home: HomePaths;
  /** Reads config.yaml as it is on disk now. */
  readonly readSettings: () => Promise<Settings>;
  /** The packages of workers as they are on disk now. */
  readonly catalogue: () => Promise<WorkerCatalogue>;
  /** The model that answers now. */
  readonly describeModel: () => Promise<{ label: string; isRehearsal: boolean }>;
  /** Path of the agent's program on this machine; undefined when it is not installed. */
  readonly agentProgram: () => string | undefined;
  /** What agents would run in, by the machine as it is now and the settings. */
  readonly sandbox: () => Promise<SandboxState>;
  /** Address of the hall that runs on this home. */
  readonly hallUrl: () => Promise<string | undefined>;
  /** What stands in the way of a registered project; empty when all is well. */
  readonly projectProblems: () => Promise<readonly { name: string; problems: readonly ProjectProblem[] }[]>;
};

/** In a sentence, or with what to do about it. */
type ProjectProblem = string | { readonly found: string; readonly hint: string };

export function bindDoctor(ctx: DoctorContext): BoundOperation[] {
  return [
    bindOperation(doctor, () => examine(ctx)),
    bindOperation(configShow, () => showConfig(ctx)),
    bindOperation(configCheck, () => checkConfig(ctx)),
  ];
}

export async function examine(ctx: DoctorContext): Promise<DoctorReport> {
  const folder = existingFolder(ctx.home.root);
  const found = await Promise.all([
    named('node', Promise.resolve(checkNode(process.versions.node))),
    named('git', checkGit(ctx, folder)),
    named('git identity', checkIdentity(ctx, folder)),
    named('agent', checkAgent(ctx.agentProgram())),
    named('home', checkHome(ctx.home)),
    named('token', checkToken(ctx.home)),
    named('disk', checkDisk(folder)),
    named('tmux', checkTerminals(ctx)),
  ]);
  const settings = await ctx.readSettings();
  const checks = [
    ...found,
    await named('sandbox', sandboxFinding(ctx, settings)),
    ...configFindings(ctx, settings),
    ...(await modelFindings(ctx, settings)),
    ...checkWorkers(await ctx.catalogue(), settings.config),
    ...(await projectFindings(ctx)),
    await hallFinding(ctx),
  ];
  return { healthy: checks.every(({ state }) => state !== 'bad'), checks };
}

async function sandboxFinding(ctx: DoctorContext, { config }: Settings): Promise<Omit<DoctorCheck, 'name'>> {
  return checkSandbox(await ctx.sandbox(), config.sandbox.mode === 'required');
}

async function named(name: string, finding: Promise<Omit<DoctorCheck, 'name'>>): Promise<DoctorCheck> {
  return { name, ...(await finding) };
}

function configFindings({ home }: DoctorContext, { problems, file, instead }: Settings): DoctorCheck[] {
  if (problems.length === 0) {
    const found = file === 'missing' ? `There is no ${home.config}; the defaults hold.` : `${home.config} can be read.`;
    return [{ name: 'config', state: 'good', found, hint: '' }];
  }
  const hint =
    file === 'broken'
      ? `Mend ${home.config}; until then ${instead} are in force.`
      : `Mend that line of ${home.config}; the rest is in force.`;
  return problems.map(({ file: path, line, column, message }) => ({
    name: 'config',
    state: 'bad',
    found: `${path}:${line}:${column}: ${message}`,
    hint,
  }));
}

async function modelFindings(ctx: DoctorContext, { config }: Settings): Promise<DoctorCheck[]> {
  const { label, isRehearsal } = await ctx.describeModel();
  const wrong = await checkModels(ctx.home, config);
  if (!isRehearsal) return [{ name: 'model', state: 'good', found: `Agents talk to ${label}.`, hint: '' }, ...wrong];
  const isChosen = config.model === 'rehearsal' && config.models.length > 0;
  const rehearsing: DoctorCheck = {
    name: 'model',
    state: 'note',
    found: isChosen
      ? 'config.yaml names the rehearsal; it answers from the project itself.'
      : 'No model is configured; the rehearsal answers from the project itself.',
    hint: isChosen
      ? `Name another \`model\` in ${ctx.home.config} to have one answer.`
      : `Add one under \`models\` in ${ctx.home.config}.`,
  };
  return [rehearsing, ...wrong];
}

async function projectFindings(ctx: DoctorContext): Promise<DoctorCheck[]> {
  const projects = await ctx.projectProblems();
  return projects.flatMap(({ name, problems }): DoctorCheck[] =>
    problems.length === 0
      ? [{ name: `project ${name}`, state: 'good', found: 'Ready.', hint: '' }]
      : problems.map((problem) => ({ name: `project ${name}`, state: 'bad', ...findingOf(problem) })),
  );
}

function findingOf(problem: ProjectProblem): { found: string; hint: string } {
  return typeof problem === 'string' ? { found: problem, hint: 'guild-hall project list' } : problem;
}

async function hallFinding(ctx: DoctorContext): Promise<DoctorCheck> {
  const url = await ctx.hallUrl();
  if (url !== undefined) return { name: 'hall', state: 'good', found: `It runs at ${url}.`, hint: '' };
  return { name: 'hall', state: 'note', found: 'No hall is running on this home.', hint: 'guild-hall up --detach' };
}

export async function showConfig(ctx: DoctorContext): Promise<ConfigShown> {
  const { config, problems } = await ctx.readSettings();
  const shown = withoutSecrets(config) as Record<string, unknown>;
  return { file: ctx.home.config, config: shown, problems: [...problems] };
}

export async function checkConfig(ctx: DoctorContext): Promise<ConfigChecked> {
  const { file, problems } = await ctx.readSettings();
  return { file: ctx.home.config, exists: file !== 'missing', problems: [...problems] };
}

/** Values of fields named `key` or `token`, at any depth, and of all below `env`, are shown as kept back. */
function withoutSecrets(value: unknown, isBelowEnv = false): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, isBelowEnv));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isSecret = typeof each === 'string' && (isBelowEnv || /^(key|token|password)$/i.test(name));
      return [name, isSecret ? '[kept back]' : withoutSecrets(each, isBelowEnv || name === 'env')];
    }),
  );
}

/** The home, or the nearest folder above it that exists. */
function existingFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
