/** Searching what was written down and said. */
import { askSearch } from '../../kernel/artifacts/search/ask.ts';
import { parseQuery } from '../../kernel/artifacts/search/query.ts';
import type { Found, FoundSource, Term } from '../../kernel/artifacts/search/shapes.ts';
import { bindOperation, type BoundOperation, type Caller } from '../../kernel/operations/operations.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import { fail } from '../../kernel/pure/errors.ts';
import { findNow } from '../../kernel/secrets/find.ts';
import { maskFindings } from '../../kernel/secrets/patterns.ts';
import { scrubNow } from '../../kernel/secrets/scrub.ts';
import type { SearchContext } from './context.ts';
import {
  search,
  type SearchAnswer,
  type SearchHit,
  type SearchKind,
  searchKinds,
  searchKindSchema,
} from './contract.ts';
import { readLater, searchFolder } from './keeping.ts';
import { commandFor, fileNamed, snippetOf } from './rules.ts';
import { touchedBy } from './touching.ts';

export function bindSearch(ctx: SearchContext): BoundOperation[] {
  return [bindOperation(search, (caller, input) => searchFor(ctx, caller, input))];
}

interface Wanted {
  readonly words: string;
  readonly project?: string | undefined;
  readonly kind: readonly SearchKind[];
  readonly file?: string | undefined;
  readonly limit: number;
}

/** Characters of a snippet. */
const snippetWidth = 240;

async function searchFor(ctx: SearchContext, caller: Caller, wanted: Wanted): Promise<SearchAnswer> {
  const projects = projectsFor(ctx, caller, wanted.project);
  const terms = parseQuery(wanted.words);
  const file = wanted.file ?? fileNamed(wanted.words);
  if (terms.length === 0 && wanted.file === undefined) throw nothingAsked();
  const [found, touched] = await Promise.all([
    findIn(ctx, projects, { terms, kinds: wanted.kind, limit: wanted.limit }),
    file === undefined ? [] : touchedBy(ctx, projects, file),
  ]);
  return {
    terms: terms.map(({ text, isPhrase }) => (isPhrase ? `"${text}"` : text)),
    hits: found.hits.map((hit) => hitOf(hit, terms, snippetWidth)),
    total: found.total,
    touched,
    file: wanted.file === undefined && touched.length === 0 ? null : (file ?? null),
    searched: {
      projects: projects.map(({ name }) => name),
      kinds: wanted.kind.length === 0 ? [...searchKinds] : [...wanted.kind],
      ...found.searched,
    },
  };
}

/** An agent finds what is of its own project, and no other one. */
function projectsFor(ctx: SearchContext, caller: Caller, named: string | undefined): readonly Project[] {
  if (caller.kind === 'person') return ctx.projects(named);
  const own = caller.activity.project;
  if (named === undefined || named === own) return ctx.projects(own);
  throw fail(
    'forbidden',
    `The texts of the project ${named} are not for an agent of ${own}.`,
    'Search without a project: that is your own.',
  );
}

function nothingAsked(): Error {
  return fail(
    'invalid',
    'It is not said what to search for: expected at least one letter or digit.',
    'Give a word: guild-hall search <words>, or a file: guild-hall search --file <path>',
    { field: 'words' },
  );
}

/** More of changed texts is not read before an answer. Bytes. */
const readBeforeAnswer = 128 * 1024 * 1024;

interface Query {
  readonly terms: readonly Term[];
  readonly kinds: readonly SearchKind[];
  readonly limit: number;
}

export async function findIn(ctx: SearchContext, projects: readonly Project[], query: Query): Promise<Found> {
  const found = await askSearch(ctx, ctx.thread, {
    home: searchFolder(ctx),
    projects: projects.map((each) => ({ name: each.name, shelves: ctx.shelvesOf(each) })),
    ...query,
    readBytes: readBeforeAnswer,
    nowMs: ctx.clock.nowMs(),
  });
  for (const { name } of projects) ctx.stale.delete(name);
  if (found.searched.unread > 0) readLater(ctx, projects);
  return found;
}

export function hitOf(found: FoundSource, terms: readonly Term[], width: number): SearchHit {
  const { id, path } = found;
  const facts = { project: found.project as SearchHit['project'], kind: searchKindSchema.parse(found.kind), id, path };
  return {
    ...facts,
    title: scrubNow(found.title),
    at: new Date(found.atMs).toISOString(),
    snippet: snippetOf(masked(found), terms, width),
    more: Math.max(0, found.passages - 1),
    command: commandFor(facts),
  };
}

/** A secret that begins before the passage, or ends behind it, is masked as well. */
function masked({ before, text, after }: FoundSource): string {
  const [from, to] = [before.length, before.length + text.length];
  const inside = findNow(before + text + after).filter(({ start, end }) => start < to && end > from);
  return maskFindings(
    text,
    inside.map(({ start, end, kind }) => ({
      start: Math.max(0, start - from),
      end: Math.min(text.length, end - from),
      kind,
    })),
  );
}
