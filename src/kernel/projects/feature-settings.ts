/**
 * What a person sets of single features. The file has one description, so that every setting is read, refused and listed
 * in the same way; the features' words stand in this module alone of the kernel (docs/decisions/0012-settings.md).
 */
import { z } from 'zod';
import type { Shape } from './shape.ts';
import { line, wholeNumber, yesOrNo } from './shapes.ts';

/** How commissions run. */
interface CommissionSettings {
  /** How many may run at once, set-up included: in one project, and over all. */
  readonly perProject: number;
  readonly global: number;
  /** So many finished ones that wait for the person make the queue wait; 0: never. */
  readonly reviewLimit: number;
  /** Silence after which a worker's process counts as hung. */
  readonly heartbeatSeconds: number;
  /** How long a cancelled process may take to end by itself. */
  readonly graceSeconds: number;
  /** `verify` of a project is run where there is no sandbox, too: with the rights of the hall, on what an agent wrote. */
  readonly verifyWithoutSandbox?: boolean;
  /** After a usage limit or an overload the hall dispatches again: how often, and the first wait; each next is twice as long. */
  readonly retry: { readonly attempts: number; readonly backoffSeconds: number };
}

/** Of one project's commissions. */
interface ProjectCommissionSettings {
  /** In place of `perProject`. */
  readonly limit?: number;
  /** What must succeed in the worktree before a finished commission is merged: a program and its arguments. No shell. */
  readonly verify?: readonly string[];
}

/** How long two terminals talk before the person is asked. */
interface ConversationSettings {
  /** Of each member. */
  readonly turns: number;
  /** With nobody at work. */
  readonly idleMinutes: number;
}

/** What the hall waits for in a gathering. */
interface GatheringSettings {
  /** A silent speaker's, after the closing question. */
  readonly graceSeconds: number;
  /** So many intervals more has a speaker who still works. */
  readonly extraBeats: number;
  /** The harvester's, at the close. */
  readonly harvestSeconds: number;
}

/** Programs in terminals. */
interface TerminalSettings {
  /** How many may live at once: all, and of them those that agents have started. */
  readonly limit: number;
  readonly agentLimit: number;
  /** By the name under which it is started: another program for a ready one, or one of the person's own. */
  readonly agents: Readonly<Record<string, TerminalAgentSettings>>;
}

interface TerminalAgentSettings {
  /** A program and what it is given before all else. */
  readonly command?: readonly [string, ...string[]];
  /** The ready one that it behaves like. */
  readonly like?: string;
  /** Names of variables of the hall's own environment that it gets. */
  readonly variables?: readonly string[];
}

/** Sessions with agents. */
interface SessionSettings {
  /** Of which agent a session is where nobody says so. */
  readonly default: string;
  /** Agents of the person's own that speak the Agent Client Protocol, by their names; a ready one is replaced. */
  readonly agents: Readonly<Record<string, SessionAgentSettings>>;
}

interface SessionAgentSettings {
  /** The program, by its name or its whole path; of a ready one what it is by itself where this is left out. */
  readonly command?: string;
  readonly args?: readonly string[];
  /** Variables of the environment that it gets, with their values. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables of the hall's own environment that it gets. */
  readonly variables?: readonly string[];
  /** What people read; else its name. */
  readonly title?: string;
}

export interface FeatureSettings {
  readonly commissions: CommissionSettings;
  readonly conversations: ConversationSettings;
  readonly gatherings: GatheringSettings;
  readonly terminals: TerminalSettings;
  readonly sessions: SessionSettings;
  readonly scratchpad: {
    /** A pin that becomes a file is written a second time without front matter, so that its own language can read it. */
    readonly cleanCopies: boolean;
  };
}

export interface ProjectFeatureSettings {
  readonly commissions?: ProjectCommissionSettings;
}

export const defaultFeatureSettings: FeatureSettings = {
  commissions: {
    perProject: 3,
    global: 10,
    reviewLimit: 0,
    heartbeatSeconds: 180,
    graceSeconds: 30,
    retry: { attempts: 0, backoffSeconds: 60 },
  },
  conversations: { turns: 8, idleMinutes: 10 },
  gatherings: { graceSeconds: 20, extraBeats: 2, harvestSeconds: 300 },
  terminals: { limit: 16, agentLimit: 8, agents: {} },
  sessions: { default: 'claude', agents: {} },
  scratchpad: { cleanCopies: false },
};

