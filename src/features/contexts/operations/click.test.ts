/** Clicks on `conclave:next` blocks, over real files and logs; only the agent is a script. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  askedOf,
  blockOf,
  click,
  type ContextsHall,
  listTold,
  nextBlock,
  openContexts,
  registryOnDisk,
  sessionSaying,
  stateOf,
} from '../../../../test/help/open-contexts.ts';
import { makeRepository, tempFolder } from '../../../../test/help/repositories.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { fail, HallError } from '../../../kernel/pure/errors.ts';
import type { SessionEvent, SessionState } from '../../sessions/contract.ts';
import type { MetaContextList, MetaContextView } from '../contract.ts';

const next = { label: 'Requirements', command: '/req auth', metaContext: 'auth' };

async function openHall(): Promise<ContextsHall> {
  const { path } = await makeRepository();
  return await openContexts(join(await tempFolder(), 'home'), path, onTestFinished);
}

function eventsOf({ home }: ContextsHall, id: string): SessionEvent[] {
  const text = readFileSync(join(home, 'state/sessions', `${id}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SessionEvent);
}

function logsOf({ home }: ContextsHall): string[] {
  const folder = join(home, 'state/sessions');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
}

/** What a click that came to nothing may not leave. */
function leftovers({ home }: ContextsHall): string[] {
  return ['state/clicks', 'state/agents'].flatMap((folder) =>
    existsSync(join(home, folder)) ? readdirSync(join(home, folder)).map((name) => `${folder}/${name}`) : [],
  );
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return await work.then(
    () => 'taken',
    (error: unknown) => {
      if (!(error instanceof HallError)) throw error;
      const reason = error.facts.details?.['reason'];
      return reason === undefined ? error.facts.code : `${error.facts.code}: ${String(reason)}`;
    },
  );
}

