/** What a running hall answers has the shapes that its own description promises. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openApi } from '../../src/main/openapi.ts';
import { startHallWithProject, type TestHall } from '../help/halls.ts';

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string }>>;
  readonly components: { readonly schemas: Record<string, object> };
}

async function ask(hall: TestHall, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Response> {
  return await fetch(`${hall.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${hall.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

test('the answers of a real hall, and its refusals, have the shapes of its document [DOOR-OPENAPI]', async () => {
  const { hall } = await startHallWithProject();
  expect((await fetch(`${hall.url}/openapi.json`)).status).toBe(401);
  const document = (await (await ask(hall, 'GET', '/openapi.json')).json()) as Document;
  // The same that `guild-hall openapi` prints without a hall.
  expect(document).toEqual(JSON.parse(JSON.stringify(openApi(Number(new URL(hall.url).port)))));

  const schemas = new Ajv2020({ strict: false, validateFormats: false });
  schemas.addSchema({ $id: 'https://hall.test/', $defs: document.components.schemas });
  const requireShape = (name: string, value: unknown): void => {
    const fits = schemas.validate(`https://hall.test/#/$defs/${name}`, value);
    expect([name, fits || schemas.errorsText()]).toEqual([name, true]);
  };
  const call = async (noun: string, verb: string, input: object): Promise<Record<string, unknown>> => {
    const response = await ask(hall, 'POST', `/api/${noun}/${verb}`, input);
    const value = (await response.json()) as Record<string, unknown>;
    const name = `${noun[0]!.toUpperCase()}${noun.slice(1)}${verb[0]!.toUpperCase()}${verb.slice(1)}Answer`;
    requireShape(name, value);
    return value;
  };

  const opened = await call('meeting', 'open', { worker: 'researcher', message: 'Where is countWords?' });
  const id = String(opened['id']);
  await call('meeting', 'say', { id, message: 'And who calls it?' });
  await call('meeting', 'show', { id });
  await call('meeting', 'rename', { id, title: 'Counting' });
  await call('meeting', 'interrupt', { id });
  await call('meeting', 'close', { id });
  await call('artifact', 'show', { path: `.lore/meetings/${id}.md` });
  await call('project', 'sync', {});
  // Every read that needs no words, by GET.
  const bare = Object.entries(document.paths).flatMap(([path, { get }]) =>
    get && path.startsWith('/api/') ? [path] : [],
  );
  const answered: string[] = [];
  for (const path of bare.filter((each) => !['/api/events', '/api/socket'].includes(each))) {
    const response = await ask(hall, 'GET', path);
    const value: unknown = await response.json();
    const { operationId } = document.paths[path]!['get']!;
    if (response.ok) answered.push(path);
    requireShape(response.ok ? `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Answer` : 'Problem', value);
  }
  for (const path of [
    '/api/status',
    '/api/project/list',
    '/api/worker/list',
    '/api/meeting/list',
    '/api/artifact/list',
  ]) {
    expect(answered).toContain(path);
  }

  const refused = await ask(hall, 'POST', '/api/meeting/show', { id: 'nobody-0000', colour: 'red' });
  requireShape('Problem', await refused.json());
  expect(() => requireShape('Problem', {})).toThrow('Problem');
});
