/** The OpenAPI document says what the doors do, and only that. */
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { inputOfLine } from '../interfaces/cli/line.ts';
import { createApp } from '../interfaces/http/app.ts';
import { browserPaths } from '../interfaces/http/openapi/browsers.ts';
import { toolPaths } from '../interfaces/http/openapi/tools.ts';
import { createTickets } from '../interfaces/http/tickets.ts';
import { systemClock, systemIds } from '../kernel/clock/clock.ts';
import type { EventStream } from '../kernel/events/events.ts';
import { silentLog } from '../kernel/log/log.ts';
import { bindOperation, createRegistry, parseInput, personCaller } from '../kernel/operations/operations.ts';
import { errorTable, fail, HallError } from '../kernel/pure/errors.ts';
import { descriptions, routeAliases } from './descriptions.ts';
import { openApi } from './openapi.ts';
import { hallStop } from '../features/hall/contract.ts';

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Record<string, { value: unknown }>;
}
interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema?: object;
  readonly content?: Record<string, Media>;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<string, { $ref?: string; content?: Record<string, Media> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly tags: readonly { name: string; description?: string }[];
  readonly servers: readonly { variables: { port: { default: string } } }[];
  readonly components: {
    readonly schemas: Record<string, object>;
    readonly responses: Record<string, { content: Record<string, Media> }>;
  };
}

const document = openApi() as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const all = [...descriptions, hallStop];
const copyOf = (value: object) => JSON.parse(JSON.stringify(value)) as Record<string, never>;
const pathOf = (name: string): string => `/api/${name.replace('.', '/')}`;

/** Compiles schemas of the document by the rules of JSON Schema; an unknown word in one is an error. */
const schemas = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
schemas.addKeyword('example').addSchema({ $id: 'https://hall.test/', $defs: document.components.schemas });

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', '"https://hall.test/#/$defs/');
  return schemas.compile(JSON.parse(text) as object);
}

function takes(schema: object, value: unknown): unknown {
  const validate = validatorOf(schema);
  return validate(value) || validate.errors;
}

describe('the document', () => {
  test('is valid by the official schema of OpenAPI 3.1 [DOOR-OPENAPI]', async () => {
    const validator = new Validator();
    expect(await validator.validate(copyOf(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const wrong = { ...copyOf(document), info: {} };
    expect(await new Validator().validate(wrong)).toMatchObject({ valid: false });
  });

  test('refers to nothing that it does not have, and to all that it has', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, each]) => each!);
    const had = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect(new Set([...references, '#/components/schemas/Event'])).toEqual(new Set(had));
  });

  test('every schema is one by JSON Schema 2020-12, with known words only', () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect([name, validatorOf(schema)]).toEqual([name, expect.any(Function)]);
    }
    for (const { path, operation } of operations) {
      for (const { name, schema, content } of operation.parameters ?? []) {
        const given = schema ?? content!['application/json']!.schema;
        expect([path, name, validatorOf(given)]).toEqual([path, name, expect.any(Function)]);
      }
    }
  });

  test('ids are unique, tags are explained', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]*$/);
    const tags = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(tags);
    expect(document.tags.filter(({ description }) => !/\w/.test(description ?? ''))).toEqual([]);
  });

  test('tells every error code with its status; every operation may answer each', () => {
    const problem = document.components.schemas['Problem']!;
    for (const [code, { http }] of Object.entries(errorTable)) {
      const name = operations[0]!.operation.responses[http]!.$ref!.split('/').at(-1)!;
      const { example } = document.components.responses[name]!.content['application/problem+json']!;
      expect(example).toMatchObject({ code, status: http });
      expect(takes(problem, example)).toBe(true);
      expect(takes(problem, { ...(example as object), code: 'odd' })).not.toBe(true);
      for (const { operation } of operations) expect(operation.responses[http]?.$ref).toMatch(name);
    }
  });

  test('names the port of the hall, else the usual one', () => {
    expect(document.servers[0]!.variables.port.default).toBe('4747');
    expect((openApi(5001) as Document).servers[0]!.variables.port.default).toBe('5001');
  });
});

describe('each operation', () => {
  test.each(all.map((description) => [description.name, description] as const))(
    '%s has its path, its schemas, and examples that are taken [DOOR-OPENAPI, DOOR-ONE-LIST]',
    (name, description) => {
      const item = document.paths[pathOf(name)]!;
      expect(Object.keys(item)).toEqual(description.access === 'read' ? ['get', 'post'] : ['post']);
      const { schema, examples = {} } = item['post']!.requestBody!.content['application/json']!;
      const given = Object.values(examples).map(({ value }) => value);
      expect(given).toHaveLength(description.commandLine.examples.length);
      for (const value of given) {
        expect([value, takes(schema, value)]).toEqual([value, true]);
        expect(parseInput(description, value)).toBeDefined();
      }
      // The document and the hall refuse a field that neither knows.
      expect(takes(schema, { ...(given[0] as object), colour: 'red' })).not.toBe(true);
      expect(item['post']!.responses['200']!.content!['application/json']!.schema).toBeDefined();
    },
  );

  test('an example is what its command line sends', () => {
    const open = descriptions.find(({ name }) => name === 'meeting.list')!;
    expect(inputOfLine(open, 'guild-hall meeting list --status=open', String)).toEqual({ status: 'open' });
    const add = descriptions.find(({ name }) => name === 'project.add')!;
    const absolute = (path: string): string => `/at/${path}`;
    expect(inputOfLine(add, 'guild-hall project add "a b" --name shop', absolute)).toEqual({
      path: '/at/a b',
      name: 'shop',
    });
  });
});