const commissions: Shape = {
  is: 'fields',
  fields: {
    perProject: wholeNumber(1, 100),
    global: wholeNumber(1, 1000),
    reviewLimit: wholeNumber(0, 1000),
    heartbeatSeconds: wholeNumber(1, 86_400, ' of seconds'),
    graceSeconds: wholeNumber(1, 3600, ' of seconds'),
    verifyWithoutSandbox: yesOrNo,
    retry: {
      is: 'fields',
      fields: { attempts: wholeNumber(0, 20), backoffSeconds: wholeNumber(1, 86_400, ' of seconds') },
    },
  },
};

const word = z
  .string()
  .max(1000)
  .regex(/^\P{Cc}*$/u);
const command: Shape = {
  is: 'value',
  schema: z.tuple([line], word).refine(({ length }) => length <= 100),
  expected: 'a program and its arguments as a list of words, like [npm, test]; no shell reads them',
};

const commissionsOfProject: Shape = {
  is: 'fields',
  fields: {
    limit: wholeNumber(1, 100),
    verify: command,
  },
};

const conversations: Shape = {
  is: 'fields',
  fields: { turns: wholeNumber(1, 1000), idleMinutes: wholeNumber(1, 1440, ' of minutes') },
};

const gatherings: Shape = {
  is: 'fields',
  fields: {
    graceSeconds: wholeNumber(1, 600, ' of seconds'),
    extraBeats: wholeNumber(0, 20),
    harvestSeconds: wholeNumber(5, 3600, ' of seconds'),
  },
};

const variables: Shape = {
  is: 'list',
  of: {
    is: 'value',
    schema: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/),
    expected: 'the name of a variable of the environment',
  },
};

const entryName = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/);
const terminals: Shape = {
  is: 'fields',
  fields: {
    limit: wholeNumber(1, 200),
    agentLimit: wholeNumber(0, 200),
    agents: {
      is: 'table',
      keys: entryName,
      expectedKeys: 'a name in lower-case letters, digits and hyphens',
      of: {
        is: 'fields',
        fields: {
          command,
          like: { is: 'value', schema: entryName, expected: 'the name of a ready one, like claude' },
          variables,
        },
      },
    },
  },
};

const sessions: Shape = {
  is: 'fields',
  fields: {
    default: { is: 'value', schema: entryName, expected: 'the name of an agent, like claude' },
    agents: {
      is: 'table',
      keys: entryName,
      expectedKeys: 'a name in lower-case letters, digits and hyphens',
      of: {
        is: 'fields',
        fields: {
          command: { is: 'value', schema: line, expected: 'a program, by its name or its whole path' },
          args: {
            is: 'value',
            schema: z.array(word).max(100),
            expected: 'a list of words, like [--acp]; no shell reads them',
          },
          env: {
            is: 'table',
            keys: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/),
            expectedKeys: 'the name of a variable of the environment',
            of: { is: 'value', schema: word, expected: 'a text', isSecret: true },
          },
          variables,
          title: { is: 'value', schema: line, expected: 'a name for people' },
        },
      },
    },
  },
};

const scratchpad: Shape = { is: 'fields', fields: { cleanCopies: yesOrNo } };

export const featureShapes: Readonly<Record<string, Shape>> = {
  commissions,
  conversations,
  gatherings,
  terminals,
  sessions,
  scratchpad,
};
export const projectFeatureShapes: Readonly<Record<string, Shape>> = { commissions: commissionsOfProject };

/** Defaults where nothing was said. */
export function settleFeatures(read: Partial<FeatureSettings>): FeatureSettings {
  const { commissions: before, conversations: talks, gatherings, terminals, scratchpad: pad } = defaultFeatureSettings;
  const { sessions: ofSessions } = defaultFeatureSettings;
  const after: Partial<CommissionSettings> = read.commissions ?? {};
  return {
    commissions: { ...before, ...after, retry: { ...before.retry, ...after.retry } },
    conversations: { ...talks, ...read.conversations },
    gatherings: { ...gatherings, ...read.gatherings },
    terminals: { ...terminals, ...read.terminals },
    sessions: { ...ofSessions, ...read.sessions },
    scratchpad: { ...pad, ...read.scratchpad },
  };
}
