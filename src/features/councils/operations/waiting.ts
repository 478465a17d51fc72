/** What of the councils waits for the person: questions, halts, session files that cannot be read. */
import { listProjects } from '../../../kernel/projects/projects.ts';
import { type InboxAction, problemItem, type WaitingItem } from '../../inbox/contract.ts';
import type { CouncilsContext } from '../context.ts';
import { type Asked, councilKind, type CouncilSession } from '../contract.ts';
import { keyOf, type CouncilRef } from '../store/place.ts';
import { askedOf } from './asked.ts';
import { ownOnes, readProject } from './reading.ts';

export async function waitingCouncils(ctx: CouncilsContext): Promise<WaitingItem[]> {
  const items: WaitingItem[] = [];
  for (const project of listProjects(ctx)) {
    const { sessions, problems } = await readProject(ctx, project);
    const waiting = sessions.filter(({ ref, session }) => itemsOf(ctx, ref, session).length > 0);
    for (const { ref, session } of await ownOnes(ctx, waiting)) items.push(...itemsOf(ctx, ref, session));
    items.push(
      ...problems.map(({ file, message }) =>
        problemItem({
          project: project.name,
          subject: { kind: councilKind, id: file, title: file },
          title: 'The session file of a council cannot be read',
          detail: message,
          actions: [],
        }),
      ),
    );
  }
  return items;
}

function itemsOf(ctx: CouncilsContext, ref: CouncilRef, session: CouncilSession): readonly WaitingItem[] {
  const { status, setup } = session;
  const isUnwritten = ctx.liveCouncils.get(keyOf(ref))?.trouble !== undefined;
  if (status === 'halted' || session.trouble !== null) return [haltedItem(ref, session, isUnwritten)];
  const asked = status === 'asking' && !setup.yes ? askedOf(session) : null;
  return asked === null ? [] : [questionItem(ref, session, asked)];
}

function questionItem(ref: CouncilRef, session: CouncilSession, asked: Asked): WaitingItem {
  const { question, header, text, notes, shown } = asked;
  const name = question.kind === 'yield' ? question.at : question.kind === 'pin' ? question.pin : question.draft;
  return {
    id: `${question.kind === 'review' ? 'review' : 'yield'}.${ref.project.name}.${ref.id}`,
    kind: question.kind === 'review' ? 'review' : 'yield',
    project: ref.project.name,
    subject: subjectOf(session),
    title: header,
    detail: [text, ...notes, ...(shown === null ? [] : [`\n${shown}`])].join('\n\n'),
    since: question.kind === 'yield' ? session.lastYieldEmittedAt : session.lastCheckpointAt || setupTime(session),
    actions: actionsOf(ref, asked, name),
  };
}

function setupTime({ setup }: CouncilSession): string {
  return setup.startedAt;
}

function actionsOf(ref: CouncilRef, { question, options }: Asked, name: string): InboxAction[] {
  const actions = options.map(({ answer, label }) => {
    const input = inputOf(ref, answer, name);
    if (answer === 'edit')
      return { ...action(answer, label, input), asks: 'text' as const, field: 'text', required: true };
    return answer === 'abort'
      ? { ...action(answer, label, input), asks: 'confirm' as const, warning: abortWarning }
      : action(answer, label, input);
  });
  if (question.kind !== 'yield') return actions;
  const said = {
    ...action('answer', 'Interject', inputOf(ref, 'interject', name)),
    asks: 'text' as const,
    field: 'text',
    required: true,
  };
  return [...actions, said];
}

const abortWarning = 'Nothing is drafted or saved; what was said stays readable, and the council cannot be resumed.';

function inputOf(ref: CouncilRef, answer: string, question: string): Record<string, unknown> {
  return { project: ref.project.name, id: ref.id, answer, question };
}

function action(verb: string, label: string, input: Record<string, unknown>): InboxAction {
  return {
    verb,
    label,
    operation: 'council.answer',
    input,
    asks: 'nothing',
    field: null,
    required: false,
    warning: null,
  };
}

function haltedItem(ref: CouncilRef, session: CouncilSession, isUnwritten: boolean): WaitingItem {
  const { halt, trouble } = session;
  const stopped = isUnwritten ? 'A council cannot be written down' : 'A council was stopped';
  const title = halt === null ? stopped : 'A council was halted';
  const input = { project: ref.project.name, id: ref.id, continue: true };
  const resume = { ...action('retry', 'Go on', input), operation: 'council.resume' };
  return {
    id: `halt.${ref.project.name}.${ref.id}`,
    kind: 'problem',
    project: ref.project.name,
    subject: subjectOf(session),
    title,
    detail: halt?.line ?? trouble ?? '',
    since: null,
    actions: [resume],
  };
}

function subjectOf({ sessionId, charter }: CouncilSession): WaitingItem['subject'] {
  const [first = ''] = charter.trim().split('\n');
  return { kind: councilKind, id: sessionId, title: first.slice(0, 120) };
}
