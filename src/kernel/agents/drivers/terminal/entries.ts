/** Which programs have an entry: the ready ones, and those that the person names in config.yaml. */
import { aiderEntry } from './aider.ts';
import { claudeEntry } from './claude.ts';
import { codexEntry } from './codex.ts';
import type { EntrySettings, TerminalEntry } from './shapes.ts';
import { geminiEntry } from './gemini.ts';
import { opencodeEntry } from './opencode.ts';
import { anyEntry, shellEntry } from './plain.ts';

/** An entry with what the person says of it. */
export interface ChosenEntry {
  readonly entry: TerminalEntry;
  readonly settings: EntrySettings;
}

const ready: readonly TerminalEntry[] = [claudeEntry, codexEntry, geminiEntry, opencodeEntry, aiderEntry, shellEntry];

/** The ready entries first, then the person's own. */
export function terminalEntries(own: Readonly<Record<string, EntrySettings>>): ChosenEntry[] {
  const known = ready.map((entry) => ({ entry, settings: own[entry.name] ?? {} }));
  const more = Object.entries(own).filter(([name]) => !ready.some((entry) => entry.name === name));
  return [...known, ...more.map(([name, settings]) => ownEntry(name, settings))];
}

/** The one of that name; for null or another name, the one that stands for any command. */
export function entryOf(own: Readonly<Record<string, EntrySettings>>, name: string | null): ChosenEntry {
  const found = terminalEntries(own).find(({ entry }) => entry.name === name);
  return found ?? { entry: anyEntry, settings: {} };
}

function ownEntry(name: string, settings: EntrySettings): ChosenEntry {
  const like = ready.find((entry) => entry.name === settings.like) ?? anyEntry;
  const title = settings.like === undefined ? (settings.command?.join(' ') ?? name) : `Like ${like.title}`;
  return { entry: { ...like, name, title }, settings };
}
