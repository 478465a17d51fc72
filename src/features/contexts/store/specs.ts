/**
 * The files of a spec, `.conclave/specs/<name>/` in the project's folder. Agents write them: they are read as data, up to a
 * length, and never through a link. A name that is no plain name of a folder has no spec.
 */
import { join } from 'node:path';
import { readAt, withPlainFile } from '../../../kernel/artifacts/search/plain-file.ts';
import { localKind } from '../../../kernel/git/local.ts';
import type { SpecPhase } from '../contract.ts';
import { noteOfTasks, phasesOf } from '../rules/phases.ts';
import { specsFolder } from './place.ts';

type Place = { readonly path: string };

/** Bytes. */
const longest = 2_000_000;

/** Its `spec.json` says so. */
export async function isEpic(project: Place, name: string): Promise<boolean> {
  if (!isFolderName(name)) return false;
  const value = jsonOf((await readSpecFile(project, name, 'spec.json')).text);
  return typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'epic';
}

/** How far it is; null where there is no such spec. */
export async function readPhases(project: Place, name: string): Promise<SpecPhase[] | null> {
  if (!isFolderName(name)) return null;
  if ((await localKind(project.path, `${specsFolder}/${name}`)) !== 'folder') return null;
  const [research, analysis, breakdown, tasks] = await Promise.all(
    ['research.md', 'analysis.md', 'breakdown.md', 'implementation.json'].map(
      async (file) => await readSpecFile(project, name, file),
    ),
  );
  return phasesOf(`${specsFolder}/${name}`, {
    research: research!,
    analysis: analysis!,
    breakdown: breakdown!,
    tasks: { ...tasks!, note: noteOfTasks(jsonOf(tasks!.text)) },
  });
}

/** Without what leads elsewhere: folders, control codes, more bytes than a name of a file has. */
function isFolderName(name: string): boolean {
  return !/[/\\\p{Cc}]/u.test(name) && !/^\.{1,2}$/.test(name) && Buffer.byteLength(name) <= 255;
}

interface SpecFile {
  /** `unreadable`: it is no plain file, or too long. */
  readonly state: 'missing' | 'read' | 'unreadable';
  readonly text: string;
}

async function readSpecFile(project: Place, name: string, file: string): Promise<SpecFile> {
  const path = `${specsFolder}/${name}/${file}`;
  const kind = await localKind(project.path, path);
  if (kind === 'missing') return { state: 'missing', text: '' };
  const text =
    kind === 'file'
      ? withPlainFile(join(project.path, path), (fd, size) =>
          size > longest ? undefined : readAt(fd, 0, size).toString('utf8'),
        )
      : undefined;
  return text === undefined ? { state: 'unreadable', text: '' } : { state: 'read', text };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
