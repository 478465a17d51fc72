/** The doctor's round, and the settings as they are in force. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import type { Problem } from '../../kernel/artifacts/parse.ts';
import type { GitContext } from '../../kernel/git/run.ts';
import type { HallConfig } from '../../kernel/projects/config.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import { checkAgent, checkDisk, checkGit, checkHome, checkIdentity, checkNode, checkToken } from './checks.ts';
import {
  configCheck,
  configShow,
  doctor,
  type ConfigChecked,
  type ConfigShown,
  type DoctorCheck,
  type DoctorReport,
} from './contract.ts';

export type DoctorContext = GitContext & {
  readonly home: HomePaths;
  /** Reads config.yaml as it is on disk now. */
  readonly readSettings: () => Promise<{ config: HallConfig; problems: readonly Problem[] }>;
  /** The model that answers now. */
  readonly describeModel: () => Promise<{ label: string; isRehearsal: boolean }>;
  /** Path of the agent's program on this machine; undefined when it is not installed. */
  readonly agentProgram: () => string | undefined;
  /** Address of the hall that runs on this home. */
  readonly hallUrl: () => Promise<string | undefined>;
  /** What stands in the way of a registered project; empty when all is well. */
  readonly projectProblems: () => Promise<readonly { name: string; problems: readonly string[] }[]>;
};

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
  ]);
  const checks = [...found, ...(await configFindings(ctx)), await modelFinding(ctx), ...(await projectFindings(ctx))];
  checks.push(await hallFinding(ctx));
  return { healthy: checks.every(({ state }) => state !== 'bad'), checks };
}

async function named(name: string, finding: Promise<Omit<DoctorCheck, 'name'>>): Promise<DoctorCheck> {
  return { name, ...(await finding) };
}

async function configFindings(ctx: DoctorContext): Promise<DoctorCheck[]> {
  const { problems } = await ctx.readSettings();
  if (problems.length === 0) {
    return [{ name: 'config', state: 'good', found: `${ctx.home.config} can be read.`, hint: '' }];
  }
  return problems.map(({ file, line, column, message }) => ({
    name: 'config',
    state: 'bad',
    found: `${file}:${line}:${column}: ${message}`,
    hint: `Mend that line of ${ctx.home.config}; the rest is in force.`,
  }));
}

async function modelFinding(ctx: DoctorContext): Promise<DoctorCheck> {
  const { label, isRehearsal } = await ctx.describeModel();
  if (!isRehearsal) return { name: 'model', state: 'good', found: `Agents talk to ${label}.`, hint: '' };
  return {
    name: 'model',
    state: 'note',
    found: 'No model is configured; the rehearsal answers from the project itself.',
    hint: `Add one under \`models\` in ${ctx.home.config}.`,
  };
}

async function projectFindings(ctx: DoctorContext): Promise<DoctorCheck[]> {
  const projects = await ctx.projectProblems();
  return projects.flatMap(({ name, problems }): DoctorCheck[] =>
    problems.length === 0
      ? [{ name: `project ${name}`, state: 'good', found: 'Ready.', hint: '' }]
      : problems.map((found) => ({ name: `project ${name}`, state: 'bad', found, hint: 'guild-hall project list' })),
  );
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
  return { file: ctx.home.config, problems: [...(await ctx.readSettings()).problems] };
}

/** Values of fields named `key` or `token`, at any depth, are shown as kept back. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => {
      const isSecret = /^(key|token|password)$/i.test(name) && typeof each === 'string';
      return [name, isSecret ? '[kept back]' : withoutSecrets(each)];
    }),
  );
}

/** The home, or the nearest folder above it that exists. */
function existingFolder(path: string): string {
  let folder = path;
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
