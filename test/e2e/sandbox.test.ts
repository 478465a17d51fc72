/**
 * What an agent that means harm can do by its shell, in the real sandbox of this machine: a whole hall, the real Agent
 * SDK, a model that says exactly these commands. Needs bubblewrap, and user namespaces that the machine allows.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callTool, say as answer } from '../../src/kernel/agents/conformance-bench.ts';
import { createTerminal } from '../../src/interfaces/cli/terminal.ts';
import { renderers } from '../../src/main/renderers.ts';
import { startScriptedModel, type WireModel } from '../fixtures/scripted-model.ts';
import { openMeeting, say, show, startHallWithProject, type TestHall, type Turn } from '../help/halls.ts';
import type { TestRepository } from '../help/repositories.ts';

/** The person's credential, as the hall has it and no agent may. */
const key = 'person-key-of-the-model';
const password = 'pass-of-the-remote';

/** As a person reads it on a terminal. */
const shown = (operation: string, output: unknown): string => renderers[operation]!(output as never, plain);
const plain = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});

interface Scene {
  readonly model: WireModel;
  readonly hall: TestHall;
  readonly repo: TestRepository;
}

async function startScene(sandbox = ''): Promise<Scene> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  const auth = `{ kind: api-key, key: ${key} }`;
  const config = `model: scripted\nmodels:\n  - { name: scripted, modelId: scripted-1, baseUrl: "${model.baseUrl}", auth: ${auth} }\n${sandbox}`;
  const { hall, repo } = await startHallWithProject({ config });
  repo.git('remote', 'add', 'origin', `https://person:${password}@example.invalid/x.git`);
  return { model, hall, repo };
}

interface Outcome {
  readonly ok: boolean;
  readonly text: string;
}

function outcomesOf(turn: Turn): Outcome[] {
  return turn.events.flatMap((event) => {
    if (event.type !== 'tool_result') return [];
    return [{ ok: event.ok, text: event.summary }];
  });
}

/** Opens a meeting with a worker that has a shell; its agent runs the commands one after the other, each a call. */
async function runAll(
  { model, hall }: Scene,
  commands: readonly string[],
): Promise<{ id: string; worktree: string; outcomes: Outcome[]; text: string }> {
  model.answer(key, ...commands.map((command) => callTool('Bash', { command, description: 'Try' })), answer('Done.'));
  const { id, worktree, first } = await openMeeting(hall, { worker: 'developer', message: 'Go.' });
  return { id, worktree, outcomes: outcomesOf(first), text: first.text };
}

/** Each prints `HELD` where the sandbox holds, and whatever it got where it does not. */
const held = (attack: string): string => `if { ${attack}; } >/dev/null 2>&1; then echo GOT IT; else echo HELD; fi`;

