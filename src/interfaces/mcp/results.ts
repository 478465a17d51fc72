/** What a client gets of an operation's answer or refusal: the same facts in words and as a structure. */
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type FieldProblem, summaryOf } from '../../kernel/operations/explain.ts';
import type { ErrorFacts } from '../../kernel/pure/errors.ts';
import { didYouMean } from '../../kernel/pure/nearest.ts';
import { snakeOf } from './fields.ts';
import type { HallTool } from './tools.ts';

export function answerOf(output: unknown, text: string): CallToolResult {
  return { content: [{ type: 'text', text: text.trimEnd() }], structuredContent: output as Record<string, unknown> };
}

export function refusalOf(tool: HallTool, given: ErrorFacts): CallToolResult {
  const facts = namedAsHere(tool, given);
  const { code, message, hint, details } = facts;
  const field = details?.['field'];
  const where = typeof field === 'string' ? `${code}, in "${field}"` : code;
  return {
    isError: true,
    content: [{ type: 'text', text: `${message}\n${hint}\n(${where})` }],
    structuredContent: { ...facts },
  };
}

/** A wrong field by the name that the tool gives it. */
function namedAsHere({ name, fields: { list } }: HallTool, facts: ErrorFacts): ErrorFacts {
  const problems = facts.details?.['fields'] as readonly FieldProblem[] | undefined;
  const field = facts.details?.['field'];
  if (typeof field === 'string' && list.some((each) => each.name === field))
    return { ...facts, details: { ...facts.details, field: snakeOf(field) } };
  if (facts.code !== 'invalid' || !Array.isArray(problems)) return facts;
  const known = list.map((field) => snakeOf(field.name));
  const nameOf = (field: string): string =>
    list.some((each) => each.name === field) ? `"${snakeOf(field)}"` : `"${field}"`;
  const helpOf = (field: string): string => list.find((each) => each.name === field)?.help ?? '';
  const unknown = problems.find(({ expected }) => expected === 'no such field');
  const meant = unknown === undefined ? '' : didYouMean(unknown.field, known);
  return {
    code: facts.code,
    message: summaryOf(problems, nameOf, helpOf),
    hint: `${meant}Correct the input of ${name} as its schema says, and call it again.`,
    details: { ...facts.details, fields: problems.map((each) => ({ ...each, field: snakeOf(each.field) })) },
  };
}
