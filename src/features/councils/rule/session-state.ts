/** One field of a session file, or a fresh file. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { HallError } from '../../../kernel/pure/errors.ts';
import {
  freshFields,
  isSeedField,
  isSessionId,
  printFieldValue,
  readSessionFields,
  reasonAgainstValue,
  updateSessionField,
  writeSessionFields,
} from '../store/session-fields.ts';
import { missingOf, readFlags, type RuleArgs, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { pathOf } from './state.ts';
import { guardWrites } from './writing.ts';

const name = 'session-state';
const flags: Readonly<Record<string, readonly string[]>> = {
  create: ['--file', '--session-id'],
  read: ['--file', '--field'],
  update: ['--file', '--field', '--value'],
};

/** 0; 2 malformed values, an unknown field, no file; 3 no folder. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const [verb = '', ...rest] = args;
  const wanted = Object.hasOwn(flags, verb) ? flags[verb]! : undefined;
  if (wanted === undefined) return complain(io, name, `expected create, read or update`, 2);
  const read = readFlags(rest, { values: wanted });
  const problem = read.problem ?? missingOf(read, wanted, ['--value']);
  if (problem !== null) return complain(io, name, problem, 2);
  const path = pathOf(io, valueOf(read, '--file')!);
  if (!existsSync(dirname(path))) return complain(io, name, `there is no folder ${dirname(path)}`, 3);
  return await guardWrites(io, name, async () =>
    verb === 'create' ? await create(read, path, io) : await useField(verb, read, path, io),
  );
}

async function create(read: RuleArgs, path: string, io: RuleIo): Promise<number> {
  const id = valueOf(read, '--session-id')!;
  if (!isSessionId(id)) return complain(io, name, `${JSON.stringify(id.slice(0, 100))} is no session id`, 2);
  if (existsSync(path)) return complain(io, name, `${path} is there already; update it, or remove it first`, 2);
  await writeSessionFields(path, freshFields(id));
  return 0;
}

async function useField(verb: string, read: RuleArgs, path: string, io: RuleIo): Promise<number> {
  const field = valueOf(read, '--field')!;
  if (!isSeedField(field)) return complain(io, name, `${JSON.stringify(field.slice(0, 60))} is no field`, 2);
  const fields = await readSessionFields(path);
  if (fields === undefined) return complain(io, name, `there is no file ${path}`, 2);
  if (verb === 'read') {
    io.out(printFieldValue(fields, field));
    return 0;
  }
  const value = valueOf(read, '--value')!;
  const reason = reasonAgainstValue(field, value);
  if (reason !== undefined) return complain(io, name, reason, 2);
  await inTurn(path, async () => updateSessionField(path, field, value));
  return 0;
}

/** Two at once both keep what they set. */
export async function inTurn(path: string, work: () => Promise<void>): Promise<void> {
  const { withFileLock } = await import('../../../kernel/processes/filelock.ts');
  const { systemClock, systemIds } = await import('../../../kernel/clock/clock.ts');
  await withFileLock({ clock: systemClock, ids: systemIds }, `${path}.lock`, work, { waitMs: 10_000 });
}

/** In words for a helper that stores and has to say that it could not. */
export function reasonOf(error: unknown): string {
  return error instanceof HallError || error instanceof Error ? error.message : String(error);
}