describe('a click', () => {
  test('makes the context of that name, and a session of the same agent and folder in it, which gets the command [UC-1.1, UC-1.2, UC-1.3, CTX-EVT-1, CTX-EVT-6, CTX-BLK-1]', async () => {
    const hall = await openHall();
    const first = await sessionSaying(hall, `Go on:\n\n${nextBlock(next)}`);
    const clicked = await click(hall, { ...next, block: blockOf(first) });
    expect(clicked).toMatchObject({ name: 'auth', isNew: true, isRepeated: false });
    const made = await stateOf(hall, clicked.sessionId);
    expect(made).toMatchObject({
      agent: first.agent,
      folder: first.folder,
      title: next.label,
      metaContext: { id: clicked.metaContextId, name: 'auth' },
      from: { block: blockOf(first), label: next.label },
    });
    expect(made.messages[0]).toMatchObject({ role: 'person', text: next.command });
    await hall.idle();
    expect(askedOf(hall.home).at(-1)).toBe(`${made.agentSessionId} ${next.command}`);
    expect(registryOnDisk(hall.repo)).toEqual({
      contexts: [{ id: clicked.metaContextId, name: 'auth', sessionIds: [clicked.sessionId] }],
    });
    expect(leftovers(hall).filter((path) => path.startsWith('state/clicks'))).toEqual([]);
  });

  test('on a name in use adds its session at the end, and says so in the log in one order [UC-2.1, UC-2.2, UC-2.3, CTX-DEC-1, CTX-EVT-3, CTX-EVT-4, CTX-EVT-7]', async () => {
    const hall = await openHall();
    hall.answer = (words) => (words === '/req auth' ? nextBlock({ ...next, label: 'B', command: '/arq auth' }) : 'Ok');
    const first = await sessionSaying(hall, nextBlock(next));
    const one = await click(hall, { ...next, block: blockOf(first) });
    await hall.idle();
    const second = await stateOf(hall, one.sessionId);
    const other = await click(hall, { label: 'B', command: '/arq auth', metaContext: 'auth', block: blockOf(second) });
    expect(other).toMatchObject({ metaContextId: one.metaContextId, name: 'auth', isNew: false });
    await hall.idle();
    expect(registryOnDisk(hall.repo).contexts).toEqual([
      { id: one.metaContextId, name: 'auth', sessionIds: [one.sessionId, other.sessionId] },
    ]);
    expect(askedOf(hall.home).map((line) => line.replace(/^\S+ /, ''))).toEqual(['Begin', '/req auth', '/arq auth']);
    const born = [
      'SessionCreated',
      'SessionAddedToMetaContext',
      'PromptSubmitted',
      'AgentSessionStarted',
      'TurnStarted',
    ];
    const head = (id: string): string[] => eventsOf(hall, id).map(({ type }) => type);
    expect(head(one.sessionId).slice(0, 6)).toEqual(['MetaContextCreated', ...born]);
    expect(head(other.sessionId).slice(0, 5)).toEqual(born);
    const added = [one, other].flatMap(({ sessionId }) =>
      head(sessionId).filter((type) => type.includes('MetaContext')),
    );
    expect(added).toEqual(['MetaContextCreated', 'SessionAddedToMetaContext', 'SessionAddedToMetaContext']);
  });

  test('takes the words of the block as they are: escapes, other alphabets, back-ticks [CTX-BLK-3, CTX-DEC-13]', async () => {
    const hall = await openHall();
    const odd = {
      label: 'Say "ja" — 続ける 🎈',
      command: '/req a\nwith `ticks`, \\ and ``` three',
      metaContext: '../../größe\u0007/𝒳',
    };
    const first = await sessionSaying(hall, `\`\`\`\`conclave:next\n${JSON.stringify(odd)}\n\`\`\`\``);
    const clicked = await click(hall, { ...odd, block: blockOf(first) });
    expect(clicked.name).toBe(odd.metaContext);
    expect((await stateOf(hall, clicked.sessionId)).messages[0]).toMatchObject({ text: odd.command });
    expect(readdirSync(join(hall.repo, '.conclave'))).toEqual(['state']);
    expect(readdirSync(join(hall.repo, '..'))).not.toContain('größe');
    const shown = (await hall.call('context.show', { project: 'tally', name: odd.metaContext })) as MetaContextView;
    expect(shown).toMatchObject({ name: odd.metaContext, phases: null });
  });

  test('is told to everybody by one list, in which each session is of a context or alone [UC-8.4, UC-8.5, UC-8.6, CTX-EVT-12, CTX-EVT-13]', async () => {
    const hall = await openHall();
    const first = await sessionSaying(hall, nextBlock(next));
    const lists = (): number => hall.events.filter(({ type }) => type === 'session.list').length;
    expect(listTold(hall)).toMatchObject({ sessions: [{ id: first.id, metaContextId: null }], metaContexts: [] });
    const before = lists();
    const { sessionId, metaContextId } = await click(hall, { ...next, block: blockOf(first) });
    expect(lists()).toBe(before + 1);
    const told = listTold(hall);
    expect(told.metaContexts).toEqual([{ id: metaContextId, name: 'auth', sessionIds: [sessionId] }]);
    expect(new Map(told.sessions.map((each) => [each.id, each.metaContextId]))).toEqual(
      new Map([
        [first.id, null],
        [sessionId, metaContextId],
      ]),
    );
    const types = hall.events.map(({ type, subject }) => `${type} ${subject ?? ''}`);
    expect(types.indexOf(`session.logged session:${sessionId}`)).toBeLessThan(types.lastIndexOf('session.list '));
    await hall.idle();
  });

  test('by a script has no block, and the default agent [CTX-DEC-9]', async () => {
    const hall = await openHall();
    const clicked = await click(hall, next);
    expect(await stateOf(hall, clicked.sessionId)).toMatchObject({ folder: hall.repo, from: { block: null } });
    await hall.idle();
    const names = hall.joined.feature.operations.map(({ description }) => `${description.access} ${description.name}`);
    expect(names.filter((name) => name.startsWith('write'))).toEqual(['write next.click']);
  });

  test('that nobody made makes nothing: a block that was only said leads nowhere [CTX-DEC-2]', async () => {
    const hall = await openHall();
    await sessionSaying(hall, nextBlock(next));
    expect(logsOf(hall)).toHaveLength(1);
    expect(existsSync(join(hall.repo, '.conclave'))).toBe(false);
    expect(((await hall.call('context.list', {})) as MetaContextList).contexts).toEqual([]);
  });
});

