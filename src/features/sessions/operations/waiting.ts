/** What of the sessions waits for the person, and what they are doing. */
import { type InboxAction, problemItem, type WaitingItem } from '../../inbox/contract.ts';
import type { RunningActivity } from '../../overview/contract.ts';
import type { KnownSession, SessionsContext } from '../context.ts';
import { type PermissionPart, sessionKind, type SessionState } from '../contract.ts';
import { openPermissionsOf, runningOf } from '../fold/reading.ts';
import { readKnown } from '../reactions/known.ts';

/** A session at which nobody has worked for so long is no longer among what runs. Milliseconds. */
const dayMs = 24 * 60 * 60 * 1000;

export async function waitingSessions(ctx: SessionsContext): Promise<WaitingItem[]> {
  await readKnown(ctx);
  const { known, open } = ctx.sessionDesk;
  return [...known.values()].flatMap((one) => {
    if (one.problem !== null) return [unreadableItem(one, one.problem)];
    const state = one.info.state === 'waiting' ? open.get(one.id)?.state : undefined;
    return state === undefined ? [] : openPermissionsOf(state).map((question) => questionItem(state, question));
  });
}

function unreadableItem({ id, head }: KnownSession, problem: string): WaitingItem {
  const project = head.project === '' ? null : head.project;
  const input = { ...(project === null ? {} : { project }), id };
  return problemItem({
    project,
    subject: { kind: sessionKind, id, title: id },
    title: `The log of session ${id} cannot be read`,
    detail: `${problem} Nothing of it is touched. Mend the line by hand, then restart the hall.`,
    actions: [
      {
        ...action('remove', 'Remove the session', 'session.remove', input),
        asks: 'confirm',
        warning: 'Its log and its images are removed for good. Files that its agent wrote in the project stay.',
      },
    ],
  });
}

const verbs: Readonly<Record<PermissionPart['options'][number]['kind'], string>> = {
  allow_once: 'approve',
  allow_always: 'approve-always',
  reject_once: 'deny',
  reject_always: 'deny-always',
};

function questionItem(state: SessionState, question: PermissionPart): WaitingItem {
  const { id, project, title } = state;
  const { requestId, options } = question;
  const taken = new Set<string>();
  return {
    id: `question.${project}.${id}.${requestId}`,
    kind: 'question',
    project,
    subject: { kind: sessionKind, id, title },
    title: `${state.agent} asks whether it may do something`,
    detail: detailOf(question),
    since: sinceOf(state),
    actions: options.map((option) => {
      // A second one of a kind is called by its own id.
      const verb = taken.has(option.kind) ? option.id : verbs[option.kind];
      taken.add(option.kind);
      return action(verb, option.name, 'session.answer', { project, id, request: requestId, option: option.id });
    }),
  };
}

function action(verb: string, label: string, operation: string, input: InboxAction['input']): InboxAction {
  return { verb, label, operation, input, asks: 'nothing', field: null, required: false, warning: null };
}

/** The agent's own words stand in fences: nothing in them is read as Markdown of the hall. */
function detailOf({ name, title, input, diffs }: PermissionPart): string {
  const files = diffs.map(({ path }) => `- \`${path.replaceAll('`', '')}\``);
  const words = diffs.length > 0 ? '' : fenced(JSON.stringify(input, null, 2));
  return [fenced(name === title ? name : `${name}: ${title}`), files.join('\n'), words]
    .filter((part) => part !== '')
    .join('\n\n');
}

function fenced(text: string): string {
  const short = text.length <= 2_000 ? text : `${text.slice(0, 2_000)}\n…`;
  const longest = Math.max(2, ...(short.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${short}\n${fence}`;
}

function sinceOf(state: SessionState): string {
  return runningOf(state)?.at ?? state.lastAt;
}

/** What runs, what waits for the person, and what was at work within a day. */
export async function runningSessions(ctx: SessionsContext, wanted?: string): Promise<RunningActivity[]> {
  await readKnown(ctx);
  const now = ctx.clock.nowMs();
  return [...ctx.sessionDesk.known.values()].flatMap(({ id, head, info }) => {
    if (wanted !== undefined && head.project !== wanted) return [];
    const isRecent = info.state === 'idle' && now - Date.parse(info.lastAt) < dayMs;
    if (info.state !== 'running' && info.state !== 'waiting' && !isRecent) return [];
    const state = info.state === 'running' ? ('answering' as const) : ('waiting' as const);
    const { title, agent: worker, lastAt: since } = info;
    return [{ kind: sessionKind, id, title, project: head.project, worker, state, since }];
  });
}

/** Those in which something runs, or waits for the person. */
export async function busySessions(ctx: SessionsContext, project?: string): Promise<string[]> {
  const running = await runningSessions(ctx, project);
  const { known } = ctx.sessionDesk;
  const isBusy = (id: string): boolean =>
    [...known.values()].some((one) => one.id === id && (one.info.state === 'running' || one.info.state === 'waiting'));
  return running.filter(({ id }) => isBusy(id)).map(({ id }) => `${sessionKind} ${id}`);
}
