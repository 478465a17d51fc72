/**
 * What is known of a project's artifacts: one entry a file, read anew when the file is another than it was. Nothing
 * here is needed after a restart, and nothing is taken for true without a look at the file.
 */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { ArtifactDocument, Problem } from '../../kernel/artifacts/parse.ts';
import {
  type ArtifactSummary,
  listArtifactFiles,
  readArtifact,
  readForList,
  summaryOf,
} from '../../kernel/artifacts/read.ts';
import { linkedInText } from './links.ts';
import { artifactOfField, mentionOf, mentionsIn } from './rules.ts';

export interface LibraryEntry {
  readonly summary: ArtifactSummary;
  /** Milliseconds. */
  readonly changedMs: number;
  /** Artifacts that frontmatter fields name: path → fields. */
  readonly inFields: ReadonlyMap<string, readonly string[]>;
  readonly mentions: ReadonlySet<string>;
  /** Artifacts that the text links; undefined until somebody asked. */
  inText: ReadonlySet<string> | undefined;
}

interface KnownEntry extends LibraryEntry {
  /** Tells one state of the file from another. */
  readonly sign: string;
}

/** By root folder, then by path. */
export type Library = Map<string, Map<string, KnownEntry>>;

export interface LibraryRead {
  readonly entries: ReadonlyMap<string, LibraryEntry>;
  /** Folders that cannot be read. */
  readonly problems: readonly Problem[];
}

const linkFields = ['related', 'referenced_artifacts', 'linked_artifacts'];
const looksAtOnce = 500;

/** Every artifact below `root`, as it is now. */
export async function readLibrary(library: Library, root: string): Promise<LibraryRead> {
  const { files, problems } = await listArtifactFiles(root);
  const known = library.get(root) ?? new Map<string, KnownEntry>();
  const entries = new Map<string, KnownEntry>();
  for (const [at, path] of files.entries()) {
    // One look costs some microseconds; asking for it in the background costs ten times that.
    if (at % looksAtOnce === looksAtOnce - 1) await yieldToOthers();
    const file = join(root, path);
    const facts = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    // It went away since the folder was read.
    if (facts === undefined) continue;
    const sign = `${facts.ino} ${facts.ctimeNs} ${facts.size}`;
    const before = known.get(path);
    entries.set(
      path,
      before?.sign === sign ? before : await readEntry(root, path, { sign, changedMs: Number(facts.mtimeMs) }),
    );
  }
  library.set(root, entries);
  return { entries, problems };
}

async function readEntry(
  root: string,
  path: string,
  facts: Pick<KnownEntry, 'sign' | 'changedMs'>,
): Promise<KnownEntry> {
  const document = await readForList(root, path);
  return {
    ...facts,
    summary: summaryOf(document, path),
    inFields: artifactsInFields(path, document),
    mentions: mentionsIn(document.body),
    inText: undefined,
  };
}

export function artifactsInFields(
  path: string,
  { frontmatter }: Pick<ArtifactDocument, 'frontmatter'>,
): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const field of linkFields) {
    for (const value of [frontmatter[field]].flat()) {
      const named = typeof value === 'string' ? artifactOfField(path, value) : undefined;
      const before = named === undefined ? [] : (found.get(named) ?? []);
      if (named !== undefined && !before.includes(field)) found.set(named, [...before, field]);
    }
  }
  return found;
}

/** Where `entry`, the artifact at `from`, names `path`: fields by name, `text` for its body. Empty for nowhere. */
export async function placesNaming(
  root: string,
  from: string,
  entry: LibraryEntry,
  path: string,
): Promise<readonly string[]> {
  const fields = entry.inFields.get(path) ?? [];
  if (!entry.mentions.has(mentionOf(path))) return fields;
  if (entry.inText === undefined) {
    const document = await readArtifact(root, from).catch(() => {
      // It went away, or cannot be read: then it names nothing.
      return { body: '' };
    });
    entry.inText = await linkedInText(from, document.body);
  }
  return entry.inText.has(path) ? [...fields, 'text'] : fields;
}
