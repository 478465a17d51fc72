/** The MCP door for programs in the hall's terminals: each with the token that its own terminal was given. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayCall } from '../../src/kernel/operations/operations.ts';
import { toolNameOf } from '../../src/kernel/pure/operations.ts';
import { descriptions } from '../../src/main/descriptions.ts';
import { startHallWithProject } from '../help/halls.ts';
import { connectMcp } from '../help/mcp.ts';
import { waitUntil } from '../help/programs.ts';

/** Leaves its address and token in the project, and stays. */
const program = ['sh', '-c', 'printf "%s %s\\n" "$GUILD_HALL_MCP_URL" "$GUILD_HALL_MCP_TOKEN" > told; exec sleep 600'];

test('a program in a terminal has the tools of agents, as that terminal, until it ends [SEC-MCP]', async () => {
  const { hall, repo } = await startHallWithProject();
  const { id } = (await hall.client.call('terminal.start', {
    toAgents: true,
    project: 'tally',
    name: 'ada',
    command: program,
    cwd: repo.path,
  })) as { id: string };
  const told = join(repo.path, 'told');
  await waitUntil(() => existsSync(told) && readFileSync(told, 'utf8').endsWith('\n'));
  const [address = '', token = ''] = readFileSync(told, 'utf8').trim().split(' ');
  expect(address).toBe(`${hall.url}/mcp`);
  expect(token).not.toBe(hall.token);

  const { client, call } = await connectMcp({ url: hall.url, token });
  const listed = (await client.listTools()).tools.map(({ name }) => name);
  const agent = { kind: 'agent', activity: { project: 'tally', kind: 'terminal', id } } as never;
  const isOpen = new Map(descriptions.map((each) => [toolNameOf(each), mayCall(each, agent)]));
  const open = [...isOpen].filter(([, is]) => is).map(([name]) => name);
  expect(listed).toEqual(expect.arrayContaining(open));
  expect(listed.filter((name) => isOpen.get(name) === false)).toEqual([]);
  expect(listed).toEqual(expect.arrayContaining(['start_session', 'list_sessions', 'send_message']));
  expect(listed).not.toContain('terminal_type');
  expect((await call('list_sessions')).text).toContain('ada');
  expect((await call('project_remove', { name: 'tally' })).value).toMatchObject({ code: 'forbidden' });
  for (const path of ['/api/events', '/openapi.json', '/api/status']) {
    const { status } = await fetch(`${hall.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect([path, status]).toEqual([path, 403]);
  }

  await hall.client.call('terminal.end', { id });
  await waitUntil(async () => {
    const { status } = await fetch(`${hall.url}/api/project/list`, { headers: { authorization: `Bearer ${token}` } });
    return status === 401;
  });
  await expect(call('list_sessions')).rejects.toThrow('401');
});
