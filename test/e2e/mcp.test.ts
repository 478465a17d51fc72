/** The MCP door of a real hall: the same verbs, refusals and rights as at its other doors, and real clients. */
import { expect, test } from 'vitest';
import { hallStop } from '../../src/features/hall/contract.ts';
import { fieldsOf } from '../../src/kernel/operations/fields.ts';
import { errorFactsOf, type ErrorFacts } from '../../src/kernel/pure/errors.ts';
import { type OperationDescription, toolNameOf } from '../../src/kernel/pure/operations.ts';
import { descriptions } from '../../src/main/descriptions.ts';
import { claudeTurn } from '../help/claude-mcp.ts';
import { startHallWithProject, type TestHall } from '../help/halls.ts';
import { connectMcp, type McpCaller } from '../help/mcp.ts';
import { makeRepository } from '../help/repositories.ts';

const all = [...descriptions, hallStop];

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function refusalOverHttp(hall: TestHall, { name }: OperationDescription, input: object): Promise<ErrorFacts> {
  return errorFactsOf(
    await hall.client.call(name, input).then(
      (value) => new Error(`it was answered: ${JSON.stringify(value)}`),
      (error: unknown) => error,
    ),
  );
}

/** The fields that are wrong, and how. */
function problemsOf({ details }: Pick<ErrorFacts, 'details'>): unknown[] {
  const problems = (details?.['fields'] ?? []) as { field: string }[];
  return problems.map((problem) => ({ ...problem, field: snake(problem.field) }));
}

async function refusalHere({ call }: McpCaller, description: OperationDescription, input: object): Promise<ErrorFacts> {
  const named = Object.fromEntries(Object.entries(input).map(([name, value]) => [snake(name), value as unknown]));
  const { isError, value } = await call(toolNameOf(description), named);
  expect([description.name, isError]).toEqual([description.name, true]);
  return value as unknown as ErrorFacts;
}

/** The first command of the command line that is named, which a client of tools cannot type; empty for none. */
function commandIn(hint: string): string {
  const commands = all.map(({ name }) => `guild-hall ${name.replaceAll('.', ' ')}`);
  return commands.find((command) => hint.includes(command)) ?? '';
}

/** For every field that is needed something that could be meant, about a thing that there is not. */
function inputAbout(description: OperationDescription): Record<string, unknown> {
  const named: Readonly<Record<string, unknown>> = {
    id: description.name === 'commission.wait' ? ['nobody-knows-it'] : 'nobody-knows-it',
    verb: 'answer',
    path: '.lore/x.md',
    project: 'tally',
  };
  const ofKind = { text: 'x', number: 40, boolean: true, list: ['x'], json: {} };
  const needed = fieldsOf(description).filter(({ name, required }) => required || name === 'id' || name === 'project');
  return Object.fromEntries(
    needed.map(({ name, kind, choices }) => [name, named[name] ?? choices[0] ?? ofKind[kind]] as const),
  );
}

