/** Pieces of the settings that agents' programs read. */
import type { EntryFile } from './shapes.ts';
import { tellCommand } from './tell-script.ts';

export function jsonFile(path: string, value: unknown): EntryFile {
  return { path, text: `${JSON.stringify(value, undefined, 2)}\n` };
}

/** As Claude Code and those after it write a hook. */
export const tellHook = { type: 'command', command: tellCommand } as const;

/** A text of TOML. */
export function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}
