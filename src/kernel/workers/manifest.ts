/** A package's `package.json`: the key `guildHall` and the name. Read without running any code of the package. */
import { LineCounter, parseDocument, isMap, isScalar, type Document } from 'yaml';
import { z } from 'zod';
import { explainIssues, type FieldProblem } from '../operations/explain.ts';
import { workerNameSchema } from '../pure/ids.ts';
import { builtInToolNames } from './builtins.ts';
import type { PackageProblem } from './contract.ts';

/** How a name goes into the hall: the part after a scope, `@team/reviewer` → `reviewer`. */
const nameSchema = z
  .string()
  .transform((name) => name.replace(/^@[^/]*\//, ''))
  .pipe(workerNameSchema);

const pathInPackage = z
  .string()
  .regex(/^(?:\.\/)?[\p{L}\p{N}_@.][\p{L}\p{N}_@. /-]*$/u, 'a path inside the package, like ./activate.js')
  .refine((path) => !path.split('/').includes('..'), 'a path inside the package, without ".."');

const line = z.string().trim().min(1).max(300);

/** @param objectOf `z.strictObject` names unknown fields, `z.object` passes over them */
function schemaWith(objectOf: typeof z.object | typeof z.strictObject) {
  return objectOf({
    type: z.enum(['worker', 'toolbox', 'both']),
    identity: objectOf({
      name: line,
      description: line,
      displayTitle: line,
      portraitPath: pathInPackage.optional(),
    }),
    toolboxes: z.array(workerNameSchema).default([]),
    builtInTools: z.array(z.enum(builtInToolNames)).default([]),
    checkoutScope: z.enum(['sparse', 'full']).default('sparse'),
    byInvitation: z.boolean().default(false),
    model: line.optional(),
    maxTurns: z.int().min(1).max(10_000).default(150),
    maxBudgetUsd: z.number().positive().max(10_000).optional(),
    activation: pathInPackage.optional(),
    toolbox: pathInPackage.optional(),
  });
}

const strictSchema = z.object({ name: nameSchema, guildHall: schemaWith(z.strictObject) });
const tolerantSchema = z.object({ name: nameSchema, guildHall: schemaWith(z.object) });

export type Manifest = z.output<typeof tolerantSchema>;

/**
 * @param file absolute; only named in problems
 * @returns the manifest unless something of it cannot be used; unknown fields are problems, but do not stop it
 */
export function parseManifest(source: string, file: string): { manifest?: Manifest; problems: PackageProblem[] } {
  const text = source.replace(/^\uFEFF/, '');
  const raw = parseJson(text);
  const parsed = raw && strictSchema.safeParse(raw.value);
  if (parsed?.success) return { manifest: parsed.data, problems: [] };
  // Only what is told as a problem needs its place: most packages have none, and all are read each time.
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'json', uniqueKeys: true });
  const problemAt = (offset: number, message: string): PackageProblem => {
    const { line: row, col } = lines.linePos(offset);
    return { file, line: row, column: col, message };
  };
  if (raw === undefined || parsed === undefined) {
    const at = document.errors[0]?.pos[0] ?? offsetOfJsonError(text);
    return {
      problems: [problemAt(at, 'This is not valid JSON here; expected a package.json with the key "guildHall".')],
    };
  }
  const { fields } = explainIssues(parsed.error, raw.value);
  const problems = fields.map((field) => problemAt(offsetOf(document, field), sentenceOf(field)));
  const tolerant = tolerantSchema.safeParse(raw.value);
  return tolerant.success ? { manifest: tolerant.data, problems } : { problems };
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // The caller says where it is broken, by a parser that keeps positions.
    return undefined;
  }
}

/** For what is YAML but no JSON (a comma too many, a comment): the place that Node's own parser names. */
function offsetOfJsonError(text: string): number {
  try {
    JSON.parse(text);
    return 0;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    return position === undefined ? text.length : Number(position);
  }
}

function sentenceOf({ field, expected, given }: FieldProblem): string {
  if (expected === 'no such field') return `There is no field "${field}" here; it is passed over.`;
  if (field === 'guildHall') return 'The key "guildHall" is missing or no object; expected {"type", "identity", …}.';
  return `"${field}": expected ${expected}, given ${given}.`;
}

/** Where the field stands, or the nearest thing around it that exists. */
function offsetOf(document: Document, { field }: FieldProblem): number {
  const path = field.split('.');
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsetOfKey(document, path.slice(0, length));
    if (offset !== undefined) return offset;
  }
  return 0;
}

function offsetOfKey(document: Document, path: readonly string[]): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (!isMap(parent))
    return (document.getIn(path, true) as { range?: [number, number, number] } | undefined)?.range?.[0];
  const pair = parent.items.find(({ key }) => isScalar(key) && key.value === last);
  return pair && isScalar(pair.key) ? pair.key.range?.[0] : undefined;
}
