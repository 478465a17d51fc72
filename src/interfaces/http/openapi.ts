/**
 * The HTTP face as an OpenAPI 3.1 document, made from the same descriptions that the doors are mounted from. It knows no
 * feature, and needs no hall.
 */
import type { RouteAlias } from './app.ts';
import { browserPaths, browsersTag, ticketScheme } from './openapi/browsers.ts';
import { eventSchema, eventsPath } from './openapi/events.ts';
import { aliasPath, type DescribedOperation, hallTag, operationPath, schemasOf, tagOf } from './openapi/operations.ts';
import { errorTableText, problemReferences, problemResponses, problemSchema } from './openapi/problems.ts';
import type { Json } from './openapi/schemas.ts';
import { toolPaths, toolsTag } from './openapi/tools.ts';

export interface OpenApiFacts {
  readonly version: string;
  /** Of the hall; where none runs, the usual one. */
  readonly port: number;
  readonly operations: readonly DescribedOperation[];
  readonly aliases: readonly RouteAlias[];
  /** What a noun is about. */
  readonly nouns: Readonly<Record<string, string>>;
}

export function openApiDocument(facts: OpenApiFacts): Json {
  const { operations, aliases } = facts;
  const byName = new Map(operations.map((operation) => [operation.description.name, operation]));
  const paths: Record<string, Json> = { '/api/events': eventsPath };
  for (const operation of operations) addPath(paths, operationPath(operation));
  for (const [index, alias] of aliases.entries()) {
    const operation = byName.get(alias.operation);
    const earlier = aliases.slice(0, index).filter((other) => other.operation === alias.operation);
    if (operation) addPath(paths, aliasPath(alias, operation, earlier.length));
  }
  Object.assign(paths, browserPaths, toolPaths, { '/openapi.json': documentPath });
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: infoOf(facts.version),
    servers: serversOf(facts.port),
    security: [{ token: [] }],
    tags: tagsOf(facts),
    paths,
    components: {
      securitySchemes: { token: tokenScheme, ticket: ticketScheme },
      schemas: Object.assign({ Problem: problemSchema, Event: eventSchema }, ...operations.map(schemasOf)) as Json,
      responses: problemResponses(),
    },
  };
}

function addPath(paths: Record<string, Json>, [path, item]: [string, Json]): void {
  paths[path] = { ...paths[path], ...item };
}

function infoOf(version: string): Json {
  return {
    title: 'Guild Hall',
    version,
    summary: 'You and AI agents work together in your own git repository.',
    license: { name: 'MIT', identifier: 'MIT' },
    description: `What the command line can do, over HTTP: \`guild-hall <noun> <verb>\` is \`POST /api/<noun>/<verb>\` with a JSON object, and what
only reads may be asked for with GET. Something that takes long answers at once; what follows comes as events.

A refusal is \`application/problem+json\`, and tells by \`code\` what it is and by \`hint\` what to do:

${errorTableText()}`,
  };
}

function serversOf(port: number): Json[] {
  return [
    {
      url: 'http://127.0.0.1:{port}',
      description: 'The hall, which listens on this machine alone',
      variables: { port: { default: String(port), description: 'As `guild-hall status` says it' } },
    },
  ];
}

const tokenScheme: Json = {
  type: 'http',
  scheme: 'bearer',
  description:
    'The text of the file `token` in the hall’s home, `~/.guild-hall` unless `GUILD_HALL_HOME` says otherwise.',
};

/** In the order in which the operations name them. */
function tagsOf({ operations, nouns }: OpenApiFacts): Json[] {
  const words: Readonly<Record<string, string>> = {
    ...nouns,
    [hallTag]: 'The hall itself',
    [browsersTag]: 'The doors of the hall’s own pages; programs have no need of them',
    [toolsTag]: 'Every operation as a tool, for agents and their programs',
    events: 'What happens',
  };
  const ofOperations = operations.map(({ description }) => tagOf(description));
  const names = [...new Set([...ofOperations, 'events', toolsTag, hallTag, browsersTag])];
  return names.map((name) => ({ name, ...(words[name] !== undefined && { description: words[name] }) }));
}

const documentPath: Json = {
  get: {
    operationId: 'openapi',
    tags: [hallTag],
    summary: 'Show this document',
    responses: {
      '200': { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } },
      ...problemReferences(),
    },
  },
};
