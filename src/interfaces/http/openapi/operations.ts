/** The operations in the OpenAPI document: their own paths, the aliases, their schemas. */
import { fieldsOf } from '../../../kernel/operations/fields.ts';
import type { OperationDescription } from '../../../kernel/pure/operations.ts';
import type { RouteAlias } from '../app.ts';
import { problemReferences } from './problems.ts';
import { answerSchemaOf, inputSchemaOf, type Json } from './schemas.ts';

/** An input that is known to be taken, with what it does. */
export interface InputExample {
  readonly summary: string;
  readonly value: Json;
}

export interface DescribedOperation {
  readonly description: OperationDescription;
  readonly examples: readonly InputExample[];
}

/** Tag of operations that are one word. */
export const hallTag = 'hall';

export function tagOf({ name }: OperationDescription): string {
  return name.includes('.') ? name.split('.')[0]! : hallTag;
}

/** `components.schemas` of one operation. */
export function schemasOf({ description }: DescribedOperation): Json {
  return {
    [`${componentOf(description)}Input`]: inputSchemaOf(description.input),
    [`${componentOf(description)}Answer`]: answerSchemaOf(description.output),
  };
}

/** POST for every operation; a read may be asked for with GET as well. */
export function operationPath(operation: DescribedOperation): [string, Json] {
  const { description } = operation;
  const isRead = description.access === 'read';
  const path = `/api/${description.name.replace('.', '/')}`;
  const post = bodyOperation(operation, isRead ? `${idOf(description)}ByPost` : idOf(description), []);
  return [path, isRead ? { get: queryOperation(operation, idOf(description), []), post } : { post }];
}

/** The path of an alias with its one method; fields that stand in the path are in neither body nor query. */
export function aliasPath(alias: RouteAlias, operation: DescribedOperation, count: number): [string, Json] {
  const inPath = [...alias.path.matchAll(/:([A-Za-z]\w*)/g)].map(([, name]) => name!);
  const path = alias.path.replaceAll(/:([A-Za-z]\w*)/g, '{$1}');
  const id = `${idOf(operation.description)}Alias${count === 0 ? '' : count + 1}`;
  const build = alias.method === 'POST' ? bodyOperation : queryOperation;
  const described = build(operation, id, inPath);
  const note = `The same as \`POST /api/${operation.description.name.replace('.', '/')}\`.`;
  return [path, { [alias.method.toLowerCase()]: { ...described, description: note } }];
}

function bodyOperation(operation: DescribedOperation, id: string, inPath: readonly string[]): Json {
  const examples = operation.examples.map(({ summary, value }, index) => [
    `example${index + 1}`,
    { summary, value: withoutFields(value, inPath) },
  ]);
  const content = {
    schema: bodySchemaOf(operation.description, inPath),
    ...(examples.length > 0 && { examples: Object.fromEntries(examples) as Json }),
  };
  return {
    ...commonOf(operation, id),
    ...parametersOf(operation.description, inPath, []),
    requestBody: { required: true, content: { 'application/json': content } },
    ...responsesOf(operation.description),
  };
}

function queryOperation(operation: DescribedOperation, id: string, inPath: readonly string[]): Json {
  const inQuery = fieldsOf(operation.description)
    .map(({ name }) => name)
    .filter((name) => !inPath.includes(name));
  return {
    ...commonOf(operation, id),
    ...parametersOf(operation.description, inPath, inQuery),
    ...responsesOf(operation.description),
  };
}

function commonOf({ description }: DescribedOperation, id: string): Json {
  const { summary, audience, access, commandLine } = description;
  return {
    operationId: id,
    tags: [tagOf(description)],
    summary,
    'x-access': access,
    'x-audience': audience,
    ...(commandLine.examples.length > 0 && {
      'x-codeSamples': commandLine.examples.map(({ line, does }) => ({ lang: 'Shell', label: does, source: line })),
    }),
  };
}

function parametersOf(
  description: OperationDescription,
  inPath: readonly string[],
  inQuery: readonly string[],
): { parameters?: Json[] } {
  const { properties = {}, required = [] } = inputSchemaOf(description.input) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const kinds = new Map(fieldsOf(description).map(({ name, kind }) => [name, kind]));
  const parameterOf = (name: string, place: 'path' | 'query'): Json => {
    const { description: help, ...schema } = properties[name] ?? {};
    return {
      name,
      in: place,
      ...(help !== undefined && { description: help }),
      required: place === 'path' || required.includes(name),
      // What words cannot say is JSON in the query.
      ...(kinds.get(name) === 'json' ? { content: { 'application/json': { schema } } } : { schema }),
    };
  };
  const parameters = [
    ...inPath.map((name) => parameterOf(name, 'path')),
    ...inQuery.map((name) => parameterOf(name, 'query')),
  ];
  return parameters.length === 0 ? {} : { parameters };
}

function bodySchemaOf(description: OperationDescription, inPath: readonly string[]): Json {
  if (inPath.length === 0) return { $ref: `#/components/schemas/${componentOf(description)}Input` };
  const schema = inputSchemaOf(description.input) as { properties?: Json; required?: string[] };
  const required = schema.required?.filter((name) => !inPath.includes(name)) ?? [];
  return { ...schema, properties: withoutFields(schema.properties ?? {}, inPath), required };
}

function responsesOf(description: OperationDescription): Json {
  const schema = { $ref: `#/components/schemas/${componentOf(description)}Answer` };
  return {
    responses: {
      '200': { description: 'Done.', content: { 'application/json': { schema } } },
      ...problemReferences(),
    },
  };
}

function withoutFields(value: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** `thing.show-all` → `thingShowAll`. */
function idOf({ name }: OperationDescription): string {
  return name.replaceAll(/[.-]([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function componentOf(description: OperationDescription): string {
  const id = idOf(description);
  return id[0]!.toUpperCase() + id.slice(1);
}
