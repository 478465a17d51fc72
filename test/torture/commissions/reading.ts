/** What stands on disk of the commissions of a place: read as the hall reads it, without a hall. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commissionIdSchema, type CommissionRecord } from '../../../src/features/commissions/contract.ts';
import {
  attemptIdentitySchema,
  attemptResultSchema,
  type AttemptIdentity,
  type AttemptResult,
  type JournalEntry,
  journalEntrySchema,
} from '../../../src/features/commissions/contract/journal.ts';
import { recordOfDocument } from '../../../src/features/commissions/store/record.ts';
import { parseArtifact } from '../../../src/kernel/artifacts/parse.ts';
import { projectNameSchema } from '../../../src/kernel/pure/ids.ts';
import type { Place, ProjectOfPlace } from './place.ts';

export interface AttemptOnDisk {
  readonly attempt: number;
  readonly token: string | undefined;
  readonly identity: AttemptIdentity | undefined;
  readonly result: AttemptResult | undefined;
  readonly journal: readonly JournalEntry[];
  /** Lines of the journal that are none. A torn last one is what a killed worker leaves. */
  readonly torn: number;
  readonly names: readonly string[];
}

export function worktreeOf(place: Place, project: ProjectOfPlace): string {
  return join(place.home, 'projects', project);
}

export function readRecord(place: Place, project: ProjectOfPlace, id: string): CommissionRecord | undefined {
  const path = `.lore/commissions/${id}.md`;
  const file = join(worktreeOf(place, project), path);
  if (!existsSync(file)) return undefined;
  const document = parseArtifact(readFileSync(file, 'utf8'), path);
  return recordOfDocument(projectNameSchema.parse(project), commissionIdSchema.parse(id), document);
}

export function recordsOf(place: Place, project: ProjectOfPlace): readonly CommissionRecord[] {
  const folder = join(worktreeOf(place, project), '.lore/commissions');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^[^.].*\.md$/.test(name)) : [];
  return names.map((name) => readRecord(place, project, name.slice(0, -3))!);
}

export function stateOf(place: Place, project: ProjectOfPlace, id: string): string {
  return join(place.home, 'state/commissions', `${project}.${id}`);
}

export function attemptsOf(place: Place, project: ProjectOfPlace, id: string): readonly AttemptOnDisk[] {
  const folder = stateOf(place, project, id);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d+$/.test(name)) : [];
  return names
    .map(Number)
    .toSorted((a, b) => a - b)
    .map((attempt) => readAttempt(join(folder, String(attempt)), attempt));
}

function readAttempt(folder: string, attempt: number): AttemptOnDisk {
  const lines = textOf(join(folder, 'journal.jsonl')).split('\n');
  const journal: JournalEntry[] = [];
  let torn = 0;
  for (const line of lines) {
    if (line === '') continue;
    const entry = journalEntrySchema.safeParse(jsonOf(line));
    if (entry.success) journal.push(entry.data);
    else torn += 1;
  }
  const order = jsonOf(textOf(join(folder, 'order.json'))) as { token?: string } | undefined;
  return {
    attempt,
    token: order?.token,
    identity: attemptIdentitySchema.safeParse(jsonOf(textOf(join(folder, 'identity.json')))).data,
    result: attemptResultSchema.safeParse(jsonOf(textOf(join(folder, 'result.json')))).data,
    journal,
    torn,
    names: readdirSync(folder),
  };
}

/** Attempts whose process lives now: pid and token. */
export function liveWorkers(place: Place): readonly { readonly pid: number; readonly token: string }[] {
  const root = join(place.home, 'state/commissions');
  const found = [];
  for (const name of existsSync(root) ? readdirSync(root) : []) {
    const run = jsonOf(textOf(join(root, name, 'run.json'))) as { attempt?: number } | undefined;
    if (run?.attempt === undefined) continue;
    const text = textOf(join(root, name, String(run.attempt), 'identity.json'));
    const identity = attemptIdentitySchema.safeParse(jsonOf(text)).data;
    if (identity === undefined) continue;
    const { pid } = identity.process;
    if (carries(pid, identity.token)) found.push({ pid, token: identity.token });
  }
  return found;
}

function carries(pid: number, token: string): boolean {
  return textOf(`/proc/${pid}/environ`).includes(`GUILD_HALL_ATTEMPT=${token}`);
}

/** Of all processes: those that have the mark of an attempt of this place. */
export function markedProcesses(tokens: ReadonlySet<string>): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const token = /(?:^|\0)GUILD_HALL_ATTEMPT=([^\0]*)/.exec(textOf(`/proc/${pid}/environ`))?.[1];
      if (token === undefined || !tokens.has(token) || /^State:\s+Z/m.test(textOf(`/proc/${pid}/status`))) return [];
      return [`process ${pid} (${textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 120)})`];
    });
}

/** Tokens that a process was started with, once a start. */
export function readStarts(place: Place): readonly string[] {
  return textOf(place.starts)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(' ')[0]!);
}

export interface Told {
  readonly type: string;
  readonly subject: string | null;
  readonly project: string | null;
  readonly data: Record<string, unknown>;
}

/** What the hall told of commissions, as it is kept. */
export function readTold(place: Place): readonly Told[] {
  const folder = join(place.home, 'state/events');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .flatMap((name) => textOf(join(folder, name)).split('\n'))
    .filter((line) => line.includes('"commission.status"'))
    .flatMap((line) => (jsonOf(line) as Told | undefined) ?? []);
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It is not there, or went while it was looked at.
    return '';
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no value; whoever asks says what that means.
    return undefined;
  }
}
