/** `guild-hall open` and what `up` says of signing in: the built program, with a stand-in for the browser's opener. */
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SignInLink } from '../../src/features/signins/contract.ts';
import {
  freshHome,
  type Home,
  spawnProgram,
  spawnProgramInto,
  type Up,
  useBuiltProgram,
  waitUntil,
} from '../help/programs.ts';
import { postSecret } from '../help/sign-in.ts';

useBuiltProgram();

const linkIn = (text: string): string => /http:\/\/127\.0\.0\.1:\d+\/app\/sign-in#[\w-]{43}/.exec(text)?.[0] ?? '';
const secretOf = (link: string): string => new URL(link).hash.slice(1);

/** A home on a machine with a screen, whose `xdg-open` notes what it was told and what others can see of it. */
async function homeWithScreen(end = 'exit 0'): Promise<Home & { readonly seen: string }> {
  const home = await freshHome({ DISPLAY: ':99' });
  const bin = join(home.folder, 'bin');
  const seen = join(home.folder, 'seen');
  for (const folder of [bin, seen]) mkdirSync(folder);
  const note = `#!/bin/sh
printf '%s' "$*" > ${seen}/args
cat "$1" > ${seen}/page
ls -l "$1" > ${seen}/mode
cat /proc/[0-9]*/cmdline > ${seen}/processes 2>/dev/null
${end}
`;
  writeFileSync(join(bin, 'xdg-open'), note);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  Object.assign(home.env, { PATH: `${bin}:${process.env['PATH'] ?? ''}` });
  return { ...home, seen };
}

const noted = (home: { readonly seen: string }, name: string): string => readFileSync(join(home.seen, name), 'utf8');

describe.runIf(process.platform === 'linux')('open', () => {
  test('leads the browser to a link that works once, by a page that only its owner can read; no process bears it [DOOR-OPEN]', async () => {
    const home = await homeWithScreen();
    const { url } = await home.json<Up>('up', '--detach', '--port', '0');
    const { exitCode, out } = await home.run('open');
    expect(exitCode).toBe(0);
    const link = linkIn(out);
    expect(link).toContain(`${url}/app/sign-in#`);
    expect(out).toContain('It is being opened in your browser.');
    const page = join(home.path, 'state/open.html');
    expect(noted(home, 'args')).toBe(page);
    expect(noted(home, 'page')).toContain(`content="0;url=${link}"`);
    expect(noted(home, 'mode')).toMatch(/^-rw-------/);
    expect(noted(home, 'processes')).toContain('xdg-open');
    expect(noted(home, 'processes')).not.toContain(secretOf(link));

    expect((await postSecret(url, secretOf(link))).status).toBe(200);
    expect(existsSync(page)).toBe(false);
    expect((await postSecret(url, secretOf(link))).status).toBe(401);
    const list = await home.run('signin', 'list');
    expect(list.out).toMatch(new RegExp(`^firefox-on-linux-\\S+ .* ${url}$`, 'm'));
    expect((await home.run('signin', 'revoke', '--all')).out).toContain('✓ Signed out: firefox-on-linux-');
    expect((await home.run('signin', 'list')).out).toContain('No browser is signed in.');
  });

  test('with a browser that stays goes on at once [DOOR-OPEN]', async () => {
    const home = await homeWithScreen('echo $$ > "${0%/*}/pid"; exec sleep 600');
    onTestFinished(() => void process.kill(Number(readFileSync(join(home.folder, 'bin/pid'), 'utf8'))));
    await home.json<Up>('up', '--detach', '--port', '0');
    const { exitCode, out } = await home.run('open');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('It is being opened')]);
  });

  test.each([
    ['that fails', 'exit 3', 'xdg-open ended with exit code 3'],
    ['that is killed', 'kill -9 $$', 'xdg-open ended with SIGKILL'],
  ])('an opener %s is told, and the link printed all the same [DOOR-OPEN]', async (_how, end, told) => {
    const home = await homeWithScreen(end);
    await home.json<Up>('up', '--detach', '--port', '0');
    const { exitCode, out } = await home.run('open');
    expect(exitCode).toBe(0);
    expect(out).toContain(told);
    expect(linkIn(out)).not.toBe('');
    const asJson = await home.run('open', '--json');
    expect(JSON.parse(asJson.out)).toMatchObject({ opened: false, url: expect.stringContaining('#') });
  });

  test('without an opener, or without a screen, or when it is not wanted, prints the link [DOOR-OPEN]', async () => {
    const home = await homeWithScreen();
    await home.json<Up>('up', '--detach', '--port', '0');
    const printed = await home.run('open', '--no-open');
    expect(linkIn(printed.out)).not.toBe('');
    expect(existsSync(join(home.seen, 'args'))).toBe(false);
    Object.assign(home.env, { PATH: home.folder });
    expect((await home.run('open')).out).toMatch(/sign-in#[^]*there is no program "xdg-open"/);
    Object.assign(home.env, { DISPLAY: '' });
    const { port } = new URL(linkIn(printed.out));
    expect((await home.run('open')).out).toMatch(/sign-in#[^]*There is no screen here[^]*ssh -L /);
    expect((await home.run('open')).out).toContain(`-L ${port}:127.0.0.1:${port}`);
  });

  test('without a hall says what to type', async () => {
    const home = await freshHome();
    const { exitCode, err } = await home.run('open');
    expect(exitCode).toBe(7);
    expect(err).toContain('guild-hall up --detach');
  });
});

