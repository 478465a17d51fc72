/**
 * What a project says of its meetings: `meeting.user_name` and `meeting.checkpoint_every_n_turns` of
 * `.claude/settings.json`, then of `settings.json`. Read as data; nothing else of these files is looked at.
 */
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolveInside } from '../../../kernel/artifacts/paths.ts';
import { hasErrorCode } from '../../../kernel/artifacts/write.ts';
import { errorFactsOf } from '../../../kernel/pure/errors.ts';

export interface MeetingSettings {
  /** As they stand there, of whatever type; undefined: nowhere. `rules/` settles them. */
  readonly userName: unknown;
  readonly cadence: unknown;
  /** Whole lines, for what could not be read. */
  readonly warnings: readonly string[];
}

export const settingsFiles = ['.claude/settings.json', 'settings.json'] as const;
const mostBytes = 1024 * 1024;

/** Each setting from the first of the two files that has it. Never throws: what cannot be read says nothing. */
export async function readMeetingSettings(root: string): Promise<MeetingSettings> {
  const found: MeetingSettings[] = [];
  for (const name of settingsFiles) found.push(await readQuietly(name, async () => await resolveInside(root, name)));
  return mergeSettings(found);
}

/** The same of one file that the person named. */
export async function readSettingsFile(path: string): Promise<MeetingSettings> {
  return await readQuietly(path, async () => await Promise.resolve(path));
}

function mergeSettings(found: readonly MeetingSettings[]): MeetingSettings {
  return {
    userName: found.map(({ userName }) => userName).find((value) => value !== undefined),
    cadence: found.map(({ cadence }) => cadence).find((value) => value !== undefined),
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

const nothing: MeetingSettings = { userName: undefined, cadence: undefined, warnings: [] };

async function readQuietly(name: string, pathOf: () => Promise<string>): Promise<MeetingSettings> {
  try {
    const text = await readBounded(await pathOf());
    return text === undefined ? nothing : meetingOf(JSON.parse(text));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return nothing;
    const why = error instanceof SyntaxError ? 'it is not JSON' : errorFactsOf(error).message.slice(0, 200);
    return { ...nothing, warnings: [`[gaia-meeting] WARNING: ${name} is not read: ${why}`] };
  }
}

/** Undefined for what is no file, or larger than settings are. */
async function readBounded(path: string): Promise<string | undefined> {
  // Not blocking: a pipe would wait for a writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await handle.stat();
    if (!facts.isFile() || facts.size > mostBytes) return undefined;
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

function meetingOf(settings: unknown): MeetingSettings {
  const meeting = fieldOf(settings, 'meeting');
  return {
    userName: fieldOf(meeting, 'user_name'),
    cadence: fieldOf(meeting, 'checkpoint_every_n_turns'),
    warnings: [],
  };
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key] ?? undefined;
}