test('every operation is a tool with the same name, words, input and errors as at the other doors [DOOR-ONE-LIST, DOOR-MCP]', async () => {
  const { hall } = await startHallWithProject({ limits: { burst: 1e6 } });
  const person = await connectMcp(hall);
  const { tools } = await person.client.listTools();
  const listed = new Map(tools.map((tool) => [tool.name, tool]));
  expect([...listed.keys()].toSorted()).toEqual(all.map((each) => toolNameOf(each)).toSorted());
  // Words of this program only say nothing to a client.
  expect(JSON.stringify(tools)).not.toMatch(/isPath|isHere|\$schema/);
  const refused: string[] = [];
  for (const description of all) {
    const tool = listed.get(toolNameOf(description))!;
    expect(tool.description).toBe(`${description.summary}.`);
    expect(tool.annotations).toMatchObject({ readOnlyHint: description.access === 'read' });
    const fields = fieldsOf(description);
    expect(Object.keys(tool.inputSchema.properties ?? {})).toEqual(fields.map(({ name }) => snake(name)));
    const needed = fields.filter(({ required }) => required).map(({ name }) => snake(name));
    expect(tool.inputSchema.required ?? []).toEqual(needed);
    // Malformed: the same fields are named, with what was expected and what was given.
    const wrong = Object.fromEntries(fields.map(({ name }) => [name, { not: 'this' }]));
    const input = { ...wrong, nonsense: 1 };
    const [http, mcp] = [
      await refusalOverHttp(hall, description, input),
      await refusalHere(person, description, input),
    ];
    expect([description.name, mcp.code, problemsOf(mcp)]).toEqual([description.name, http.code, problemsOf(http)]);
    // Six problems are named; a field with fields of its own has several.
    const upTo = fields.findIndex(({ name }) => name === 'block');
    for (const { name } of fields.slice(0, upTo === -1 ? 6 : upTo)) expect(mcp.message).toContain(`"${snake(name)}"`);
    // Well formed, about a thing that there is not: the operation's own refusal, word for word.
    if (!fields.some(({ name }) => name === 'id') || description.name === 'signin.revoke') continue;
    const about = inputAbout(description);
    const own = await refusalOverHttp(hall, description, about);
    const here = await refusalHere(person, description, about);
    expect([description.name, here]).toEqual([description.name, { ...own, hint: here.hint }]);
    // The next thing to do is a tool here, where it is a command at a terminal.
    if (own.hint.includes('guild-hall '))
      expect([description.name, commandIn(here.hint)]).toEqual([description.name, '']);
    else expect(here.hint).toBe(own.hint);
    refused.push(own.code);
  }
  expect(refused.length).toBeGreaterThan(30);
  expect(new Set(refused)).toEqual(new Set(['not_found']));
});

test('what is read over MCP is what is read over HTTP, with the words of the command line beside it; another token opens nothing [DOOR-MCP, SEC-TOKEN]', async () => {
  const { hall } = await startHallWithProject();
  const { call } = await connectMcp(hall);
  for (const name of ['project.list', 'worker.list', 'meeting.list', 'inbox.list', 'config.show']) {
    expect((await call(name.replace('.', '_'))).value).toEqual(await hall.client.call(name, {}));
  }
  expect((await call('project_list')).text).toContain('tally');
  const opened = await call('meeting_open', { worker: 'researcher', message: 'Where is countWords?', artifacts: [] });
  expect(opened).toMatchObject({ isError: false, value: { status: 'open', worker: 'researcher' } });
  const closed = await call('meeting_close', { id: opened.value['id'] });
  expect(closed).toMatchObject({ isError: false, value: { merge: { state: 'merged' } } });
  await expect(connectMcp({ url: hall.url, token: 'x'.repeat(43) })).rejects.toThrow('401');
});

test('the real Claude Agent SDK uses the door: it finds the tools, calls them, is answered and asked [DOOR-MCP]', async () => {
  const { hall } = await startHallWithProject();
  const other = await makeRepository({ files: { 'README.md': '# Other\n' } });
  await hall.client.call('project.add', { path: other.path, name: 'other' });
  const headers = { Authorization: `Bearer ${hall.token}` };
  const server = { type: 'http' as const, url: `${hall.url}/mcp`, headers, alwaysLoad: true };
  const asked: string[] = [];
  const turn = await claudeTurn(
    server,
    [
      ['worker_list', {}],
      ['meeting_show', { ident: 'x' }],
      ['project_show', {}],
    ],
    async ({ message }) => {
      asked.push(message);
      return { action: 'accept', content: { project: 'other' } };
    },
  );
  expect(turn.status).toBe('connected');
  expect(turn.tools).toEqual(expect.arrayContaining(all.map((each) => toolNameOf(each))));
  expect(turn.results).toContain('researcher');
  expect(turn.results).toContain('there is no field');
  expect(asked).toEqual([
    'meeting show: what is missing?',
    expect.stringMatching(/^It is not said which project is meant/),
  ]);
  expect(turn.results).toContain(other.path);
  const wrong = await claudeTurn({ ...server, headers: { Authorization: 'Bearer wrong' } }, []);
  expect(wrong).toMatchObject({ status: 'failed', tools: [] });
});
