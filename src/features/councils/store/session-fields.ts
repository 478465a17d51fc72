/**
 * The seed's fields of a session file, one by one: for the helpers `session-state` and `yield-gate`, which need no hall.
 * Without schemas, so that they start at once.
 */
import { writeAtomically, readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { fail } from '../../../kernel/pure/errors.ts';
import { councilPhases, yieldNames } from '../contract/terms.ts';
import { requireInside } from './boundary.ts';
import { parseFields, printFields, type SeedField, seedFields, type SessionFields } from './session-text.ts';

const counters: readonly string[] = ['round', 'turn_counter', 'cadence_counter', 'cumulative_cost'];
const phases: readonly string[] = councilPhases;
const checkpoints: readonly string[] = [...councilPhases, ...yieldNames, ''];

/** A session as it begins, under the names of the file. */
export function freshFields(sessionId: string): SessionFields {
  const empty = Object.fromEntries(seedFields.map((field) => [field, counters.includes(field) ? 0 : '']));
  return { ...empty, session_id: sessionId, phase: 'INVITE' };
}

export function isSeedField(name: string): name is SeedField {
  return (seedFields as readonly string[]).includes(name);
}

/** Why the field cannot be given that value; undefined where it can. */
export function reasonAgainstValue(field: SeedField, value: string): string | undefined {
  if (counters.includes(field) && !/^\d{1,15}$/.test(value)) return `${field} is a whole number from 0 on`;
  if (field === 'phase' && !phases.includes(value)) return `phase is one of ${phases.join(', ')}`;
  if (field === 'last_checkpoint_phase' && !checkpoints.includes(value))
    return `last_checkpoint_phase is one of ${checkpoints.filter((each) => each !== '').join(', ')}, or empty`;
  if (field === 'user_attendance' && !['true', 'false', ''].includes(value))
    return 'user_attendance is true, false or empty';
  if (field === 'session_id' && !isSessionId(value)) return 'session_id is a date and a slug';
  return undefined;
}

/** It becomes part of a path. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?$/.test(text) && !text.includes('..');
}

/**
 * Undefined where there is no file.
 * @param path absolute
 * @throws `conflict` with file and line for what cannot be read
 */
export async function readSessionFields(path: string): Promise<SessionFields | undefined> {
  const text = await readTextIfExists(path);
  return text === undefined ? undefined : await parseFields(text, path);
}

export function printFieldValue(fields: SessionFields, field: SeedField): string {
  const value = fields[field] ?? '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** What it holds besides stays as it is; a field that is missing comes to stand in its place. */
export async function updateSessionField(path: string, field: SeedField, value: string): Promise<void> {
  const fields = await readSessionFields(path);
  if (fields === undefined)
    throw fail('not_found', `There is no session file ${path}.`, 'Make it: guild-hall rule session-state create');
  await writeSessionFields(path, { ...fields, [field]: counters.includes(field) ? Number(value) : value });
}

/** Within the boundary of councils where the file lies in one of their folders; one rename in any case. */
export async function writeSessionFields(path: string, fields: SessionFields): Promise<void> {
  const at = path.indexOf('/.gaia/');
  if (at !== -1) await requireInside(path.slice(0, at), path.slice(at + 1));
  const first = seedFields.filter((field) => field in fields).map((field) => [field, fields[field]] as const);
  const rest = Object.entries(fields).filter(([name]) => !isSeedField(name));
  await writeAtomically(path, await scrubbed(printFields(Object.fromEntries([...first, ...rest]))));
}

/** Short fields hold no secret, and the scanner takes its time to load. */
async function scrubbed(text: string): Promise<string> {
  if (!/[A-Za-z0-9+/_=-]{16,}/.test(text)) return text;
  const { scrubTexts } = await import('./scrub.ts');
  return printFields(await scrubTexts(await parseFields(text, 'the new text')));
}
