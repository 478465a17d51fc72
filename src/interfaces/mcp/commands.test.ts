import { expect, test } from 'vitest';
import { z } from 'zod';
import { bindOperation, createRegistry, mayCall, personCaller } from '../../kernel/operations/operations.ts';
import { describeOperation } from '../../kernel/pure/operations.ts';
import { withTools } from './commands.ts';
import { toolsOf } from './tools.ts';

const list = describeOperation({
  name: 'thing.list',
  tool: 'list_things',
  access: 'read',
  audience: 'agents',
  summary: 'List things',
  input: z.strictObject({}),
  output: z.object({}),
  commandLine: { examples: [] },
});
const bound = [
  list,
  describeOperation({ ...list, name: 'seek', tool: 'seek_it' }),
  describeOperation({ ...list, name: 'thing.look-at', tool: 'look_at', audience: 'person' }),
].map((description) => bindOperation(description, async () => ({})));
const tools = toolsOf(createRegistry(bound));
const said = (hint: string): string =>
  withTools(hint, tools, ({ operation }) => mayCall(operation.description, personCaller));

test('a command of a hint is named as the tool that does it, with its words', () => {
  expect(said('See: guild-hall thing list')).toBe('See: list_things');
  expect(said('Look: guild-hall thing look-at k3f9, or guild-hall thing list --all.')).toBe(
    'Look: look_at k3f9, or list_things --all.',
  );
  expect(said('guild-hall seek <words>')).toBe('seek_it <words>');
  expect(said('guild-hall seek words')).toBe('seek_it words');
});

test('a command without a tool stays as it is, and so does one whose tool is not open to the caller', () => {
  expect(said('guild-hall up --detach')).toBe('guild-hall up --detach');
  expect(said('guild-hall thing lists')).toBe('guild-hall thing lists');
  const forNobody = withTools('guild-hall thing list', tools, () => false);
  expect(forNobody).toBe('guild-hall thing list');
});
