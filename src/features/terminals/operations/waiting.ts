/** Terminals in the lists of the hall: what runs, what waits for the person. */
import type { RunningActivity, RunningState } from '../../overview/contract.ts';
import type { InboxAction, WaitingItem } from '../../inbox/contract.ts';
import type { TerminalsFeatureContext } from '../context.ts';
import { type TerminalView, terminalKind } from '../contract.ts';
import { choicesIn } from '../rules.ts';
import type { TerminalRecord } from '../store.ts';
import { shownScreenOf, viewOf, visibleOf } from './reading.ts';

export function livingIn({ desk }: TerminalsFeatureContext, project?: string): TerminalRecord[] {
  const all = [...desk.records.values()].filter(({ end }) => end === null);
  return project === undefined ? all : all.filter((record) => record.project === project);
}

const dayMs = 86_400_000;
/** Of a question, in a title. UTF-16 units. */
const longestTitle = 120;

/** Those outside of every project are in no project's overview. */
export function runningTerminals(ctx: TerminalsFeatureContext, project?: string): RunningActivity[] {
  const nowMs = ctx.clock.nowMs();
  return livingIn(ctx, project).flatMap((record) => {
    const view = viewOf(ctx, record);
    if (view.project === null) return [];
    const { id, name: title, entry, command, since } = view;
    const worker = entry ?? command[0] ?? '';
    return [{ kind: terminalKind, id, title, project: view.project, worker, state: stateOf(view, nowMs), since }];
  });
}

function stateOf({ status, since }: TerminalView, nowMs: number): RunningState {
  if (status === 'starting') return 'opening';
  if (status === 'busy') return 'answering';
  return nowMs - Date.parse(since) > dayMs ? 'idle' : 'waiting';
}

/** Dialogs: until one is answered, nothing reaches the program. */
export async function waitingTerminals(ctx: TerminalsFeatureContext): Promise<WaitingItem[]> {
  const asking = livingIn(ctx).map((record) => viewOf(ctx, record));
  return await Promise.all(
    asking.filter(({ status }) => status === 'dialog').map(async (view) => await itemOf(ctx, view)),
  );
}

async function itemOf(ctx: TerminalsFeatureContext, view: TerminalView): Promise<WaitingItem> {
  const { id, name, project, since, question } = view;
  const shown = shownScreenOf(ctx, id);
  const choices = shown === undefined ? [] : choicesIn(visibleOf(shown));
  const asked = question ?? '';
  const options = choices.map(({ key, label }) => `${key}. ${label}`);
  const detail = await ctx.scrub([asked, ...options].join('\n'));
  return {
    id: `approval.${project ?? 'hall'}.${id}`,
    kind: 'approval',
    project,
    subject: { kind: terminalKind, id, title: name },
    title: asked.trim() === '' ? `${name} asks in its terminal` : `${name} asks in its terminal: ${firstLineOf(asked)}`,
    // As it stands on the screen: no Markdown of anybody.
    detail: detail.trim() === '' ? '' : `\`\`\`\n${detail.replaceAll('```', "'''")}\n\`\`\``,
    since,
    actions: [
      ...choices.map(({ key, label }) =>
        action(key, `${key}. ${label}`, 'terminal.type', {
          id,
          text: key,
          choice: label,
          ...(asked === '' ? {} : { question: asked }),
        }),
      ),
      action('show', 'See its screen', 'terminal.show', { id }),
    ],
  };
}

function firstLineOf(text: string): string {
  const line = text.trim().split('\n')[0]!.trim();
  return line.length <= longestTitle ? line : `${line.slice(0, longestTitle - 1)}…`;
}

function action(verb: string, label: string, operation: string, input: Record<string, unknown>): InboxAction {
  return { verb, label, operation, input, asks: 'nothing', field: null, required: false, warning: null };
}
