/** Contexts in a whole hall: clicked from two pages, shown, exported, told of when something is wrong. The agent is small and real, over ACP. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MetaContextList, MetaContextView, NextBlockClicked } from '../../src/features/contexts/contract.ts';
import { nextBlocksOf } from '../../src/features/contexts/fold/live-blocks.ts';
import type { DoctorReport } from '../../src/features/doctor/contract.ts';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import type { AgentMessage, BlockRef, SessionList, SessionView } from '../../src/features/sessions/contract.ts';
import type { HallEvent } from '../../src/kernel/pure/events.ts';
import type { ServerMessage } from '../../src/kernel/pure/wire.ts';
import { startHallWithProject, type TestHall } from '../help/halls.ts';
import { askTicket, openPage, type PageSocket } from '../help/page-sockets.ts';
import { waitUntil } from '../help/programs.ts';
import { tempFolder, type TestRepository } from '../help/repositories.ts';

const agent = join(import.meta.dirname, '../fixtures/pressed-agent.mjs');

interface Place {
  readonly hall: TestHall;
  readonly repo: TestRepository;
  readonly heard: () => string[];
}

async function place(): Promise<Place> {
  const folder = await tempFolder();
  const args = JSON.stringify([agent, folder]);
  const own = `{ default: small, agents: { small: { command: ${JSON.stringify(process.execPath)}, args: ${args} } } }`;
  const { hall, repo } = await startHallWithProject({ config: `sandbox: { mode: off }\nsessions: ${own}\n` });
  const file = join(folder, 'heard.jsonl');
  const heard = (): string[] => {
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    return lines.map((line) => (JSON.parse(line) as { words: string }).words);
  };
  return { hall, repo, heard };
}

async function page(hall: TestHall): Promise<PageSocket> {
  const port = Number(new URL(hall.url).port);
  const opened = await openPage(port, { ticket: await askTicket(port, hall.token) });
  opened.send({ kind: 'follow', after: null });
  return opened;
}

const lists = (received: readonly ServerMessage[]): SessionList[] =>
  received.flatMap((message) =>
    message.kind === 'event' && message.event.type === 'session.list' ? [message.event.data as SessionList] : [],
  );

const ofSession = (received: readonly ServerMessage[], id: string): HallEvent[] =>
  received.flatMap((message) =>
    message.kind === 'event' && message.event.subject === `session:${id}` ? [message.event] : [],
  );

async function answered(hall: TestHall, id: string): Promise<AgentMessage> {
  let last: AgentMessage | undefined;
  await waitUntil(async () => {
    const { session } = (await hall.client.call('session.show', { id })) as SessionView;
    last = session.messages.findLast((message): message is AgentMessage => message.role === 'agent');
    return last !== undefined && last.state !== 'running';
  });
  return last!;
}

interface Button {
  readonly block: BlockRef;
  readonly label: string;
  readonly command: string;
  readonly metaContext: string;
}

function buttonsOf(id: string, message: AgentMessage): Button[] {
  return nextBlocksOf(message).map(({ position, next }) => ({
    block: { sessionId: id as BlockRef['sessionId'], message: message.seq, position },
    ...next,
  }));
}

test('two pages press one button: one session, told to both with its context; all of it is there after a restart [CTX-EVT-8, CTX-DEC-11, UC-2.5, UC-8.4, UC-8.5, CTX-DEC-7]', async () => {
  const { hall, repo, heard } = await place();
  const begun = (await hall.client.call('session.new', { prompt: 'Begin @auth' })) as SessionView;
  const first = begun.session.id;
  const [button] = buttonsOf(first, await answered(hall, first));
  const pages = [await page(hall), await page(hall)];
  const answers = await Promise.all(
    pages.map(async (each) => await each.call('next.click', { project: 'tally', ...button })),
  );
  const made = answers.flatMap((each) => (each.kind === 'answer' ? [each.output as NextBlockClicked] : []));
  const refused = answers.flatMap((each) => (each.kind === 'refusal' ? [each.problem] : []));
  expect([made.length, refused.map(({ code, details }) => [code, details?.['reason']])]).toEqual([
    1,
    [['conflict', 'used']],
  ]);
  const { sessionId, metaContextId } = made[0]!;
  const context = { id: metaContextId, name: 'auth', sessionIds: [sessionId] };
  for (const each of pages) {
    await each.until((received) => lists(received).some(({ metaContexts }) => metaContexts.length > 0));
    expect(lists(each.received).at(-1)).toMatchObject({
      metaContexts: [context],
      sessions: [
        { id: sessionId, metaContextId },
        { id: first, metaContextId: null },
      ],
    });
    // From its first line on, and its answer as it comes.
    await each.until((received) => JSON.stringify(ofSession(received, sessionId)).includes('TurnCompleted'));
    expect(ofSession(each.received, sessionId)[0]).toMatchObject({
      type: 'session.logged',
      data: { events: [{ seq: 1, type: 'MetaContextCreated' }, { seq: 2 }, { seq: 3 }, { seq: 4 }, { seq: 5 }] },
    });
  }
  expect(heard()).toEqual(['Begin @auth', button!.command]);
  await hall.restart();
  const shown = (await hall.client.call('context.show', { name: 'auth' })) as MetaContextView;
  expect(shown).toMatchObject({ id: metaContextId, sessions: [{ id: sessionId, state: 'idle' }], phases: null });
  expect(heard()).toHaveLength(2);
  expect(repo.git('status', '--porcelain')).toBe('');

  // A button is used for good, also when what it began is removed.
  await hall.client.call('session.remove', { id: sessionId });
  const again = hall.client.call('next.click', { project: 'tally', ...button });
  await expect(again).rejects.toMatchObject({ facts: { code: 'conflict' } });
  const list = (await hall.client.call('context.list', {})) as MetaContextList;
  expect(list.contexts).toMatchObject([{ name: 'auth', sessions: 1, newest: null }]);
});

test('a context shows how far its spec is and prints all its sessions; doctor and inbox tell of a registry that was not readable [CTX-EVT-19, CTX-DEC-13]', async () => {
  const { hall, repo } = await place();
  const next = { label: 'Begin', metaContext: 'parser' };
  for (const command of ['/go one @parser', '/go two @parser']) {
    const { sessionId } = (await hall.client.call('next.click', { ...next, command })) as NextBlockClicked;
    await answered(hall, sessionId);
  }
  const tasks = [
    { id: 'T-0', name: 'A', ucs: [], depends: [], wave: 0, kind: 'code', files: {}, description: 'Do.' },
    { id: 'T-1', name: 'B', ucs: [], depends: ['T-0'], wave: 1, kind: 'code', files: {}, description: 'Do.' },
  ];
  const spec = '.conclave/specs/parser';
  repo.write({
    [`${spec}/research.md`]: '# What is there\n',
    [`${spec}/analysis.md`]: '```conclave:usecase\n{}\n```\n\n- ~~~~conclave:usecase\n  {}\n  ~~~~\n',
    [`${spec}/implementation.json`]: JSON.stringify(tasks),
    [`${spec}/breakdown.md`]: { link: '/etc/hostname' },
  });
  const shown = (await hall.client.call('context.show', { name: 'parser' })) as MetaContextView;
  expect(shown.phases?.map(({ command, state, note }) => [command, state, note])).toEqual([
    ['/rsrc', 'done', ''],
    ['/req', 'done', '2 use cases'],
    ['/arq', 'open', ''],
    ['/plan', 'unreadable', ''],
    ['/org', 'done', '2 tasks in 2 waves'],
    ['/orc', 'untold', ''],
  ]);
  const { markdown } = (await hall.client.call('context.export', { name: 'parser' })) as { markdown: string };
  expect(markdown.indexOf('/go one @parser')).toBeLessThan(markdown.indexOf('/go two @parser'));

  const file = join(repo.path, '.conclave/state/meta-contexts.json');
  const whole = readFileSync(file, 'utf8');
  writeFileSync(file, '<<<<<<< HEAD\n{}\n');
  await hall.restart();
  expect(readFileSync(file, 'utf8')).toBe(whole);
  const report = (await hall.client.call('doctor', {})) as DoctorReport;
  const bad = report.checks.filter(({ name, state }) => name === 'project tally' && state === 'bad');
  expect(bad.map(({ found }) => found)).toEqual([expect.stringContaining('kept aside as')]);
  const inbox = (await hall.client.call('inbox.list', {})) as InboxList;
  expect(inbox.items.filter(({ kind }) => kind === 'problem').map(({ title }) => title)).toEqual(
    expect.arrayContaining([expect.stringContaining('kept aside as')]),
  );
});
