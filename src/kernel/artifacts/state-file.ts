/** The hall's own JSON files: each carries a `version`; what cannot be read is named and never overwritten. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { createLocks } from '../locks/locks.ts';
import { fail, type HallError } from '../pure/errors.ts';
import { createExclusively, readTextIfExists, writeAtomically } from './write.ts';

export interface StateFileOptions<T extends object> {
  /** Absolute. */
  readonly path: string;
  /** Of the value without its `version`. */
  readonly schema: z.ZodType<T>;
  /** Of what is written now: 1, 2, 3 … */
  readonly version: number;
  /** Makes an older value (without its `version`) into one that the schema takes. */
  readonly upgrade?: (value: unknown, from: number) => unknown;
}

export interface StateFile<T extends object> {
  /**
   * The value, or undefined where there is no file. An older version is upgraded on disk, with a copy kept beside it
   * as `<file>.v<version>`.
   * @throws `conflict` for a newer version, and for what is no JSON or does not fit the schema
   */
  read(): Promise<T | undefined>;
  /** Writes the whole value, 0600. @throws `conflict` rather than overwrite what `read` would refuse */
  write(value: T): Promise<void>;
  remove(): Promise<void>;
}

export function stateFile<T extends object>(options: StateFileOptions<T>): StateFile<T> {
  return {
    read: async () => files.with(resolve(options.path), () => readState(options)),
    write: async (value) => files.with(resolve(options.path), () => writeState(options, value)),
    remove: async () => files.with(resolve(options.path), () => rm(options.path, { force: true })),
  };
}

/** One at a time for each file: between the look at what stands there and what is written, nobody else writes. */
const files = createLocks();

const envelopeSchema = z.looseObject({ version: z.int().min(1) });

async function readState<T extends object>(options: StateFileOptions<T>): Promise<T | undefined> {
  const text = await readTextIfExists(options.path);
  if (text === undefined) return undefined;
  const { version, value } = parseEnvelope(options, text);
  if (version === options.version) return parseState(options, value);
  if (options.upgrade === undefined) throw unreadable(options.path, `version ${version} is too old`);
  const upgraded = parseState(options, options.upgrade(value, version));
  await createExclusively(`${options.path}.v${version}`, text, { mode: 0o600 });
  await writeAtomically(options.path, printState(options, upgraded), { mode: 0o600 });
  return upgraded;
}

async function writeState<T extends object>(options: StateFileOptions<T>, value: T): Promise<void> {
  const checked = parseState(options, value);
  // What cannot be read may hold what a person still needs: it is refused here, before anything is written over it.
  await readState(options);
  await writeAtomically(options.path, printState(options, checked), { mode: 0o600 });
}

function printState<T extends object>(options: StateFileOptions<T>, value: T): string {
  return `${JSON.stringify({ version: options.version, ...value }, undefined, 2)}\n`;
}

function parseEnvelope(options: { path: string; version: number }, text: string): { version: number; value: unknown } {
  const json = parseJson(text);
  const envelope = envelopeSchema.safeParse(json);
  if (!envelope.success) {
    throw unreadable(options.path, json === undefined ? 'it is no JSON' : 'it has no `version` of 1 or more');
  }
  const { version, ...value } = envelope.data;
  if (version <= options.version) return { version, value };
  throw fail(
    'conflict',
    `${options.path} was written by a newer hall (version ${version}; this one knows up to ${options.version}).`,
    'Upgrade this hall, or start the newer one; see docs on upgrading.',
    { file: options.path, version },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parseState<T extends object>(options: StateFileOptions<T>, value: unknown): T {
  const parsed = options.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw unreadable(options.path, `${issue?.path.join('.') || 'its content'}: ${issue?.message ?? 'not as expected'}`);
}

function unreadable(file: string, reason: string): HallError {
  return fail(
    'conflict',
    `${file} cannot be read: ${reason}. It was left as it is.`,
    'Mend the file by hand, put a copy from a backup there, or move it away; then try again.',
    { file },
  );
}