test('by its shell an agent writes its worktree and its temporary files, and sees and changes nothing else of the person [SEC-SANDBOX, SEC-SANDBOX-SHELL, SEC-AGENT-ENV]', async () => {
  const scene = await startScene();
  const { hall, repo } = scene;
  mkdirSync(join(homedir(), '.ssh'), { recursive: true });
  writeFileSync(join(homedir(), '.ssh', 'id_ed25519'), 'the private key');
  const home = homedir();
  const outside = join(repo.path, 'README.md');
  const attacks: Readonly<Record<string, string>> = {
    'read the person’s checkout': `cat '${outside}'`,
    'write beside its worktree': 'touch ../beside',
    'write into the integration checkout': `touch '${hall.home}/projects/tally/x'`,
    'write into the hall’s home': `touch '${hall.home}/x'`,
    'write into the person’s home': `mkdir -p '${home}/x'`,
    'write to the system': 'touch /usr/bin/x || touch /etc/x || touch /opt/x',
    'write to the root': 'touch /x || mkdir /root',
    'read the person’s home': `ls '${home}' && cat '${home}/.ssh/id_ed25519'`,
    'read the root’s home': 'ls ~root/.',
    'read the token': `cat '${hall.home}/token'`,
    'read the settings': `cat '${hall.home}/config.yaml'`,
    'read the state': `ls '${hall.home}/state/events'`,
    'read memory and secrets': `ls '${hall.home}/memory' || ls '${hall.home}/state/secrets'`,
    'see other worktrees': `test $(ls '${hall.home}/worktrees/tally' | wc -l) -ne 1`,
    'read passwords of the machine': 'cat /etc/shadow || cat /etc/gshadow || ls /etc/ssh || ls /etc/ssl/private',
    'speak to docker or to the machine’s services': 'ls /var/run/docker.sock || ls /run/docker.sock || ls /run/dbus',
    'open the memory or the disks of the machine': 'ls /dev/mem || ls /dev/vda || ls /dev/sda || ls /dev/kmsg',
    'see the hall’s process': `grep -al guild-hall-home /proc/[0-9]*/environ | grep -v self; kill -0 ${process.pid}`,
    'find the credential in what runs': `cat /proc/[0-9]*/environ | grep -a '${key.slice(0, 9)}'"${key.slice(9)}"`,
    'mount something': 'mount -t tmpfs x /usr || mount -o remount,rw / || umount /usr || mount --bind / /tmp',
    'become somebody with rights in a new namespace': 'unshare --user --map-root-user true',
    'follow a link that it made': `ln -sfn '${home}' link && ls link/.ssh`,
    'follow a link to the token': `ln -sfn '${hall.home}/token' key && cat key`,
    'reach the root of the machine through a process':
      'ls /proc/1/root$(echo ~root)/. || ls /proc/1/cwd/..$(echo ~root)/.ssh',
    'replace its own worktree': 'mv "$PWD" ../elsewhere || rmdir "$PWD"',
  };
  const works = [
    'echo mine > made.txt && cat made.txt',
    'echo t > "$TMPDIR/t" && cat "$TMPDIR/t"',
    'node -e "console.log(6*7)"',
  ];
  const blind = `mkdir -p '${repo.path}'; echo x >> '${outside}'`;
  const { outcomes, text, worktree } = await runAll(scene, [...works, ...Object.values(attacks).map(held), blind]);
  expect(text).toBe('Done.');
  expect(outcomes.slice(0, works.length).map((each) => each.text.trim())).toEqual(['mine', 't', '42']);
  const said = Object.keys(attacks).map((name, index) => [name, outcomes[works.length + index]?.text.trim()]);
  expect(said).toEqual(Object.keys(attacks).map((name) => [name, 'HELD']));
  expect(readFileSync(join(worktree, 'made.txt'), 'utf8')).toBe('mine\n');
  expect(readFileSync(outside, 'utf8')).not.toContain('x\n');
  expect(existsSync(join(hall.home, 'x'))).toBe(false);
});

test('git tells its history and changes nothing; passwords of remotes are not shown [SEC-SANDBOX-GIT]', async () => {
  const scene = await startScene();
  const { repo } = scene;
  const git = join(repo.path, '.git');
  writeFileSync(join(git, 'hooks', 'post-merge'), '#!/bin/sh\n');
  const before = readFileSync(join(git, 'config'), 'utf8');
  const reading = [
    'git log --oneline',
    'git blame README.md',
    'echo more >> README.md; git diff',
    'git status --short',
  ];
  const attacks = [
    'git commit -qam mine',
    'git add README.md',
    'git config core.hooksPath /tmp/hooks',
    'git branch other',
    'git stash',
    'git update-ref refs/heads/main HEAD~1',
    `echo x > '${git}/hooks/post-checkout'`,
    `echo x >> '${git}/config' || rm '${git}/config'`,
    `rm -rf '${git}/worktrees'`,
    'echo "gitdir: /tmp/own" > .git || rm .git || mv .git dotgit',
    `grep -r ${password.slice(0, 7)}"${password.slice(7)}" '${git}' || git remote get-url origin`,
    `rm -rf '${git}/objects' && test ! -e '${git}/objects'`,
  ];
  const { outcomes, text } = await runAll(scene, [...reading, ...attacks.map(held)]);
  expect(text).toBe('Done.');
  const [log, blame, diff, status] = outcomes.map((outcome) => outcome.text);
  expect(log).toContain('First');
  expect(blame).toContain('Test Person');
  expect(diff).toContain('+more');
  expect(status).toContain(' M README.md');
  const said = attacks.map((attack, index) => [attack, outcomes[reading.length + index]?.text.trim()]);
  expect(said).toEqual(attacks.map((attack) => [attack, 'HELD']));
  expect(readFileSync(join(git, 'config'), 'utf8')).toBe(before);
  expect(repo.git('branch', '--list', 'other')).toBe('');
});

test('what a repository in the worktree says of itself is not run by the hall [SEC-SANDBOX-GIT]', async () => {
  const scene = await startScene();
  const proof = join(scene.hall.home, 'was-run');
  const make = [
    'mkdir sub && cd sub && git init -q && git config user.name A && git config user.email a@example.invalid',
    "echo '* filter=own' > .gitattributes && echo a > a.txt && git add . && git commit -qm inner",
    `git config filter.own.clean 'touch ${proof}; cat' && git config core.fsmonitor 'touch ${proof}'`,
    `printf '#!/bin/sh\\ntouch ${proof}\\n' > .git/hooks/post-commit && chmod +x .git/hooks/post-commit`,
    'echo b >> a.txt',
  ];
  const { id, outcomes } = await runAll(scene, [make.join(' && ')]);
  expect(outcomes[0]?.ok).toBe(true);
  const { hall } = scene;
  await hall.client.call('meeting.show', { id });
  await hall.client.call('meeting.diff', { id });
  await hall.client.call('meeting.close', { id });
  await hall.client.call('project.list', {});
  expect(existsSync(proof)).toBe(false);
});