describe('clicks at once', () => {
  test('on one name, from two blocks, are done one after the other and keep their commands [UC-2.5]', async () => {
    const hall = await openHall();
    const blocks = ['/req auth', '/req auth again', '/req auth once more'].map((command) => ({ ...next, command }));
    const first = await sessionSaying(hall, blocks.map(nextBlock).join('\n\n'));
    let [running, most] = [0, 0];
    hall.onBegin = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    };
    const clicked = await Promise.all(
      blocks.map(async (block, position) => await click(hall, { ...block, block: blockOf(first, position) })),
    );
    await hall.idle();
    expect(most).toBe(1);
    expect(clicked.map(({ isNew }) => isNew)).toEqual([true, false, false]);
    expect(new Set(clicked.map(({ metaContextId }) => metaContextId)).size).toBe(1);
    expect(registryOnDisk(hall.repo).contexts).toMatchObject([
      { sessionIds: clicked.map(({ sessionId }) => sessionId) },
    ]);
    for (const [position, { sessionId }] of clicked.entries())
      expect((await stateOf(hall, sessionId)).messages[0]).toMatchObject({ text: blocks[position]!.command });
  });

  test('on different names go side by side, and none is lost in the file', async () => {
    const hall = await openHall();
    const blocks = ['a', 'b', 'c', 'd'].map((metaContext) => ({
      ...next,
      metaContext,
      command: `/req ${metaContext}`,
    }));
    const first = await sessionSaying(hall, blocks.map(nextBlock).join('\n\n'));
    const all = deferred();
    let waiting = 0;
    hall.onBegin = async () => {
      if ((waiting += 1) === blocks.length) all.resolve();
      await all.promise;
    };
    const clicked = await Promise.all(
      blocks.map(async (block, position) => await click(hall, { ...block, block: blockOf(first, position) })),
    );
    await hall.idle();
    const { contexts } = registryOnDisk(hall.repo);
    expect(contexts.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'd']);
    for (const { metaContextId, sessionId } of clicked)
      expect(contexts.find(({ id }) => id === metaContextId)?.sessionIds).toEqual([sessionId]);
  });

  test('with one id make one session and get one answer, at once and later [UC-2.5]', async () => {
    const hall = await openHall();
    const first = await sessionSaying(hall, `${nextBlock(next)}\n\n${nextBlock({ ...next, metaContext: 'b' })}`);
    const input = { ...next, block: blockOf(first), clickId: 'click-0001' };
    const [one, two] = await Promise.all([click(hall, input), click(hall, input)]);
    await hall.idle();
    const again = await openContexts(hall.home, hall.repo, onTestFinished);
    const three = await click(again, input);
    for (const other of [two, three]) expect(other).toEqual({ ...one, isRepeated: true });
    expect(logsOf(hall)).toHaveLength(2);
    const other = { ...next, metaContext: 'b', block: blockOf(first, 1), clickId: 'click-0001' };
    expect(await codeOf(click(again, other))).toBe('conflict');
  });

  test('whose id reads like a project and a name wait for nobody', async () => {
    const hall = await openHall();
    const ids = ['tally:auth', 'name:tally:auth', 'click-name:tally:auth', 'contexts:tally'];
    for (const clickId of ids) {
      const input = { ...next, command: `/req ${clickId}`, clickId };
      expect(await click(hall, input)).toMatchObject({ name: 'auth', isRepeated: false });
    }
    await hall.idle();
    expect(logsOf(hall)).toHaveLength(ids.length);
  });

  test('with one id and other words, or after what it made was removed, are refused [UC-2.5]', async () => {
    const hall = await openHall();
    const input = { ...next, command: `/req auth ghp_${'aB3'.repeat(12)}`, allowSecrets: true, clickId: 'run-0001' };
    const { sessionId } = await click(hall, input);
    await hall.idle();
    for (const other of [{ label: 'Other' }, { command: '/req auth' }, { metaContext: 'b' }])
      expect([other, await codeOf(click(hall, { ...input, ...other }))]).toEqual([other, 'conflict']);
    // Neither what is masked in the log nor what is trimmed makes another click of it.
    expect(await click(hall, { ...input, metaContext: ' auth ' })).toMatchObject({ sessionId, isRepeated: true });
    // As `session remove` leaves it.
    const { from } = await stateOf(hall, sessionId);
    const folder = join(hall.home, 'state/sessions');
    writeFileSync(join(folder, 'removed.ndjson'), JSON.stringify({ id: sessionId, project: 'tally', from }));
    rmSync(join(folder, `${sessionId}.jsonl`));
    const again = await openContexts(hall.home, hall.repo, onTestFinished);
    expect(await codeOf(click(again, input))).toBe('conflict: used');
    expect(logsOf(hall)).toEqual([]);
  });

  test('on one block make one session: the second is refused, also after a restart [CTX-DEC-11]', async () => {
    const hall = await openHall();
    const first = await sessionSaying(hall, nextBlock(next));
    const input = { ...next, block: blockOf(first) };
    const ends = await Promise.all([codeOf(click(hall, input)), codeOf(click(hall, input))]);
    expect(ends).toEqual(['taken', 'conflict: used']);
    await hall.idle();
    const again = await openContexts(hall.home, hall.repo, onTestFinished);
    expect(await codeOf(click(again, input))).toBe('conflict: used');
    expect(logsOf(hall)).toHaveLength(2);
  });
});

