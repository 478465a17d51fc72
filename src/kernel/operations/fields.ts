/** The fields of an operation's input as a door of words sees them: query parameters, command line flags. */
import type { z } from 'zod';
import type { OperationDescription } from '../pure/operations.ts';

export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'json';

export interface InputField {
  readonly name: string;
  /** `json`: anything that words cannot say; its text is parsed as JSON where it can be. */
  readonly kind: FieldKind;
  /** Kind of the entries of a list. */
  readonly entries: 'text' | 'number' | 'json';
  readonly required: boolean;
  /** The values of a closed list; empty for an open field. */
  readonly choices: readonly string[];
  /** What is taken when nothing is given; undefined for none. */
  readonly fallback: unknown;
  /** From the schema's `.describe()`. */
  readonly help: string;
  /** A path on the caller's machine (`.meta({ isPath: true })`): a door that knows the caller's folder makes it absolute. */
  readonly isPath: boolean;
  /** Left out, it is the caller's folder (`.meta({ isPath: true, isHere: true })`), where a door knows that. */
  readonly isHere: boolean;
  /** One value, and giving a second is a mistake (`.meta({ isOnce: true })`): words would let the last one win. */
  readonly isOnce: boolean;
}

/** In the order in which the schema names them; empty when the input is no object. */
export function fieldsOf(description: Pick<OperationDescription, 'input'>): InputField[] {
  const shape = (unwrap(description.input).core as { shape?: Record<string, z.ZodType> }).shape ?? {};
  return Object.entries(shape).map(([name, schema]) => fieldOf(name, schema));
}

/** The value that words give to a field. What does not fit is passed on as text, for the schema to refuse by name. */
export function valueOfWords(field: InputField, words: readonly string[]): unknown {
  if (field.kind === 'list') return words.map((word) => valueOfWord(field.entries, word));
  return valueOfWord(field.kind, words.at(-1) ?? '');
}

function valueOfWord(kind: FieldKind, word: string): unknown {
  if (kind === 'number') return /^[+-]?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word;
  if (kind === 'boolean') return word === '' || word === 'true' ? true : word === 'false' ? false : word;
  return kind === 'json' ? parsedOrText(word) : word;
}

function parsedOrText(word: string): unknown {
  try {
    return JSON.parse(word);
  } catch {
    // Text that is no JSON is a text value: the schema decides whether that is wanted.
    return word;
  }
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly entries?: Record<string, string | number>;
  readonly values?: readonly unknown[];
}

interface Unwrapped {
  readonly core: z.ZodType;
  readonly required: boolean;
  readonly fallback: unknown;
  readonly help: string;
  readonly isPath: boolean;
  readonly isHere: boolean;
  readonly isOnce: boolean;
}

/** Takes off optional, default, nullable, readonly and transforming layers. */
function unwrap(schema: z.ZodType): Unwrapped {
  let core = schema;
  let required = true;
  let fallback: unknown;
  let help = schema.description ?? '';
  let isPath = false;
  let isHere = false;
  let isOnce = false;
  for (;;) {
    isPath ||= core.meta()?.['isPath'] === true;
    isHere ||= core.meta()?.['isHere'] === true;
    isOnce ||= core.meta()?.['isOnce'] === true;
    const definition = definitionOf(core);
    if (['optional', 'default', 'prefault'].includes(definition.type)) required = false;
    if ('defaultValue' in definition) fallback = definition.defaultValue;
    const inner = definition.innerType ?? (definition.type === 'pipe' ? definition.in : undefined);
    if (!inner) return { core, required, fallback, help, isPath, isHere, isOnce };
    core = inner;
    help ||= core.description ?? '';
  }
}

function fieldOf(name: string, schema: z.ZodType): InputField {
  const { core, required, fallback, help, isPath, isHere, isOnce } = unwrap(schema);
  const definition = definitionOf(core);
  const element = definition.element && definitionOf(unwrap(definition.element).core);
  const entries = element ? kindOf(element) : 'text';
  const one = element ?? definition;
  const values = one.type === 'enum' ? Object.values(one.entries ?? {}) : (one.values ?? []);
  return {
    name,
    kind: kindOf(definition),
    entries: entries === 'number' || entries === 'json' ? entries : 'text',
    required,
    choices: values.map(String),
    fallback,
    help,
    isPath,
    isHere,
    isOnce,
  };
}

function kindOf(definition: Definition): FieldKind {
  switch (definition.type) {
    case 'string':
    case 'enum':
    case 'literal':
      return 'text';
    case 'number':
    case 'int':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'list';
    default:
      return 'json';
  }
}

function definitionOf(schema: z.ZodType): Definition {
  return schema.def as unknown as Definition;
}