describe('up', () => {
  test('prints a link for the person, in the foreground and detached, and leaves none in the log [DOOR-OPEN]', async () => {
    const home = await freshHome();
    const detached = await home.run('up', '--detach', '--port', '0');
    const link = linkIn(detached.out);
    expect((await postSecret(new URL(link).origin, secretOf(link))).status).toBe(200);
    expect(readFileSync(join(home.path, 'state/hall.log'), 'utf8')).not.toMatch(/sign-in#|[\w-]{43}/);
    await home.run('down');
    const child = spawnProgram(home, 'up', '--port', '0');
    let out = '';
    child.stdout!.on('data', (part: Buffer) => (out += String(part)));
    await waitUntil(() => linkIn(out) !== '');
    const second = linkIn(out);
    expect((await postSecret(new URL(second).origin, secretOf(second))).status).toBe(200);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    expect(readFileSync(join(home.path, 'state/hall.log'), 'utf8')).not.toContain(secretOf(second));
  });

  test('gives scripts the address without a secret; they ask for a link by its own command [DOOR-OPEN]', async () => {
    const home = await freshHome();
    const { out } = await home.run('up', '--detach', '--port', '0', '--json');
    expect(Object.keys(JSON.parse(out) as Up)).toEqual(['pid', 'url', 'port', 'home', 'problems']);
    expect(out).not.toMatch(/sign-in|#/);
    const { url } = await home.json<SignInLink>('signin', 'link');
    expect((await postSecret(new URL(url).origin, secretOf(url))).status).toBe(200);
  });

  test.runIf(process.platform === 'linux')('opens the browser when it is asked to [DOOR-OPEN]', async () => {
    const home = await homeWithScreen();
    const { out } = await home.run('up', '--detach', '--port', '0', '--open');
    expect(noted(home, 'page')).toContain(linkIn(out));
    expect(out).toContain('It is being opened');
  });

  test('prints no link into the journal of the system [DOOR-OPEN]', async () => {
    const home = await freshHome();
    const file = join(home.folder, 'journal');
    const journal = openSync(file, 'a');
    const { dev, ino } = fstatSync(journal);
    Object.assign(home.env, { JOURNAL_STREAM: `${dev}:${ino}` });
    const child = spawnProgramInto(home, journal, 'up', '--port', '0');
    closeSync(journal);
    const exited = once(child, 'exit');
    await waitUntil(() => statSync(file).size > 0 && readFileSync(file, 'utf8').includes('Sign in: '));
    child.kill('SIGTERM');
    await exited;
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('Sign in: guild-hall open');
    expect(text).not.toContain('#');
  });
});