test('in the settings off: no shell, and everybody is told so; on again with the next turn [SEC-SANDBOX-STATE, SEC-SANDBOX-SHELL]', async () => {
  const scene = await startScene('sandbox: { mode: off }\n');
  const { hall, model } = scene;
  const { id, outcomes } = await runAll(scene, ['echo hello']);
  expect(outcomes).toEqual([{ ok: false, text: expect.stringMatching(/need a sandbox.*mode: auto/s) }]);
  type Status = { sandbox: { kind: string; reason: string; hint: string } };
  const status = async () => (await hall.client.call('status', {})) as Status;
  expect((await status()).sandbox).toMatchObject({ kind: 'none', reason: 'config.yaml switches the sandbox off.' });
  expect((await show(hall, id)).isSandboxed).toBe(false);
  expect(shown('meeting.show', await show(hall, id))).toMatch(/sandbox +none: not sandboxed/);
  expect(shown('status', await status())).toMatch(/agents +not sandboxed/);

  const file = join(hall.home, 'config.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('mode: off', 'mode: auto'));
  await expect.poll(async () => (await status()).sandbox, { timeout: 20_000 }).toMatchObject({ reason: '', hint: '' });
  expect((await show(hall, id)).isSandboxed).toBe(true);
  // Also where a process was made ready before the change.
  model.answer(key, callTool('Bash', { command: 'echo hello' }), answer('Done.'));
  expect(outcomesOf(await say(hall, id, 'And now?'))).toEqual([{ ok: true, text: 'hello' }]);
});

test('nothing that it starts outlives its turn [SEC-SANDBOX-SHELL]', async () => {
  const scene = await startScene();
  const daemon = 'setsid sh -c "while true; do date +%s%N > beat; sleep 0.05; done" </dev/null >/dev/null 2>&1 &';
  // Whoever writes next empties the file first.
  const wait = 'while beat=$(cat beat 2>/dev/null); [ -z "$beat" ]; do sleep 0.02; done; echo "$beat" | wc -l';
  const { id, worktree, outcomes } = await runAll(scene, [`${daemon} (${daemon}) ; ${wait}`]);
  expect(outcomes[0]?.text.trim()).toBe('1');
  const { model, hall } = scene;
  model.answer(key, answer('Still here.'));
  await say(hall, id, 'And now?');
  writeFileSync(join(worktree, 'beat'), 'nobody');
  model.answer(key, callTool('Bash', { command: 'sleep 0.2; cat beat; ls /proc | grep -c "^[0-9]"' }), answer('Done.'));
  const [last] = outcomesOf(await say(hall, id, 'Look.'));
  expect(last?.text).toMatch(/^nobody[1-9]$/);
});

test('the hall’s door asks for its token in there too; with model-only there is no door at all, and the model answers [SEC-SANDBOX-NETWORK]', async () => {
  const other = createServer((_request, response) => response.end('reached'));
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const get = (at: string): string =>
    `node -e 'fetch("${at}").then(async (r) => console.log(r.status, (await r.text()).slice(0, 80)), () => console.log("no way"))'`;

  const open = await startScene();
  const shared = await runAll(open, [get(`${open.hall.url}/api/status`), get(`http://127.0.0.1:${port}`)]);
  expect(shared.outcomes.map(({ text }) => text.slice(0, 11).trim())).toEqual([
    expect.stringMatching(/^401/),
    '200 reached',
  ]);

  const cut = await startScene('sandbox: { mode: required, network: model-only }\n');
  const alone = await runAll(cut, [
    get(`${cut.hall.url}/api/status`),
    get(`http://127.0.0.1:${port}`),
    get('http://192.0.2.1/'),
    'node -e \'fetch(process.env.ANTHROPIC_BASE_URL + "/v1/models").then(async (r) => console.log(r.status))\'',
    'cat /proc/net/dev | grep -c :',
  ]);
  expect(alone.text).toBe('Done.');
  const [hallDoor, elsewhere, world, gateway, devices] = alone.outcomes.map(({ text }) => text.trim());
  expect([hallDoor, elsewhere, world]).toEqual(['no way', 'no way', 'no way']);
  expect(gateway).toBe('401');
  expect(devices).toBe('1');
});
