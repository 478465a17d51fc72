/** The worker that hands out work, in a real meeting and in a commission of its own: its tools do what the person's doors do. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CommissionList, CommissionLogs, CommissionView } from '../../src/features/commissions/contract.ts';
import type { Briefing } from '../../src/features/briefing/contract.ts';
import type { InboxList } from '../../src/features/inbox/contract.ts';
import { createClient } from '../../src/interfaces/cli/client.ts';
import { parseArtifact } from '../../src/kernel/artifacts/parse.ts';
import { listed, openMeeting, say, startHallWithProject, type TestHall } from '../help/halls.ts';
import { waitUntil } from '../help/programs.ts';

const outcome = 'A note in .lore/notes/count.md names each function. Check: each named function is in src/.';

const scenario = `
- match: write it down
  worker: manager
  do:
    - call: { tool: create_commission, input: { worker: researcher, title: Functions, prompt: "${outcome}", depends: [README.md], max_turns: 20 } }
    - call: { tool: create_commission, input: { worker: nobody, title: Wrong, prompt: Anything } }
    - call: { tool: see_work, input: {} }
    - say: Written.
- match: start the first
  worker: manager
  do:
    - call: { tool: dispatch_commission, input: { id: FIRST } }
    - say: Started.
- match: stop it
  worker: manager
  do:
    - call: { tool: cancel_commission, input: { id: FIRST, reason: It is not needed any more } }
    - say: Stopped.
- match: ask for a talk
  worker: manager
  do:
    - call: { tool: see_work, input: { id: FIRST } }
    - call: { tool: request_meeting, input: { worker: researcher, agenda: Which functions count, commission: FIRST } }
    - say: Asked.
- match: each named function is in src
  worker: researcher
  activity: commission
  do:
    - call: { tool: report_progress, input: { summary: Half of the functions are named } }
    - call: { tool: log_question, input: { question: Do private functions count? } }
    - call: { tool: link_artifact, input: { path: README.md } }
    - call: { tool: cancel_commission, input: { id: functions, reason: I will not } }
    - wait: 60 s
    - say: Done.
- match: see to it yourself
  worker: manager
  activity: commission
  do:
    - call: { tool: see_work, input: {} }
    - call: { tool: create_commission, input: { worker: writer, title: Guide, prompt: "${outcome}" } }
    - call: { tool: cancel_commission, input: { id: own-work, reason: Enough } }
    - call: { tool: dispatch_commission, input: { id: own-work } }
    - call: { tool: request_meeting, input: { worker: writer, agenda: The guide } }
    - call: { tool: submit_result, input: { summary: Handed out } }
    - say: Done.
`;

interface Call {
  readonly name: string;
  readonly ok: boolean;
  readonly summary: string;
}

async function list(hall: TestHall): Promise<CommissionList['commissions']> {
  return ((await hall.client.call('commission.list', {})) as CommissionList).commissions;
}

async function view(hall: TestHall, id: string): Promise<CommissionView> {
  return (await hall.client.call('commission.show', { id })) as CommissionView;
}

function callsOf(turn: Awaited<ReturnType<typeof say>>): Call[] {
  return turn.events.flatMap((event) => (event.type === 'tool_result' ? [event as unknown as Call] : []));
}

/** What a record says, without what differs from one to the next. */
function shapeOf(integration: string, path: string): unknown {
  const { frontmatter } = parseArtifact(readFileSync(join(integration, path), 'utf8'), path);
  const {
    created_by: _by,
    created_at: _at,
    activity_timeline: timeline,
    ...rest
  } = frontmatter as Record<string, unknown>;
  const entries = (timeline as Record<string, unknown>[]).map((entry) => ({ ...entry, timestamp: '' }));
  return { fields: Object.keys(frontmatter), rest, entries };
}

