/** What a speaker remembers: what it decided in earlier councils, and what else lies in its own folder of the project. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Invitee } from '../contract.ts';
import { sidecarPath } from '../rules/phases.ts';
import { matchingDecisions } from '../saving/recall.ts';
import { readInside } from './reading.ts';
import { wellFormed } from './speech.ts';

/** Of the other files in the folder. Bytes, and characters. */
const maxFileBytes = 64_000;
const limits = { files: 20, each: 4_000, all: 12_000 } as const;

/** Markdown; empty where nothing is remembered. Only read. */
export async function memoryOf(root: string, speaker: Invitee, charter: string): Promise<string> {
  const decisions = await matchingDecisions(root, speaker.name, charter);
  const notes = await notesOf(root, speaker.name);
  return [decisions.trim(), notes].filter((part) => part !== '').join('\n\n');
}

/** Text files at the top of `.gaia/memory/<agent>-sidecar/`, bounded. */
async function notesOf(root: string, agent: string): Promise<string> {
  if (agent.includes('/') || agent.includes('\0')) return '';
  const folder = sidecarPath(agent);
  // Most agents have none.
  const names = await readdir(join(root, folder)).catch(() => []);
  const texts: string[] = [];
  let room: number = limits.all;
  for (const name of names.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, limits.files)) {
    const path = `${folder}/${name}`;
    const text = /\.(?:md|ya?ml|txt)$/i.test(name) ? await readInside(root, path, maxFileBytes) : undefined;
    const part = wellFormed(text?.trim().slice(0, Math.min(limits.each, room)) ?? '');
    if (part !== '') texts.push(`### ${path}\n\n${part}`);
    room -= part.length;
  }
  return texts.join('\n\n');
}
