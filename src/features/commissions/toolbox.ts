/**
 * The tools of a worker in a commission, beside the base toolbox. None of them dispatches, cancels, merges or changes a
 * status, and none reaches another worker: a result is only registered, and the hall does the rest.
 */
import { z } from 'zod';
import { defineTool, type Tool } from '../../kernel/agents/tools.ts';

/** What the tools do in the process of the worker. Texts come as the worker gave them. */
export interface CommissionDesk {
  report(text: string): Promise<void>;
  /** @returns the id of the question */
  ask(text: string): Promise<string>;
  submit(summary: string, artifacts: readonly string[]): Promise<Submission>;
}

export type Submission =
  /** `missing`: of the paths that were given, those where nothing stands. */
  | { readonly outcome: 'kept'; readonly artifacts: readonly string[]; readonly missing: readonly string[] }
  | { readonly outcome: 'already' }
  /** `path` is none inside the project; nothing was kept. */
  | { readonly outcome: 'bad_path'; readonly path: string; readonly reason: string };

const pathField = z.string().min(1).max(500).describe('Path relative to the project, like .lore/notes/parser.md');

export function createCommissionToolbox(desk: CommissionDesk): readonly Tool[] {
  return [progressTool(desk), questionTool(desk), resultTool(desk)];
}

function progressTool(desk: CommissionDesk): Tool {
  return defineTool({
    name: 'report_progress',
    description:
      'Tell the person where the work stands, in one or two sentences. Use it at each step worth telling, and at least every few minutes in long work: it is also the sign that you are alive.',
    input: { summary: z.string().min(1).max(20_000).describe('What is done, what comes next, what stands in the way') },
    run: async ({ summary }) => {
      await desk.report(summary);
      return { text: 'Reported.' };
    },
  });
}

function questionTool(desk: CommissionDesk): Tool {
  return defineTool({
    name: 'log_question',
    description:
      'Record a question that only the person can answer, or a criterion of the order that you could not check. It stops nothing: go on with your best assumption and name it in the result. An answer, if one comes, stands at the end of a later tool answer.',
    input: { question: z.string().min(1).max(20_000).describe('The question, with what you assume meanwhile') },
    run: async ({ question }) => {
      const id = await desk.ask(question);
      return { text: `Recorded as ${id}. Do not wait for the answer; go on.` };
    },
  });
}

function resultTool(desk: CommissionDesk): Tool {
  return defineTool({
    name: 'submit_result',
    description:
      'Hand over the result of this commission, once, when the work is done. First check it against the criteria of the order, one by one, and call log_question for each that you could not check. It ends nothing by itself: finish your turn afterwards.',
    input: {
      summary: z
        .string()
        .min(1)
        .max(100_000)
        .describe('What was done, how it was checked, what is open or assumed. Markdown.'),
      artifacts: z.array(pathField).max(200).optional().describe('Paths of the files that you made or changed'),
    },
    run: async ({ summary, artifacts }) => {
      const submitted = await desk.submit(summary, artifacts ?? []);
      if (submitted.outcome === 'kept') return { text: printKept(submitted) };
      if (submitted.outcome === 'already') return { text: alreadySubmitted, isError: true };
      const { path, reason } = submitted;
      const text = `Nothing was submitted: ${JSON.stringify(path)} ${reason}. Give paths relative to the project and call again.`;
      return { text, isError: true };
    },
  });
}

const alreadySubmitted =
  'A result of this attempt was submitted before; it stands as it was, and this one was not taken. What you still write to files is kept with it.';

function printKept({ artifacts, missing }: Extract<Submission, { outcome: 'kept' }>): string {
  const listed = artifacts.length === 0 ? 'It lists no files.' : `It lists: ${artifacts.join(', ')}.`;
  const absent =
    missing.length === 0
      ? ''
      : ` Nothing stands at ${missing.join(', ')} yet; write what belongs there before you finish.`;
  return `The result is kept. ${listed}${absent} Finish your turn now; whatever you still write is kept too.`;
}
