/** The settings in `config.yaml`: what they are, what each may be, and what counts where nothing is said. */
import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { maxIdLength, type ProjectName, projectNameSchema } from '../pure/ids.ts';
import { expandTilde } from './home.ts';
import {
  defaultFeatureSettings,
  type FeatureSettings,
  featureShapes,
  type ProjectFeatureSettings,
  projectFeatureShapes,
} from './feature-settings.ts';
import type { Shape } from './shape.ts';
import { line, wholeNumber, yesOrNo } from './shapes.ts';

export interface ModelSettings {
  readonly name: string;
  readonly modelId: string;
  readonly baseUrl: string;
  /** The credential itself (`key`), or the name of a file in `state/secrets/` that holds it (`secret`). */
  readonly auth:
    | { readonly kind: 'none' }
    | { readonly kind: 'api-key' | 'setup-token'; readonly key?: string; readonly secret?: string };
  /** Tokens. */
  readonly contextWindow?: number;
}

export interface ProjectSettings extends ProjectFeatureSettings {
  readonly name: ProjectName;
  /** Absolute. */
  readonly path: string;
  /** Where it is not said, the hall's own default counts. */
  readonly integrationBranch?: string;
  /** The person's branch that a sync brings in; where it is not said, the one that is checked out. */
  readonly personBranch?: string;
  readonly caps?: Readonly<Record<string, number>>;
  readonly memoryBudgetTokens?: number;
  /** `extensions.worktreeConfig` stood in the repository before the hall came. */
  readonly sparseWasSet?: boolean;
}

export interface HallConfig extends FeatureSettings {
  readonly integrationBranch: string;
  /** Name of the model that is used where no other is named: one of `models`, or `rehearsal`. */
  readonly model?: string;
  readonly models: readonly ModelSettings[];
  /** 0: any free one. */
  readonly port: number;
  readonly memoryBudgetTokens: number;
  readonly keepTranscripts: boolean;
  readonly keepMergedBranches: boolean;
  /** `scenario`: absolute. */
  readonly rehearsal?: { readonly scenario?: string };
  readonly agents: {
    readonly maxColdStarts: number;
    readonly maxPrepared: number;
    readonly silenceSeconds: number;
    readonly maxRetries: number;
  };
  /** How many activities of a kind may be open in one project. */
  readonly caps: Readonly<Record<string, number>>;
  /** Of agents' programs. `required`: without one none is started. `readable`: absolute; shown to agents besides. */
  readonly sandbox: {
    readonly mode: 'auto' | 'required' | 'off';
    readonly network: 'full' | 'model-only';
    readonly readable: readonly string[];
  };
  readonly projects: readonly ProjectSettings[];
}

export const defaultConfig: HallConfig = {
  integrationBranch: 'claude/main',
  models: [],
  port: 4747,
  memoryBudgetTokens: 8000,
  keepTranscripts: false,
  keepMergedBranches: false,
  agents: { maxColdStarts: 2, maxPrepared: 3, silenceSeconds: 120, maxRetries: 2 },
  caps: {},
  ...defaultFeatureSettings,
  sandbox: { mode: 'auto', network: 'full', readable: [] },
  projects: [],
};

/** Of a kind of activity that `caps` does not name. */
export const defaultCap = 5;

/** git's own rules for a branch, and not `claude`, which would stand in the way of `claude/…`. */
const branchPattern = /^(?!claude$)(?![-/.])(?!.*(?:\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)))[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u;
const branch: Shape = {
  is: 'value',
  schema: z.string().max(maxIdLength).regex(branchPattern),
  expected: 'a name of a git branch other than `claude`, like claude/main',
};

const kind = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/);
const caps: Shape = {
  is: 'table',
  keys: kind,
  expectedKeys: 'a kind of activity in lower-case letters',
  of: wholeNumber(1, 100),
};

const auth: Shape = {
  is: 'value',
  schema: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z
      .strictObject({ kind: z.enum(['api-key', 'setup-token']), key: line.optional(), secret: kind.optional() })
      .refine(({ key, secret }) => (key === undefined) !== (secret === undefined)),
  ]),
  expected: '`kind: none`, or `kind: api-key` or `kind: setup-token` with either `key` or `secret`',
  isSecret: true,
};

const model: Shape = {
  is: 'fields',
  required: ['name', 'modelId', 'baseUrl', 'auth'],
  fields: {
    name: {
      is: 'value',
      schema: line.refine((name) => name !== 'rehearsal'),
      expected: 'a name of one line, other than `rehearsal`',
    },
    modelId: { is: 'value', schema: line, expected: "the provider's name of the model" },
    baseUrl: {
      is: 'value',
      schema: z.url({ protocol: /^https?$/, abort: true }).refine((url) => !/^[^/?#]*\/\/[^/?#]*@/.test(url)),
      expected: 'an address that begins with http:// or https:// and holds no password',
    },
    auth,
    contextWindow: wholeNumber(1000, 100_000_000, ' of tokens'),
  },
};

const wholePath = z
  .string()
  .transform((path) => expandTilde(path, homedir()))
  .refine((path) => isAbsolute(path) && !path.includes('\0'))
  .transform((path) => resolve(path));

const sandbox: Shape = {
  is: 'fields',
  fields: {
    mode: { is: 'value', schema: z.enum(['auto', 'required', 'off']), expected: 'auto, required or off' },
    network: { is: 'value', schema: z.enum(['full', 'model-only']), expected: 'full or model-only' },
    readable: {
      is: 'list',
      of: {
        is: 'value',
        schema: wholePath.refine((path) => path !== '/'),
        expected: 'the whole path of a folder, from / or ~/ on',
      },
    },
  },
};

const project: Shape = {
  is: 'fields',
  required: ['name', 'path'],
  fields: {
    name: { is: 'value', schema: projectNameSchema, expected: 'lower-case letters, digits and hyphens' },
    path: { is: 'value', schema: wholePath, expected: 'the whole path of a repository, from / or ~/ on' },
    integrationBranch: branch,
    personBranch: branch,
    caps,
    ...projectFeatureShapes,
    memoryBudgetTokens: wholeNumber(0, 1_000_000, ' of tokens'),
    sparseWasSet: yesOrNo,
  },
};

export const configShape: Shape = {
  is: 'fields',
  fields: {
    integrationBranch: branch,
    model: { is: 'value', schema: line, expected: 'the name of one of `models`, or `rehearsal`' },
    models: { is: 'list', of: model },
    port: wholeNumber(0, 65_535),
    memoryBudgetTokens: wholeNumber(0, 1_000_000, ' of tokens'),
    keepTranscripts: yesOrNo,
    keepMergedBranches: yesOrNo,
    rehearsal: {
      is: 'fields',
      fields: { scenario: { is: 'value', schema: line, expected: 'the path of a scenario file' } },
    },
    agents: {
      is: 'fields',
      fields: {
        maxColdStarts: wholeNumber(1, 32),
        maxPrepared: wholeNumber(0, 32),
        silenceSeconds: wholeNumber(5, 86_400, ' of seconds'),
        maxRetries: wholeNumber(0, 20),
      },
    },
    caps,
    ...featureShapes,
    sandbox,
    projects: { is: 'list', of: project },
  },
};
