/** The facilitator's one tool: what it hands in, checked and made whole. */
import { z } from 'zod';
import { defineTool, type Tool } from '../../../kernel/agents/tools.ts';
import { actionItemTypeSchema, type CouncilDrafts } from '../contract.ts';
import type { TurnsContext } from './context.ts';
import { draftFromMinutes } from './engine-drafts.ts';
import type { Minutes } from './minutes.ts';
import { plainText } from './speech.ts';

const line = z.string().trim().max(1_000);
const lines = z.array(line).max(60).default([]);
const text = z.string().trim().max(20_000);

const shape = {
  actionItems: z
    .array(
      z.object({
        type: actionItemTypeSchema,
        priority: line.default('normal'),
        assignee: line.default('unassigned'),
        contextForTarget: text.min(1).describe('what is to be done and why'),
        acceptance: text.min(1).describe('how it is seen that it is done'),
        pins: z.array(z.string().max(12)).max(20).default([]),
      }),
    )
    .max(60),
  memory: z
    .array(z.object({ agent: line, tags: lines, decided: lines, constraints: lines, tracking: lines, sources: lines }))
    .max(40),
  notes: z.object({
    summary: text.min(1),
    sections: z.record(z.string().max(200), text).describe('title of a section: its text, in Markdown'),
    openQuestions: lines,
    minority: text.default(''),
  }),
};
type Submission = z.infer<z.ZodObject<typeof shape>>;

export interface Submitted {
  drafts: CouncilDrafts | undefined;
}

export const submitName = 'submit_drafts';

export function createSubmitTool(ctx: Pick<TurnsContext, 'scrub'>, minutes: Minutes, submitted: Submitted): Tool {
  return defineTool({
    name: submitName,
    description:
      'Hands in all drafts at once: action items, one memory entry for each agent that took part, the notes. Called again it replaces what was handed in.',
    input: shape,
    run: async (input) => {
      const unknown = input.memory.map(({ agent }) => agent).filter((agent) => !minutes.agents.includes(agent));
      if (unknown.length > 0) {
        return {
          text: `Nobody of that name took part: ${unknown.join(', ')}. Agents: ${minutes.agents.join(', ')}.`,
          isError: true,
        };
      }
      submitted.drafts = await scrubbed(ctx, completed(input, minutes));
      return { text: 'The drafts are handed in. There is nothing more to do.' };
    },
  });
}

/** Every agent that took part has its entry, every section of the notes its text; pins that are not there are left out. */
function completed({ actionItems, memory, notes }: Submission, minutes: Minutes): CouncilDrafts {
  const own = draftFromMinutes(minutes);
  const pins = new Set(minutes.pins.map(({ id }) => id));
  return {
    actionItems: actionItems.map((item, at) => ({
      ...item,
      id: `draft-${at + 1}`,
      pins: item.pins.filter((pin) => pins.has(pin)),
    })),
    memory: own.memory.map((entry) => memory.find(({ agent }) => agent === entry.agent) ?? entry),
    notes: { ...notes, sections: sectionsOf(notes.sections, minutes.sections) },
    by: 'facilitator',
  };
}

/** In the order and under the titles of the template; what has another title stands behind them. */
function sectionsOf(given: Readonly<Record<string, string>>, titles: readonly string[]): Record<string, string> {
  const rest = new Map(Object.entries(given));
  const ordered = titles.map((title) => {
    const key = [...rest.keys()].find((each) => each.trim().toLowerCase() === title.toLowerCase());
    const own = key === undefined ? '' : rest.get(key)!;
    if (key !== undefined) rest.delete(key);
    return [title, own] as const;
  });
  return Object.fromEntries([...ordered, ...[...rest].filter(([, words]) => words !== '').slice(0, 10)]);
}

async function scrubbed(ctx: Pick<TurnsContext, 'scrub'>, drafts: CouncilDrafts): Promise<CouncilDrafts> {
  const words = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return ctx.scrub(plainText(value));
    if (Array.isArray(value)) return Promise.all(value.map(words));
    if (typeof value !== 'object' || value === null) return value;
    const fields = await Promise.all(
      Object.entries(value).map(async ([key, each]) => [await ctx.scrub(plainText(key)), await words(each)] as const),
    );
    return Object.fromEntries(fields);
  };
  // Only strings change, and they stay strings.
  return (await words(drafts)) as CouncilDrafts;
}
