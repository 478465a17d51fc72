/** Sessions and contexts on the command line: at a terminal the person is asked what the agent asks; each verb for a script. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MetaContextList, MetaContextView, NextBlockClicked } from '../../src/features/contexts/contract.ts';
import type { SessionList } from '../../src/features/sessions/contract.ts';
import { candidates } from '../../src/main/candidates.ts';
import { startHallWithProject } from '../help/halls.ts';
import { programFile, type Ran, runProgram, useBuiltProgram, waitUntil } from '../help/programs.ts';
import { startOnTerminal } from '../help/pty.ts';

useBuiltProgram();

const timeoutMs = 120_000;

test(
  'from the first words to the next phase, at a terminal and from scripts [DOOR-COMPLETION]',
  { timeout: timeoutMs },
  async () => {
    const { hall, repo } = await startHallWithProject();
    const env = { ...process.env, GUILD_HALL_HOME: hall.home, NO_COLOR: '1' };
    const run = async (...words: string[]): Promise<Ran> => await runProgram(env, hall.home, words);
    const json = async <T>(...words: string[]): Promise<T> => JSON.parse((await run(...words, '--json')).out) as T;
    const ended = async (...words: string[]): Promise<string> => {
      const { exitCode, out, err } = await run(...words);
      return `${exitCode} ${err}${out}`;
    };
    const specs = join(repo.path, '.conclave/specs/voice');

    // At a terminal: the answer comes, its question is put, and the word that is typed lets it go on.
    const words = ['session', 'new', '--project', 'tally', '/rsrc voice how?'];
    const sitting = startOnTerminal([process.execPath, programFile(), ...words], { env, cwd: hall.home, width: 120 });
    await sitting.until('? Write .conclave/specs/voice/research.md: waits for you');
    await sitting.until('1 Allow   2 Allow Write in this session   3 Refuse > ');
    expect(existsSync(join(specs, 'research.md'))).toBe(false);
    sitting.type('nonsense\r');
    await sitting.until('3 Refuse > ');
    sitting.type('1\r');
    await sitting.until('I wrote it to');
    await sitting.until(
      /next --project tally --context voice --label 'Write the use cases' --block '.*' '\/req voice'/,
    );
    expect(await sitting.ended).toBe(0);
    expect(existsSync(join(specs, 'research.md'))).toBe(true);

    // From a script: the step as it was shown, and the question answered from elsewhere.
    const block = /--block '(.*?)'/.exec(sitting.written())![1]!;
    const named = ['next', '--project', 'tally', '--context', 'voice', '--label', 'Write the use cases'];
    const click = [...named, '--block', block, '/req voice'];
    const clicked = await json<NextBlockClicked>(...click, '--no-follow');
    expect(clicked).toMatchObject({ name: 'voice', isNew: true, isRepeated: false });
    expect(await ended(...click)).toMatch(/^5 [^]*It is used: it began “Write the use cases”/);
    const id = clicked.sessionId;
    const state = async (): Promise<string | undefined> =>
      ((await hall.client.call('session.list', { project: 'tally' })) as SessionList).sessions.find(
        (one) => one.id === id,
      )?.state;
    await waitUntil(async () => (await state()) === 'waiting');
    expect((await run('session', 'show', id)).out).toContain(`guild-hall session answer ${id} always`);
    const offered = async (key: string, given = {}): Promise<string[]> => {
      const question = { client: hall.client, typed: '', given, project: async () => 'tally' };
      return (await candidates[key]!(question)).map(({ value }) => value);
    };
    expect(await offered('session.answer.id')).toEqual([id.slice(-4)]);
    expect(await offered('session.answer.option', { id })).toEqual(['allow', 'always', 'refuse']);
    expect(await offered('session.choose.option', { id, choice: 'mode' })).toEqual(['ask', 'edits', 'auto', 'plan']);
    expect(await offered('context.show.name')).toEqual(['voice']);
    const said = run('session', 'say', id, 'What does countWords do?', '--json');
    expect(await ended('session', 'answer', id, 'dance')).toMatch(/^2 /);
    expect(await ended('session', 'answer', id, 'allow')).toMatch(/^0 ✓ Answered allow/);
    const { exitCode, out } = await said;
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      id,
      reply: { end: 'done', text: expect.stringContaining('src/count.ts:1') },
    });

    const [rows, view, shown, list, context, exported, mode] = await Promise.all([
      json<MetaContextList>('context', 'list'),
      json<MetaContextView>('context', 'show', 'voice'),
      run('session', 'show', id),
      run('session', 'list', '--project', 'tally'),
      run('context', 'show', 'voice'),
      run('context', 'export', 'voice'),
      ended('session', 'choose', id, 'mode', 'fly'),
    ]);
    expect(shown.out).toMatch(/^Write the use cases\n/);
    expect(shown.out).toContain('mode      Ask first');
    expect(shown.out).toContain('? Write .conclave/specs/voice/analysis.md: Allow');
    expect(shown.out).not.toContain('Next step');
    expect(list.out).toMatch(new RegExp(`^${id} +○ idle +claude +voice +Write the use cases$`, 'm'));
    expect(context.out).toMatch(/^\/req +Requirements +✓ done +2 use cases +\.conclave\/specs\/voice\/analysis\.md$/m);
    expect(exported.out).toMatch(/^# [^]*Write the use cases/);
    expect(mode).toMatch(/^2 [^]*ask, edits, auto, plan/);
    expect(rows.contexts).toMatchObject([{ name: 'voice', sessions: 1 }]);
    expect(view.sessions.map((one) => one.id)).toEqual([id]);

    // What cannot be done says so, by its exit code too.
    const [nobodyAsks, nothingRan, unknown] = await Promise.all([
      ended('session', 'answer', id, 'allow'),
      ended('session', 'cancel', id),
      ended('session', 'show', 'nobody'),
    ]);
    expect(nobodyAsks).toMatch(/^5 /);
    expect(nothingRan).toMatch(/^0 Nothing ran/);
    expect(unknown).toMatch(/^4 /);
    expect(await ended('session', 'close', id)).toMatch(/^0 ✓ Closed/);
    expect(await ended('session', 'say', id, 'Hello?')).toMatch(/^5 /);
    expect(await ended('session', 'reopen', id)).toMatch(/^0 ✓/);
    expect(await ended('session', 'remove', id)).toMatch(/^0 ✓ Removed/);
    expect(existsSync(join(specs, 'analysis.md'))).toBe(true);
  },
);