/** Every operation refuses with its own name, so that one sees which was reached, and with what input. */
const reached: { name: string; input: unknown }[] = [];
const app = createApp(
  { clock: systemClock, log: silentLog, events: undefined as unknown as EventStream },
  {
    registry: createRegistry(
      all.map((description) =>
        bindOperation(description, async (_caller, input) => {
          reached.push({ name: description.name, input });
          throw fail('conflict', 'reached', 'x');
        }),
      ),
    ),
    aliases: routeAliases,
    admissionOf: (token) => (token === 'secret' ? { caller: personCaller } : undefined),
    openApi: () => document,
    tickets: createTickets({ clock: systemClock, ids: systemIds }),
    browser: {
      pages: '',
      freshNonce: () => '',
      signIn: async () => ({ token: 't', id: 's' }),
      refusalOf: () => undefined,
    },
    port: () => 4747,
  },
);

async function ask(
  method: string,
  path: string,
  body?: unknown,
  token = 'secret',
  more: Record<string, string> = {},
): Promise<Response> {
  const headers = {
    ...more,
    host: 'localhost:4747',
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
  };
  return await app.request(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** A value of a kind of field that the operation takes. */
function exampleOf(name: string): Record<string, unknown> {
  const media = document.paths[pathOf(name)]!['post']!.requestBody!.content['application/json']!;
  return (Object.values(media.examples ?? {})[0]?.value ?? {}) as Record<string, unknown>;
}

describe('the doors', () => {
  const others = new Set(['/api/events', '/openapi.json', ...Object.keys(browserPaths), ...Object.keys(toolPaths)]);
  const callable = operations.filter(({ path }) => !others.has(path));
  const nameAt = (path: string): string =>
    all.find(({ name }) => pathOf(name) === path)?.name ??
    routeAliases.find((alias) => alias.path.replaceAll(/:(\w+)/g, '{$1}') === path)!.operation;

  test.each(callable.map(({ method, path, operation }) => [method, path, operation] as const))(
    '%s %s reaches its operation with what the document says to send [DOOR-OPENAPI]',
    async (method, path, operation) => {
      const name =
        [...routeAliases].find((alias) => alias.method === method && alias.path.replaceAll(/:(\w+)/g, '{$1}') === path)
          ?.operation ?? nameAt(path);
      const whole = exampleOf(name);
      const inPath = new Set(
        (operation.parameters ?? []).filter((each) => each.in === 'path').map((each) => each.name),
      );
      const rest = Object.entries(whole).filter(([field]) => !inPath.has(field));
      const body = operation.requestBody?.content['application/json'];
      if (body) expect(takes(body.schema, Object.fromEntries(rest))).toBe(true);
      const filled = path.replaceAll(/\{(\w+)\}/g, (_all, field: string) => encodeURIComponent(String(whole[field])));
      reached.length = 0;
      const response = operation.requestBody
        ? await ask(method, filled, Object.fromEntries(rest))
        : await ask(
            method,
            `${filled}?${new URLSearchParams(rest.map(([field, value]): [string, string] => [field, String(value)]))}`,
          );
      expect(await response.json()).toMatchObject({ code: 'conflict', detail: 'reached' });
      const description = all.find((each) => each.name === name)!;
      expect(reached).toEqual([{ name, input: parseInput(description, whole) }]);
    },
  );

  test('/openapi.json asks for the token like every door [SEC-TOKEN, DOOR-OPENAPI]', async () => {
    expect((await ask('GET', '/openapi.json', undefined, 'wrong')).status).toBe(401);
    const response = await ask('GET', '/openapi.json');
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)));
  });

  test('what the pages of browsers ask for has the shapes of the document', async () => {
    const schemasAt = (path: string) => {
      const { requestBody, responses } = document.paths[path]!['post']!;
      return [requestBody!.content['application/json']!.schema, responses['200']!.content!['application/json']!.schema];
    };
    const headers = { origin: 'http://localhost:4747', 'sec-fetch-site': 'same-origin' };
    for (const [path, body] of [
      ['/api/sign-in', { secret: 'x' }],
      ['/api/ticket', { for: 'socket' }],
    ] as const) {
      const [given, answered] = schemasAt(path);
      expect([path, takes(given!, body), takes(given!, {})]).toEqual([path, true, expect.any(Array)]);
      const response = await ask('POST', path, body, 'secret', headers);
      expect([path, takes(answered!, await response.json())]).toEqual([path, true]);
    }
  });

  test('no route is left out of the document', () => {
    const known = new Set(operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`));
    const generic = new Set(['/api/:noun', '/api/:noun/:verb', '/*', '/', '/app', '/app/*']);
    const routes = app.routes.filter(({ path, method }) => method !== 'ALL' && !generic.has(path));
    expect(routes.length).toBeGreaterThan(4);
    expect(routes.map(({ method, path }) => `${method} ${path}`).filter((route) => !known.has(route))).toEqual([]);
  });
});

test('what a schema of the document refuses, the hall refuses too', () => {
  const cases = [
    ['meeting.open', { worker: '', message: 'x' }],
    ['meeting.open', { message: 'x' }],
    ['meeting.list', { status: 'opne' }],
    ['project.remove', { name: 'A b' }],
    ['artifact.show', { path: 7 }],
  ] as const;
  for (const [name, input] of cases) {
    const description = descriptions.find((each) => each.name === name)!;
    const { schema } = document.paths[pathOf(name)]!['post']!.requestBody!.content['application/json']!;
    expect([name, input, takes(schema, input)]).not.toEqual([name, input, true]);
    expect(() => parseInput(description, input)).toThrow(HallError);
  }
});
