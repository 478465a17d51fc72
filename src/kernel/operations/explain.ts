/** Says in plain words what a schema did not like: which field, what was expected, what was given. */
import type { z } from 'zod';

/** One field that was wrong. `field` is a path like `models.0.name`; empty for the input as a whole. */
export interface FieldProblem {
  readonly field: string;
  readonly expected: string;
  readonly given: string;
  /** What is to be said after the field's name instead, where "expected …, given …" is no sentence. */
  readonly says?: string;
}

const maxGiven = 60;
const maxNamed = 6;

/** All problems, and one sentence that names at most six of them. */
export function explainIssues(error: z.ZodError, raw: unknown): { summary: string; fields: FieldProblem[] } {
  const fields = error.issues.flatMap((issue) => explainIssue(issue, raw));
  return { summary: summaryOf(fields, (field) => `"${field}"`), fields };
}

/**
 * @param nameOf how the reader knows a field: `"worker"`, `--worker`
 * @param helpOf what the field is for, said of one that is missing; empty where nothing is known
 */
export function summaryOf(
  fields: readonly FieldProblem[],
  nameOf: (field: string) => string,
  helpOf: (field: string) => string = () => '',
): string {
  const named = fields.slice(0, maxNamed).map((problem) => sentenceOf(problem, nameOf, helpOf));
  const more = fields.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** A short form of any value, for a message: text in quotes, cut at 60 characters; kinds for the rest. */
export function shortForm(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') {
    const shown = Array.from(value.slice(0, maxGiven * 2))
      .slice(0, maxGiven)
      .join('');
    return shown === value ? JSON.stringify(value) : `${JSON.stringify(shown)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === 'object') return 'an object';
  return String(value).slice(0, maxGiven);
}

function explainIssue(issue: z.core.$ZodIssue, raw: unknown): FieldProblem[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: field === '' ? key.slice(0, maxGiven) : `${field}.${key.slice(0, maxGiven)}`,
      expected: 'no such field',
      given: shortForm(valueAt(raw, [...issue.path, key])),
    }));
  }
  const given = shortForm(valueAt(raw, issue.path));
  const says = saysOf(issue, given);
  return [{ field, expected: expectedOf(issue), given, ...(says !== undefined && { says }) }];
}

/** A schema's own message is a rule ("a name has only …", "must not …"), which does not follow "expected". */
function saysOf(issue: z.core.$ZodIssue, given: string): string | undefined {
  if (given === 'nothing') return 'is missing';
  if (issue.code === 'too_small' && issue.origin === 'string' && given === '""') return 'must not be empty';
  if (issue.code !== 'custom' && issue.code !== 'invalid_format' && issue.code !== 'too_big') return undefined;
  if (issue.message.startsWith('must ')) return issue.message;
  const isOwn = /^an? /.test(issue.message);
  return isOwn ? `cannot be ${given}: ${issue.message}` : undefined;
}

function sentenceOf(
  { field, expected, given, says }: FieldProblem,
  nameOf: (field: string) => string,
  helpOf: (field: string) => string,
): string {
  const [top = '', ...inner] = field.split('.');
  const name = inner.length === 0 ? nameOf(top) : `${nameOf(top)} (${inner.join('.')})`;
  if (expected === 'no such field') return `there is no field ${name}`;
  if (says !== undefined && field !== '') {
    const help = says === 'is missing' && inner.length === 0 ? helpOf(top) : '';
    return `${name} ${says}${help === '' ? '' : ` (${help})`}`;
  }
  return `${field === '' ? 'the input' : name}: expected ${expected}, given ${given}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function expectedOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeWords[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return `at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case 'too_big':
      return `at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' entries' : '';
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  let value = raw;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }
  return value;
}
