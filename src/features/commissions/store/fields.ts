/** Fields of a frontmatter, read tolerantly: what a field should have been becomes a problem with its place. */
import type { z } from 'zod';
import type { ArtifactDocument } from '../../../kernel/artifacts/parse.ts';
import type { CommissionRecord } from '../contract.ts';
import { placesIn } from './places.ts';

type Problems = CommissionRecord['problems'];
type Path = readonly (string | number)[];

const mostProblems = 20;

export interface FieldReader {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly problems: Problems;
  readonly wrong: (path: Path, message: string) => void;
}

export function readFields(document: ArtifactDocument, file: string): FieldReader {
  const problems: Problems = document.problems.map((problem) => ({ ...problem }));
  const placeOf = placesIn(document.source);
  return {
    fields: document.frontmatter,
    problems,
    wrong: (path, message) => {
      if (problems.length < mostProblems) problems.push({ file, ...placeOf(path), message });
    },
  };
}

/** The text of a field; '' where there is none. */
export function text({ fields, wrong }: FieldReader, name: string): string {
  const value = fields[name] ?? '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  wrong([name], `The field \`${name}\` holds ${said(value)}; expected text.`);
  return '';
}

/** The texts of a list; one text alone counts as a list of one. */
export function texts({ fields, wrong }: FieldReader, name: string): string[] {
  const value = fields[name] ?? [];
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (!Array.isArray(value)) {
    wrong([name], `The field \`${name}\` holds ${said(value)}; expected a list of texts.`);
    return [];
  }
  return value.filter((item, index): item is string => {
    if (typeof item !== 'string') wrong([name, index], `\`${name}\` holds ${said(item)}; expected text.`);
    return typeof item === 'string';
  });
}

/** A time as ISO 8601 in UTC; null where there is none. */
export function time(reader: FieldReader, name: string): string | null {
  const given = text(reader, name);
  if (given === '') return null;
  const ms = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  reader.wrong([name], `The field \`${name}\` holds ${said(given)}; expected a time like 2026-02-14T09:30:00.000Z.`);
  return null;
}

/** What `schema` takes; `missing` where there is nothing, or something else, which is a problem. */
export function shaped<T>(
  reader: FieldReader,
  path: readonly [string, ...string[]],
  schema: z.ZodType<T>,
  expected: string,
  missing: T,
): T {
  const value = path.reduce<unknown>((at, name) => (isFields(at) ? at[name] : undefined), reader.fields);
  if (value === undefined || value === null || value === '') return missing;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  reader.wrong(path, `\`${path.join('.')}\` holds ${said(value)}; expected ${expected}.`);
  return missing;
}

/** The items that `schema` takes. */
export function items<T>(reader: FieldReader, name: string, schema: z.ZodType<T>, expected: string): T[] {
  const value = reader.fields[name] ?? [];
  if (!Array.isArray(value)) {
    if (value !== '') reader.wrong([name], `The field \`${name}\` holds ${said(value)}; expected a list.`);
    return [];
  }
  return value.flatMap((item, index) => {
    const parsed = schema.safeParse(item);
    if (parsed.success) return [parsed.data];
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? '' : ` (\`${issue.path.join('.')}\`)`;
    reader.wrong([name, index], `Entry ${index + 1} of \`${name}\` cannot be read${where}; expected ${expected}.`);
    return [];
  });
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function said(value: unknown): string {
  return value === undefined || value === null || value === '' ? 'nothing' : JSON.stringify(value).slice(0, 60);
}
