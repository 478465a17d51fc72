/**
 * The tools of the worker that keeps the overview. Each calls an operation of the hall, the same that the person's doors
 * call; none opens a meeting, accepts, merges, publishes or speaks to a worker that runs.
 */
import { z } from 'zod';
import { defineTool, type Tool } from '../../kernel/agents/tools.ts';
import type { ActivityRef } from '../../kernel/pure/ids.ts';
import { commissionAnswerSchema, commissionDispatchedSchema, commissionViewSchema } from '../commissions/contract.ts';
import { printDispatched, printStanding, printView } from './printing.ts';

/** The way to the hall's operations, as the activity's own worker. */
export interface StewardDesk {
  /** @throws HallError as the operation refuses; `unavailable` where the hall is away */
  call(operation: string, input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const idField = z.string().min(1).max(200).describe('Id of the commission, or its last part');
const workerField = z.string().min(1).max(200).describe('Name of the worker, like researcher');
const pathField = z.string().min(1).max(1000);

export function createStewardToolbox(desk: StewardDesk, { project }: ActivityRef): readonly Tool[] {
  const inProject: StewardDesk = { call: (operation, input) => desk.call(operation, { project, ...input }) };
  return [
    seeTool(inProject),
    createTool(inProject),
    dispatchTool(inProject),
    cancelTool(inProject),
    meetingTool(inProject),
    proposeTool(inProject),
  ];
}

function seeTool(desk: StewardDesk): Tool {
  return defineTool({
    name: 'see_work',
    description:
      'See how the work of this project stands now: what runs with its latest progress, what is finished and waits for review, what failed and why, open questions of workers, conflicts, the queue. With an id: one commission, with its prompt, questions, result and timeline. Look before you say how something stands.',
    input: { id: idField.optional() },
    run: async ({ id }) => {
      if (id !== undefined)
        return { text: printView(commissionViewSchema.parse(await desk.call('commission.show', { id }))) };
      const { facts } = z.object({ facts: z.string() }).parse(await desk.call('briefing.show', { plain: true }));
      return { text: facts };
    },
  });
}

function createTool(desk: StewardDesk): Tool {
  return defineTool({
    name: 'create_commission',
    description:
      'Write down a commission: a piece of work that a worker does by itself, on a branch of its own. The prompt is all that the worker gets: the outcome, the material, the limits, the path of the result, and how the worker can check that the result is right (commands to run, statements that must hold). It does not start by itself unless dispatch is true.',
    input: {
      worker: workerField,
      title: z.string().min(1).max(200).describe('What it is called in lists'),
      prompt: z
        .string()
        .min(1)
        .max(200_000)
        .describe('The outcome, not the steps to it, and how the worker can check that it is there. Markdown.'),
      depends: z
        .array(pathField)
        .max(200)
        .optional()
        .describe('What has to be there first: paths of the project, or ids of commissions'),
      max_turns: z.int().min(1).max(10_000).optional().describe("Most turns, in place of the worker's own limit"),
      max_budget_usd: z.number().positive().max(10_000).optional().describe('Most it may cost, US dollars'),
      dispatch: z.boolean().optional().describe('Let it start as soon as there is room; false when left out'),
    },
    run: async ({ max_turns: maxTurns, max_budget_usd: maxBudgetUsd, ...rest }) => {
      const answer = await desk.call('commission.create', {
        ...rest,
        ...(maxTurns !== undefined && { maxTurns }),
        ...(maxBudgetUsd !== undefined && { maxBudgetUsd }),
      });
      return { text: `Created. ${printStanding(commissionAnswerSchema.parse(answer))}` };
    },
  });
}

function dispatchTool(desk: StewardDesk): Tool {
  return defineTool({
    name: 'dispatch_commission',
    description:
      'Let a commission start: at once where there is room, else as soon as there is. Refused while something that it depends on is not there, unless with_dependencies is true: then the commissions that it waits for start as well, over all levels, each when the one before it is merged.',
    input: {
      id: idField,
      with_dependencies: z.boolean().optional().describe('Let what it waits for start, too; false when left out'),
    },
    run: async ({ id, with_dependencies: withDependencies = false }) => {
      const given = await desk.call('commission.dispatch', { id, withDependencies });
      return { text: `Dispatched. ${printDispatched(commissionDispatchedSchema.parse(given))}` };
    },
  });
}

function cancelTool(desk: StewardDesk): Tool {
  return defineTool({
    name: 'cancel_commission',
    description: 'Stop a commission for good. What its worker wrote stays on its branch, not merged.',
    input: { id: idField, reason: z.string().min(1).max(2000).describe('Why; kept in the timeline, for the person') },
    run: async (input) => {
      const answer = commissionAnswerSchema.parse(await desk.call('commission.cancel', input));
      // Where a result was handed in before, that counts.
      const words = answer.status === 'completed' ? 'It had handed in its result.' : 'Cancelled.';
      return { text: `${words} ${printStanding(answer)}` };
    },
  });
}

function meetingTool(desk: StewardDesk): Tool {
  return defineTool({
    name: 'request_meeting',
    description:
      'Ask the person for a meeting with any worker, where a talk decides faster than a text: about an open question of a commission, say. It is only a request; the person accepts, declines or leaves it for later.',
    input: {
      worker: workerField.describe('Who the person is to meet'),
      agenda: z.string().min(1).max(20_000).describe('What it is about, and the decision that it should bring'),
      reason: z.string().max(5000).optional().describe('Why now'),
      artifacts: z.array(pathField).max(50).optional().describe('Artifacts to have at hand'),
      commission: idField.optional().describe('Commission that it is about; its open questions go into the agenda'),
    },
    run: async ({ commission, ...rest }) => {
      const about = commission === undefined ? undefined : await viewOf(desk, commission);
      const questions = about?.openQuestions.map(({ text }) => `- ${text}`).join('\n') ?? '';
      const asked =
        questions === '' ? '' : `\n\nOpen questions of the commission "${about!.commission.title}":\n${questions}`;
      const record = about === undefined ? [] : [about.commission.path];
      const given = await desk.call('meeting.request', {
        ...rest,
        agenda: `${rest.agenda}${asked}`,
        artifacts: [...new Set([...(rest.artifacts ?? []), ...record])],
      });
      const { id } = z.object({ id: z.string() }).parse(given);
      return { text: `Requested: meeting ${id}. The person finds it in the inbox and decides.` };
    },
  });
}

async function viewOf(desk: StewardDesk, id: string) {
  return commissionViewSchema.parse(await desk.call('commission.show', { id }));
}

function proposeTool(desk: StewardDesk): Tool {
  return defineTool({
    name: 'propose_pull_request',
    description:
      "Propose to deliver what the hall's workers made: the difference between the integration branch and the person's branch, as one commit on a branch of its own. Nothing is pushed or merged; the person decides in the inbox.",
    input: {
      title: z.string().min(1).max(200).describe('Title of the pull request'),
      text: z.string().max(60_000).describe('What it brings, how it was checked, what is open. Markdown.'),
    },
    run: async (input) => {
      const given = await desk.call('delivery.propose', input);
      const { id, branch } = z.object({ id: z.string(), branch: z.string() }).parse(given);
      return {
        text: `Proposed: ${id}, on the branch ${branch}. The person finds it in the inbox; nothing is pushed yet.`,
      };
    },
  });
}