describe('what is refused makes nothing', () => {
  async function refused(hall: ContextsHall, input: object): Promise<string> {
    const before = [
      logsOf(hall),
      existsSync(join(hall.repo, '.conclave/state/meta-contexts.json')),
      askedOf(hall.home),
    ];
    const code = await codeOf(click(hall, input));
    const after = [logsOf(hall), existsSync(join(hall.repo, '.conclave/state/meta-contexts.json')), askedOf(hall.home)];
    expect(after).toEqual(before);
    return code;
  }

  test('a metaContext that is missing, blank or no text, and words that are too long [CTX-DEC-3]', async () => {
    const hall = await openHall();
    const bad = [{ metaContext: undefined }, { metaContext: '' }, { metaContext: ' \n\t' }, { metaContext: 7 }];
    const long = [{ metaContext: 'a'.repeat(201) }, { command: '/'.repeat(20_001) }, { label: 'a'.repeat(201) }];
    const blank = [{ label: ' ' }, { command: '' }, { metaContext: null }, { metaContext: ['auth'] }];
    for (const change of [...bad, ...long, ...blank])
      expect(await refused(hall, { ...next, ...change })).toBe('invalid');
    expect(await refused(hall, { ...next, more: 1 })).toBe('invalid');
  });

  test('a script’s words in which a secret seems to be, unless it is meant', async () => {
    const hall = await openHall();
    const secret = `ghp_${'aB3'.repeat(12)}`;
    for (const field of ['label', 'command', 'metaContext'])
      expect(await refused(hall, { ...next, [field]: `/req ${secret}` })).toBe('conflict');
    const words = { ...next, command: `/req ${secret}` };
    await expect(click(hall, words)).rejects.toThrow(
      'a secret in the command, line 1 (GitHub token); nothing was done',
    );
    const { sessionId } = await click(hall, { ...words, allowSecrets: true });
    await hall.idle();
    expect(askedOf(hall.home).at(-1)).toMatch(words.command);
    expect((await stateOf(hall, sessionId)).messages[0]).toMatchObject({ text: expect.not.stringContaining(secret) });
  });

  test('a block that is not there, quoted, of other words, of an answer that ran or is older [CTX-DEC-11]', async () => {
    const hall = await openHall();
    const quoted = `\`\`\`\`markdown\n${nextBlock(next)}\n\`\`\`\``;
    const first = await sessionSaying(
      hall,
      `${quoted}\n\n${nextBlock(next)}\n\n${nextBlock({ label: 'A', command: '/a' })}`,
    );
    const block = blockOf(first);
    for (const words of [{ command: '/req auth2' }, { label: 'Other' }, { metaContext: 'Auth' }])
      expect(await refused(hall, { ...next, ...words, block })).toBe('conflict: other-words');
    for (const at of [{ position: 1 }, { position: 9 }, { message: 1 }, { message: 900 }])
      expect(await refused(hall, { ...next, block: { ...block, ...at } })).toBe('conflict: no-block');
    expect(await refused(hall, { ...next, block: { ...block, sessionId: 'nobody' } })).toBe('not_found');
    expect(await refused(hall, { ...next, block: { ...block, sessionId: '../x' } })).toBe('invalid');
    expect(await codeOf(click(hall, { ...next, block }))).toBe('taken');
    await hall.idle();
  });

  test('a block in a session whose context has gone on [UC-3.4, UC-3.5]', async () => {
    const hall = await openHall();
    const two = `${nextBlock({ ...next, command: '/arq auth' })}\n\n${nextBlock({ ...next, command: '/plan auth' })}`;
    hall.answer = (words) => (words === '/req auth' ? two : 'Ok');
    const first = await sessionSaying(hall, nextBlock(next));
    const { sessionId } = await click(hall, { ...next, block: blockOf(first) });
    await hall.idle();
    const phase: SessionState = await stateOf(hall, sessionId);
    await click(hall, { ...next, command: '/arq auth', block: blockOf(phase) });
    await hall.idle();
    const stale = { ...next, command: '/plan auth', block: blockOf(phase, 1) };
    expect(await refused(hall, stale)).toBe('conflict: older-phase');
  });

  test('an epic, by its spec.json; any other file of a spec is only data [CTX-DEC-10, CTX-DEC-13]', async () => {
    const { path, write } = await makeRepository();
    const spec = '.conclave/specs';
    write({
      [`${spec}/big/spec.json`]: '{ "type": "epic", "specs": ["a"] }',
      [`${spec}/simple/spec.json`]: '{ "type": "spec" }',
      [`${spec}/broken/spec.json`]: '{ "type": "epic"',
      [`${spec}/deep/spec.json`]: '['.repeat(100_000),
      [`${spec}/odd/spec.json`]: '{ "__proto__": { "type": "epic" } }',
      [`${spec}/linked/spec.json`]: { link: '../big/spec.json' },
    });
    const hall = await openContexts(join(await tempFolder(), 'home'), path, onTestFinished);
    expect(await refused(hall, { ...next, metaContext: 'big' })).toBe('conflict');
    expect(await refused(hall, { ...next, metaContext: ' big ' })).toBe('conflict');
    for (const name of ['simple', 'broken', 'deep', 'odd', 'linked', 'none', '../specs/big', '.', '..', 'a/b'])
      expect([name, await codeOf(click(hall, { ...next, metaContext: name }))]).toEqual([name, 'taken']);
    await hall.idle();
  });

  test('an agent that cannot begin: the person is told, nothing is left, and the button works again [UC-1.6]', async () => {
    const hall = await openHall();
    const first = await sessionSaying(hall, nextBlock(next));
    const clean = leftovers(hall);
    hall.refusal = fail('unavailable', 'The agent is not installed.', 'Install it.');
    expect(await refused(hall, { ...next, block: blockOf(first) })).toBe('unavailable');
    expect(leftovers(hall)).toEqual(clean);
    hall.refusal = undefined;
    expect(await codeOf(click(hall, { ...next, block: blockOf(first) }))).toBe('taken');
    await hall.idle();
    expect(askedOf(hall.home).map((line) => line.replace(/^\S+ /, ''))).toEqual(['Begin', '/req auth']);
  });
});
