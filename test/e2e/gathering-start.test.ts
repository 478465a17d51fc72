/** Who may begin a gathering, with whom: every refusal, and that nothing is left of what was refused. One hall. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GatheringStatus } from '../../src/features/gatherings/contract/gathering-views.ts';
import { connectMcp } from '../help/mcp.ts';
import { packageRoot, waitUntil } from '../help/programs.ts';
import { harvestWords, openCircle, type TestCircle } from '../help/gatherings.ts';

const agents = `,
  broken: { command: ["/no/such/program"], like: claude },
  ends: { command: ["${process.execPath}", "-e", "process.exit(1)"], like: claude }`;

const good = { participants: ['Ada', 'Grace=circle'], harvester: 'Hal=circle', beatIntervalSeconds: 30 };

interface Refusal {
  readonly given: Record<string, unknown>;
  readonly code: string;
  readonly says: RegExp;
  readonly field?: string;
}

const refusals: readonly Refusal[] = [
  { given: { participants: ['Ada'] }, code: 'invalid', says: /needs two speakers or more/, field: 'participants' },
  // Taken out of the order: it listens.
  { given: { harvester: 'Ada' }, code: 'invalid', says: /needs two speakers or more/, field: 'participants' },
  { given: { participants: ['Ada', 'ada'] }, code: 'invalid', says: /Two members would be called/ },
  { given: { participants: ['Ada', 'A=circle', 'a=circle'] }, code: 'invalid', says: /Two members would be called/ },
  { given: { participants: ['Ada', 'Hal'] }, code: 'not_found', says: /There is no terminal "Hal"/ },
  {
    given: { participants: ['Ada', 'Zed=nothing'] },
    code: 'invalid',
    says: /no agent "nothing"/,
    field: 'participants',
  },
  { given: { participants: ['Ada', 'Ze d=circle'] }, code: 'invalid', says: /is no name of a terminal/ },
  { given: { participants: ['Ada', 'Kid=circle'] }, code: 'conflict', says: /"Kid" is taken/, field: 'participants' },
  { given: { participants: ['Ada', 'Bash'] }, code: 'forbidden', says: /"Bash" is a shell/, field: 'participants' },
  { given: { participants: ['Ada', 'Bob=shell'] }, code: 'invalid', says: /no agent "shell"/ },
  { given: { harvester: undefined }, code: 'invalid', says: /harvester/ },
  { given: { harvester: 'Hal=circle,Hank=circle' }, code: 'invalid', says: /exactly one/ },
  {
    given: { human: 'Mo', harvester: 'Mo' },
    code: 'invalid',
    says: /person cannot be the harvester/,
    field: 'harvester',
  },
  { given: { human: 'Mo\nMa' }, code: 'invalid', says: /is no name/, field: 'human' },
  { given: { human: 'Ada', participants: ['Grace=circle', 'Kid'], harvester: 'Ada' }, code: 'invalid', says: /person/ },
  { given: { beatIntervalSeconds: 0 }, code: 'invalid', says: /^"beatIntervalSeconds"/ },
  { given: { beatsPerTurn: 0 }, code: 'invalid', says: /^"beatsPerTurn"/ },
  { given: { structure: '0-1-1' }, code: 'invalid', says: /three counts of rounds/ },
  { given: { rhythm: 'hourly' }, code: 'not_found', says: /no rhythm "hourly"/ },
  { given: { openingQuestion: ' ' }, code: 'invalid', says: /must say something/ },
  { given: { project: 'other' }, code: 'not_found', says: /other/ },
  { given: { participants: ['Ada', 'Bo=broken'] }, code: 'not_found', says: /^Bo could not be started/ },
  { given: { participants: ['Ada', 'Bo=circle', 'Eve=ends'] }, code: 'unavailable', says: /^Eve ended as soon as/ },
];

test('what does not fit is refused with the field, and nobody is started or left [GTH-GUARD-5, GTH-HARVEST-1, GTH-TOOL-3]', async () => {
  const circle = await openCircle({}, { agents });
  const { client } = circle.hall;
  await Promise.all([circle.start('Ada'), circle.start('Kid')]);
  await client.call('terminal.start', { project: 'tally', name: 'Bash', command: ['shell'] });
  for (const { given, code, says, field } of refusals) {
    const refused = await circle.begin({ ...good, ...given }).catch((error: unknown) => error);
    const what = JSON.stringify(given);
    expect(refused, `${what}`).toMatchObject({ code, message: expect.stringMatching(says) as string });
    if (field !== undefined) expect(refused, `${what}`).toMatchObject({ details: { field } });
  }
  await waitUntil(async () => (await circle.terminals()).length === 3);
  const left = await circle.terminals();
  const free = left.map(({ name, conversation }) => `${name} ${conversation}`);
  expect(free.toSorted()).toEqual(['Ada null', 'Bash null', 'Kid null']);
  expect(await client.call('gathering.list', {})).toEqual({ gatherings: [] });
}, 120_000);

const asTool = {
  rhythm: 'daily',
  participants: ['Ada', 'Grace'],
  harvester: 'Hal',
  opening_question: 'What is alive?',
  structure: '1-1-1',
  beats_per_turn: 2,
  beat_interval_seconds: 30,
};

async function asAgent(circle: TestCircle, name: string): Promise<Awaited<ReturnType<typeof connectMcp>>> {
  return await connectMcp({ url: circle.hall.url, token: await circle.tokenOf(name) });
}

test('an agent begins one; no member begins another, nor is taken elsewhere; who holds the piece passes it by the tool; a member ends it [GTH-GUARD-1, GTH-GUARD-2, GTH-GUARD-3, GTH-GUARD-4, GTH-GUARD-6, GTH-PIECE-15, GTH-TOOL-8, GTH-TOOL-10]', async () => {
  const circle = await openCircle({
    Ada: { turns: [null] },
    Grace: { turns: [null, null] },
    Hal: { harvest: [harvestWords, harvestWords] },
  });
  const { client } = circle.hall;
  await Promise.all(['Ada', 'Grace', 'Hal', 'Eve', 'Una', 'Host'].map(async (name) => circle.start(name)));
  const talk = (await client.call('conversation.start', { first: 'Eve', second: 'Una' })) as {
    conversation: { id: string };
  };
  const host = await asAgent(circle, 'Host');
  const inTalk = await host.call('start_gathering', { ...asTool, participants: ['Ada', 'Eve'] });
  expect(inTalk.value).toMatchObject({
    code: 'conflict',
    details: { field: 'participants', id: talk.conversation.id },
  });

  const started = await host.call('start_gathering', asTool);
  expect(started.value).toMatchObject({ stage: 'inhale', you: null });
  const { id } = started.value as GatheringStatus;
  await circle.untilHolds(id, 'Ada');
  const before = await circle.terminals();
  const [ada, grace, hal] = await Promise.all(['Ada', 'Grace', 'Hal'].map(async (name) => asAgent(circle, name)));
  for (const member of [ada!, grace!, hal!]) {
    const nested = await member.call('start_gathering', {
      ...asTool,
      participants: ['X=circle', 'Y=circle'],
      harvester: 'Z=circle',
    });
    expect(nested.value).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`You sit in the gathering ${id}`) as string,
    });
  }
  const second = await host.call('start_gathering', {
    ...asTool,
    participants: ['Una', 'Grace'],
    harvester: 'Z=circle',
  });
  expect(second.value).toMatchObject({ code: 'conflict' });
  const direct = await host.call('send_message', { session_id: 'Grace', message: 'Psst.', direct: true });
  expect(direct.value).toMatchObject({ code: 'conflict', message: expect.stringContaining(id) as string });
  expect((await circle.terminals()).map((each) => each.id)).toEqual(before.map((each) => each.id));

  // Those outside go on as before.
  expect((await host.call('send_message', { session_id: 'Una', message: 'Hello.' })).value).toMatchObject({
    receipt: { state: 'delivered' },
  });
  const notHis = await grace!.call('pass_piece', {});
  expect(notHis.value).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('The piece is with Ada (1)') as string,
  });
  expect((await hal!.call('pass_piece', {})).value).toMatchObject({ code: 'forbidden' });
  expect((await host.call('pass_piece', {})).value).toMatchObject({ code: 'forbidden' });
  // What she says to what she was told goes out first: then she has said it.
  const isIdle = async (): Promise<boolean> =>
    (await circle.terminals()).some(({ name, status }) => name === 'Ada' && status === 'idle');
  await waitUntil(isIdle);
  expect((await ada!.call('pass_piece', {})).value).toMatchObject({ holder: { name: 'Grace', number: 2 }, you: 1 });
  expect((await grace!.call('gathering_status', {})).value).toMatchObject({ id, stage: 'inhale', round: 1, you: 2 });
  expect((await grace!.call('end_gathering', {})).value).toMatchObject({ id, stage: 'closing' });
  const view = await circle.untilClosed(id);
  expect(view.gathering.close?.why).toEqual({ kind: 'ended', by: 2 });
  expect(view.gathering.startedBy).not.toBe('person');

  const again = (await ada!.call('start_gathering', asTool)).value as GatheringStatus;
  expect(again).toMatchObject({ stage: 'inhale', you: 1 });
  await client.call('gathering.end', { id: again.id });
  expect((await circle.untilClosed(again.id)).gathering.close?.why).toEqual({ kind: 'ended', by: 'person' });
}, 120_000);

test('what an agent starts for a gathering sends it no notices; the one who began it ends it [GTH-TOOL-4, GTH-TOOL-5]', async () => {
  const fixtures = join(packageRoot, 'test/fixtures/terminals');
  const circle = await openCircle(
    { Ada: { turns: [null] } },
    {
      sandbox: `{ mode: auto, readable: ["${fixtures}"] }`,
      agents: `, plain: { command: ["${process.execPath}", "${fixtures}/signs-as-claude.mjs"], like: claude }`,
    },
  );
  const { taken } = circle;
  await Promise.all(['Ada', 'Host'].map(async (name) => circle.start(name)));
  const host = await asAgent(circle, 'Host');
  const outside = await host.call('start_session', { name: 'Out', command: ['plain'], message: 'Hello.' });
  expect(outside.value).toMatchObject({ name: 'Out' });
  await waitUntil(() => taken('Host').some((text) => text.includes('Out') && text.includes('has finished a turn')));
  const begun = await host.call('start_gathering', {
    ...asTool,
    participants: ['Ada', 'Bo=plain'],
    harvester: 'Cy=plain',
  });
  expect(begun.value).toMatchObject({ stage: 'inhale' });
  const { id } = begun.value as GatheringStatus;
  // They have answered their seeds when they have taken what came after them.
  await waitUntil(async () => {
    const { messages } = await circle.show(id);
    const first = messages.find(({ kind }) => kind === 'piece');
    return [2, 3].every((number) =>
      first?.receipts.some(({ to, receipt }) => to === number && receipt.state === 'delivered'),
    );
  });
  expect((await host.call('end_gathering', { id })).value).toMatchObject({ stage: 'closing' });
  // Not in the name of the person.
  expect((await circle.untilClosed(id)).gathering.close?.why).toEqual({ kind: 'ended', by: 'host' });
  await waitUntil(async () => (await circle.terminals()).every(({ name }) => !['Bo', 'Cy'].includes(name)));
  await circle.hall.client.call('terminal.send', { sessionId: 'Host', message: 'What came after all notices.' });
  await waitUntil(() => taken('Host').some((text) => text.includes('What came after all notices.')));
  expect(taken('Host').filter((text) => /\b(?:Bo|Cy)\b/.test(text))).toEqual([]);
}, 120_000);
