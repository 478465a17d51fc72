/** What a person sees and types on a real terminal, with a hall in a process of its own. */
import { describe, expect, test } from 'vitest';
import {
  freshHome,
  type Home,
  identityOf,
  programFile,
  type Up,
  useBuiltProgram,
  waitUntil,
} from '../help/programs.ts';
import { type Pty, startOnTerminal } from '../help/pty.ts';
import { makeRepository } from '../help/repositories.ts';

useBuiltProgram();

const ctrlC = '\u0003';
const ctrlD = '\u0004';
const takenBack = '\r\u001b[2K';
const slow = '[rehearse: slow 50ms x 400]';

async function homeWithProject(): Promise<Home> {
  const home = await freshHome();
  await home.json<Up>('up', '--detach', '--port', '0');
  const repository = await makeRepository({ files: { 'README.md': '# Shop\n' } });
  await home.json('project', 'add', repository.path, '--name', 'shop');
  return home;
}

interface Given {
  readonly width?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly term?: string;
}

function typed(home: Home, words: readonly string[], { width, env, term }: Given = {}): Pty {
  // Colours are what a terminal decides here, not the environment of the tests.
  const { NO_COLOR: _none, FORCE_COLOR: _forced, ...own } = home.env;
  return startOnTerminal([process.execPath, programFile(), ...words], {
    env: { ...own, ...env },
    cwd: home.folder,
    ...(width !== undefined && { width }),
    ...(term !== undefined && { term }),
  });
}

const meetingsOf = async (home: Home): Promise<{ id: string }[]> =>
  (await home.json<{ meetings: { id: string }[] }>('meeting', 'list')).meetings;

const turnsOf = async (home: Home, id: string): Promise<{ mark: string; text: string }[]> =>
  (await home.json<{ turns: { mark: string; text: string }[] }>('meeting', 'show', id)).turns;

