/** The errors of the program in the OpenAPI document: one response a code, and one table of all. */
import { errorTable, errorTitles, type ErrorCode } from '../../../kernel/pure/errors.ts';
import { problemBodyOf } from '../problems.ts';
import type { Json } from './schemas.ts';

const codes = Object.keys(errorTable) as ErrorCode[];

/** One line of Markdown a code. */
export function errorTableText(): string {
  const rows = codes.map(
    (code) => `| \`${code}\` | ${errorTable[code].http} | ${errorTable[code].exit} | ${errorTitles[code]} |`,
  );
  return ['| code | HTTP | exit code | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

export const problemSchema: Json = {
  type: 'object',
  description: 'A refusal or a fault (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'code', 'hint'],
  properties: {
    type: { type: 'string', format: 'uri', description: '`urn:guild-hall:problem:<code>`' },
    title: { type: 'string', description: 'What the code means' },
    status: { type: 'integer', description: 'The HTTP status' },
    detail: { type: 'string', description: 'What happened, and what was expected' },
    code: { type: 'string', enum: codes },
    hint: { type: 'string', description: 'The next thing to do, a command where there is one' },
    details: {
      type: 'object',
      description: 'Facts for programs, such as `fields` of an input that was refused: [{field, expected, given}]',
      additionalProperties: true,
    },
  },
};

/** Of `components.responses`, by the name that `problemReferences` refers to. */
export function problemResponses(): Json {
  return Object.fromEntries(codes.map((code) => [responseNameOf(code), responseOf(code)]));
}

/** What every door may answer instead, by status. */
export function problemReferences(): Json {
  return Object.fromEntries(
    codes.map((code) => [String(errorTable[code].http), { $ref: `#/components/responses/${responseNameOf(code)}` }]),
  );
}

const headers: Partial<Record<ErrorCode, Json>> = {
  unauthorized: { 'WWW-Authenticate': { description: 'The scheme: Bearer', schema: { type: 'string' } } },
  limit: { 'Retry-After': { description: 'Seconds, where waiting helps', schema: { type: 'integer' } } },
};

function responseOf(code: ErrorCode): Json {
  const example = problemBodyOf({ code, message: `${errorTitles[code]}.`, hint: 'guild-hall doctor' });
  const header = headers[code];
  return {
    description: `${errorTitles[code]}.`,
    ...(header !== undefined && { headers: header }),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
  };
}

/** `not_found` → `NotFound`. */
function responseNameOf(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}