describe('in a meeting', () => {
  test('it creates, starts and stops commissions and asks for meetings; its file equals the person’s [COM-4.1, COM-4.2, COM-3a.3, COM-18.1, COM-18.4, MTG-3.2]', async () => {
    const { hall, integration } = await startHallWithProject({ scenario });
    const { id: meeting } = await openMeeting(hall, { worker: 'manager', message: 'Hello' });
    const made = callsOf(await say(hall, meeting, 'write it down'));
    expect(made.map(({ name, ok }) => [name, ok])).toEqual([
      ['create_commission', true],
      ['create_commission', false],
      ['see_work', true],
    ]);
    expect(made[1]!.summary).toContain('nobody');
    const [byTool] = await list(hall);
    expect(byTool).toMatchObject({
      title: 'Functions',
      status: 'pending',
      queuedAt: null,
      createdBy: `meeting ${meeting}`,
    });

    const input = { worker: 'researcher', title: 'Functions', prompt: outcome, depends: ['README.md'], maxTurns: 20 };
    const byPerson = (await hall.client.call('commission.create', input)) as { id: string; path: string };
    expect(byPerson.path.replace(byPerson.id, byTool!.id)).toBe(byTool!.path);
    expect(shapeOf(integration, byTool!.path)).toEqual(shapeOf(integration, byPerson.path));
    await hall.client.call('commission.cancel', { id: byPerson.id });

    // What the scenario calls FIRST is known now.
    writeFileSync(join(hall.home, 'scenario.yaml'), scenario.replaceAll('FIRST', byTool!.id));
    const [started] = callsOf(await say(hall, meeting, 'start the first'));
    expect(started).toMatchObject({ name: 'dispatch_commission', ok: true });
    await waitUntil(async () => (await view(hall, byTool!.id)).openQuestions.length > 0);
    const running = await view(hall, byTool!.id);
    expect(running.commission).toMatchObject({
      status: 'in_progress',
      currentProgress: 'Half of the functions are named',
    });

    const briefing = (await hall.client.call('briefing.show', { project: 'tally' })) as Briefing;
    expect(briefing).toMatchObject({ by: 'record', isQuiet: false });
    expect(briefing.text).toContain('Half of the functions are named');
    expect(briefing.text).toContain('Do private functions count?');

    const [seen, asked] = callsOf(await say(hall, meeting, 'ask for a talk'));
    expect(seen!.summary).toContain('Do private functions count?');
    expect(asked).toMatchObject({ name: 'request_meeting', ok: true });
    const [request] = await listed(hall, 'requested');
    expect(request).toMatchObject({ worker: 'researcher', requestedBy: 'manager', sessionId: null, branch: null });
    expect(request!.agenda).toContain('Do private functions count?');
    expect(request!.referencedArtifacts).toEqual([byTool!.path]);

    const log = (await hall.client.call('commission.logs', { id: byTool!.id, limit: 500 })) as CommissionLogs;
    const results = log.entries.flatMap((entry) => (entry.kind === 'tool_result' ? [[entry.name, entry.ok]] : []));
    expect(results).toContainEqual(['report_progress', true]);
    // It has neither the tools of a meeting nor those that hand out work.
    for (const name of ['link_artifact', 'cancel_commission']) expect(results).not.toContainEqual([name, true]);

    const [stopped] = callsOf(await say(hall, meeting, 'stop it'));
    expect(stopped).toMatchObject({ name: 'cancel_commission', ok: true });
    await waitUntil(async () => (await view(hall, byTool!.id)).commission.status === 'cancelled');
    const last = (await view(hall, byTool!.id)).commission.timeline.findLast(({ event }) => event === 'status');
    expect(last).toMatchObject({ reason: `Cancelled by the manager in meeting ${meeting}: It is not needed any more` });
  });
});

describe('in a commission of its own', () => {
  test('it hands out work over the hall’s door, and cannot touch its own commission [COM-C3, COM-C5, COM-4.2]', async () => {
    const { hall } = await startHallWithProject({ scenario });
    const own = (await hall.client.call('commission.create', {
      worker: 'manager',
      title: 'Own work',
      prompt: 'see to it yourself',
      dispatch: true,
    })) as { id: string };
    await waitUntil(async () => (await view(hall, own.id)).commission.status === 'completed');
    const done = await view(hall, own.id);
    const results = done.journal.flatMap((entry) => (entry.kind === 'tool_result' ? [[entry.name, entry.ok]] : []));
    expect(results).toEqual([
      ['see_work', true],
      ['create_commission', true],
      ['cancel_commission', false],
      ['dispatch_commission', false],
      ['request_meeting', true],
      ['submit_result', true],
    ]);
    expect((await list(hall)).find(({ title }) => title === 'Guide')).toMatchObject({
      status: 'pending',
      createdBy: `commission ${own.id}`,
    });
    expect(await listed(hall, 'requested')).toMatchObject([{ worker: 'writer', requestedBy: 'manager' }]);

    // Its pass counts for nothing else, and for nothing any more.
    const order = join(hall.home, `state/commissions/tally.${own.id}/1/order.json`);
    expect(existsSync(order)).toBe(true);
    const { hallSecret } = JSON.parse(readFileSync(order, 'utf8')) as { hallSecret: string };
    const late = createClient(hall.home, hall.url, hallSecret);
    await expect(late.call('commission.list', { project: 'tally' })).rejects.toMatchObject({ code: 'unauthorized' });
  });
});

describe('without a model', () => {
  test('the person’s words alone make the manager commission somebody, tell how it stands, and propose a delivery [COM-4.2]', async () => {
    const { hall } = await startHallWithProject({});
    const words =
      'commission the researcher to find out how words are counted, and write it to `.lore/research/count.md`';
    const { id, first } = await openMeeting(hall, { worker: 'manager', message: words });
    expect(first.text).toContain('Created. Commission find-out-how-words-are-counted');
    await waitUntil(
      async () => ((await hall.client.call('inbox.list', { kind: 'review' })) as InboxList).items.length > 0,
    );
    const told = await say(hall, id, 'what is going on?');
    expect(told.text).toContain('Finished, to look at');
    const proposed = await say(hall, id, 'propose a pull request: how words are counted');
    expect(proposed.text).toContain('Proposed:');
    const [delivery] = ((await hall.client.call('delivery.list', {})) as { deliveries: { title: string }[] })
      .deliveries;
    expect(delivery).toMatchObject({ title: 'How words are counted', status: 'proposed' });
  });
});