describe('a turn', () => {
  test('is shown while it is being said; Ctrl-C ends it and the command, well; the meeting goes on [DOOR-STREAM]', async () => {
    const home = await homeWithProject();
    const pty = typed(home, ['meeting', 'open', '--worker', 'researcher', slow]);
    // Words come several times, and the turn has not ended by then.
    const lengths = new Set<number>();
    await waitUntil(() => lengths.add(pty.written().length).size > 8);
    const [meeting] = await meetingsOf(home);
    expect(await turnsOf(home, meeting!.id)).toHaveLength(1);
    pty.type(ctrlC);
    await pty.until('interrupting the turn; Ctrl-C again leaves');
    expect(await pty.ended).toBe(0);
    expect(pty.written()).toContain(`guild-hall meeting say ${meeting!.id}`);
    const turns = await turnsOf(home, meeting!.id);
    expect(turns.at(-1)).toMatchObject({ mark: 'interrupted' });
    // What was said is on the screen, whole; what the command said between is left out here.
    const between = /\u001b\[[\d;]*[mK]|\^C|interrupting the turn; Ctrl-C again leaves|◐ [^\r\n]*\r|\s+/g;
    const words = pty.written().replaceAll(between, '');
    expect(words).toContain(turns.at(-1)!.text.trim().slice(-20).replaceAll(/\s+/g, ''));
    const again = typed(home, ['meeting', 'say', meeting!.id, 'Hello']);
    expect(await again.ended).toBe(0);
  });

  test('is left by Ctrl-C twice, also when the hall does not answer; it goes on without the one who left [DOOR-STREAM]', async () => {
    const home = await homeWithProject();
    const pty = typed(home, ['meeting', 'open', '--worker', 'researcher', slow]);
    await pty.until(/\w+ \w+ \w+/);
    const [meeting] = await meetingsOf(home);
    const { pid } = identityOf(home);
    process.kill(pid, 'SIGSTOP');
    pty.type(ctrlC);
    await pty.until('Ctrl-C again leaves');
    pty.type(ctrlC);
    expect(await pty.ended).toBe(130);
    process.kill(pid, 'SIGCONT');
    await waitUntil(async () => (await turnsOf(home, meeting!.id)).length === 2);
    expect((await home.run('meeting', 'show', meeting!.id)).exitCode).toBe(0);
  });

  test('that is silent says what is waited for and for how long; the line is taken back [DOOR-HELP]', async () => {
    const home = await homeWithProject();
    const { id } = await home.json<{ id: string }>('meeting', 'open', '--worker', 'researcher', 'Hello');
    const { pid } = identityOf(home);
    process.kill(pid, 'SIGSTOP');
    const pty = typed(home, ['meeting', 'show', id]);
    await pty.until('◐ waiting for the hall · 1 s');
    await pty.until('◐ waiting for the hall · 2 s');
    process.kill(pid, 'SIGCONT');
    expect(await pty.ended).toBe(0);
    const text = pty.written();
    expect(text.slice(text.lastIndexOf('◐'))).toMatch(/^◐ waiting for the hall · \d s(?:\u001b\[\d+m)*\r\u001b\[2K/);
    expect(text.split(takenBack).at(-1)).toContain('Hello');
    expect(text.split(takenBack).at(-1)).not.toContain('waiting for');
  });
});

describe('words from the terminal', () => {
  test('a dash takes what is typed until Ctrl-D, and says so [DOOR-HELP]', async () => {
    const home = await homeWithProject();
    const { id } = await home.json<{ id: string }>('meeting', 'open', '--worker', 'researcher', 'Hello');
    const pty = typed(home, ['meeting', 'rename', id, '-']);
    await pty.until('Ctrl-D on a line of its own ends it');
    pty.type(`Parser errors\n${ctrlD}`);
    expect(await pty.ended).toBe(0);
    const [meeting] = await home
      .json<{ meetings: { title: string }[] }>('meeting', 'list')
      .then(({ meetings }) => meetings);
    expect(meeting!.title).toBe('Parser errors');
  });
});

describe('colours', () => {
  test.each([
    ['a terminal has them', {}, [], true],
    ['NO_COLOR takes them off', { NO_COLOR: '1' }, [], false],
    ['--no-color takes them off', {}, ['--no-color'], false],
    ['a dumb terminal has none', {}, [], false, 'dumb'],
  ] as const)('%s [DOOR-HELP]', async (_what, env, flags, expected, term?: string) => {
    const home = await freshHome();
    for (const words of [['doctor'], ['--help'], ['meeting', 'list']]) {
      const pty = typed(home, [...words, ...flags], { env, ...(term !== undefined && { term }) });
      await pty.ended;
      expect([words, pty.written().includes('\u001b[')]).toEqual([words, expected]);
    }
  });

  test('in a pipe there are none, unless FORCE_COLOR says so; then they are of the sixteen that each terminal has', async () => {
    const home = await freshHome();
    expect((await home.run('doctor')).out).not.toContain('\u001b');
    const forced = await freshHome({ NO_COLOR: '', FORCE_COLOR: '1' });
    const { out } = await forced.run('doctor');
    const codes = [...out.matchAll(/\u001b\[([\d;]+)m/g)].map(([, code]) => Number(code));
    expect(codes.length).toBeGreaterThan(2);
    // Bold, dim, italic and their ends; colours 30 to 37, 90 to 97; no background.
    for (const code of codes) expect([1, 2, 3, 22, 23, 39, 31, 32, 33, 34, 35, 36, 90]).toContain(code);
  });
});

test.each([80, 120, 60])('on %d columns no line of help is wider', async (width) => {
  const home = await freshHome();
  for (const words of [['--help'], ['meeting', '--help'], ['help', 'environment']]) {
    const pty = typed(home, words, { width });
    expect(await pty.ended).toBe(0);
    const lines = pty
      .written()
      .replaceAll(/\u001b\[[\d;]*m/g, '')
      .split('\r\n');
    const wide = lines.filter((line) => [...line].length > width && !/guild-hall [a-z]+ .*["<]/.test(line));
    expect([words, wide]).toEqual([words, []]);
  }
});
