/** What of the conversations waits for the person, and what runs. */
import { type InboxAction, problemItem, type WaitingItem } from '../../inbox/contract.ts';
import type { RunningActivity } from '../../overview/contract.ts';
import type { GatheringsContext, LiveConversation } from '../context.ts';
import { type Conversation, conversationKind } from '../contract.ts';
import { messagesOf } from '../reactions/live.ts';
import { calledAs, quoted, titleOf, whyPaused } from '../rules/words.ts';

export function waitingConversations(ctx: GatheringsContext): WaitingItem[] {
  const paused = [...ctx.conversations.live.values()].filter(({ record }) => record.pause !== null);
  const broken = [...ctx.conversations.problems].map(([id, detail]) =>
    problemItem({
      project: null,
      subject: { kind: conversationKind, id, title: id },
      title: 'A conversation cannot be taken up',
      detail,
      actions: [],
    }),
  );
  return [...paused.map(pauseItem), ...broken];
}

function pauseItem(live: LiveConversation): WaitingItem {
  const { record } = live;
  const { id, project, pause, pauses } = record;
  return {
    // Another pause is another question.
    id: `yield.${project ?? 'hall'}.${id}.${pauses}`,
    kind: 'yield',
    project,
    subject: { kind: conversationKind, id, title: titleOf(record) },
    title: `${titleOf(record)} paused: ${whyPaused(record, pause!.why)}`,
    detail: lastWords(live),
    since: pause!.at,
    actions: [
      action('extend', 'Go on', 'conversation.extend', { id }),
      {
        ...action('end', 'End it', 'conversation.end', { id }),
        asks: 'confirm',
        warning: 'Both are told; their terminals go on. What was said stays for 30 days.',
      },
    ],
  };
}

function action(verb: string, label: string, operation: string, input: InboxAction['input']): InboxAction {
  return { verb, label, operation, input, asks: 'nothing', field: null, required: false, warning: null };
}

/** The last of each, as a quotation: nothing in it is read as Markdown of the hall. */
function lastWords(live: LiveConversation): string {
  const messages = messagesOf(live);
  const last = live.record.members.flatMap((member) => {
    const said = messages.findLast(({ from, fate }) => from === member.number && fate !== 'aside');
    return said === undefined ? [] : [{ member, said }];
  });
  return last
    .toSorted((one, other) => one.said.number - other.said.number)
    .map(({ member, said }) => `${calledAs(member)}:\n\n${quoted(said.text)}`)
    .join('\n\n');
}

/** Open and paused ones, of one project or of all. */
export function openConversationsOf(ctx: GatheringsContext, wanted?: string): Conversation[] {
  return [...ctx.conversations.known.values()].filter(
    ({ state, project }) => state !== 'ended' && (wanted === undefined || project === wanted),
  );
}

/** Of those that belong to a project. */
export function runningConversations(ctx: GatheringsContext, wanted?: string): RunningActivity[] {
  return openConversationsOf(ctx, wanted).flatMap((record) =>
    record.project === null ? [] : [activityOf(record, record.project)],
  );
}

function activityOf(record: Conversation, project: RunningActivity['project']): RunningActivity {
  const { id, members, pause, startedAt } = record;
  return {
    kind: conversationKind,
    id,
    title: titleOf(record),
    project,
    worker: members.map(({ name }) => name).join(', '),
    state: pause === null ? 'answering' : 'waiting',
    since: pause?.at ?? startedAt,
  };
}
