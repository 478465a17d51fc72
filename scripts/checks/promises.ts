/**
 * The promises gate: docs/promises.yaml lists what users may rely on; tests cite its ids in square brackets in their
 * titles. A promise marked `kept` that no live test cites, an id that is cited but not listed, and a doubled id fail.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { parse } from 'yaml';
import type { Check } from './step.ts';
import { isTest, listFiles } from './tree.ts';

export interface HallPromise {
  readonly id: string;
  readonly promise: string;
  readonly status: 'planned' | 'kept';
  readonly settled?: string;
  /** The section of the list that it stands in: a feature, or a part that all share. */
  readonly part: string;
}

/** An id in the title of a test that runs. */
export interface Citation {
  readonly id: string;
  readonly file: string;
}

export const promisesFile = 'docs/promises.yaml';
const countLine = /(<!-- promises -->)([^\n]*)(<!-- \/promises -->)/;

export const promisesCheck: Check = {
  name: 'promises',
  holds: 'every kept promise is proved by a test; every cited id exists; the README counts rightly',
  find: async (root) => {
    const promises = readPromises(root);
    const citations = await readCitations(root);
    return [...judgePromises(promises, citations), ...judgeReadme(root, promises)];
  },
};

export function readPromises(root: string): HallPromise[] {
  const parts = parse(readFileSync(join(root, promisesFile), 'utf8')) as Record<string, Omit<HallPromise, 'part'>[]>;
  return Object.entries(parts).flatMap(([part, list]) => list.map((promise) => ({ ...promise, part })));
}

/** Citations of all test files under src, web and test. Skipped and todo tests do not count. */
export async function readCitations(root: string): Promise<Citation[]> {
  const files = (await listFiles(root)).filter((file) => isTest(file) && /^(src|web|test)\//.test(file));
  return files.flatMap((file) => parseCitations(readFileSync(join(root, file), 'utf8'), file));
}

/** True when a citation of `cited` proves `id`: the id itself, or a bare id for its dotted parts. */
export const covers = (cited: string, id: string): boolean => id === cited || id.startsWith(`${cited}.`);

export function judgePromises(promises: readonly HallPromise[], citations: readonly Citation[]): string[] {
  const ids = promises.map(({ id }) => id);
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  const unknown = citations.filter(({ id: cited }) => !ids.some((id) => covers(cited, id)));
  const odd = promises.filter(({ status }) => status !== 'planned' && status !== 'kept');
  const unproved = promises.filter(
    ({ id, status }) => status === 'kept' && !citations.some((citation) => covers(citation.id, id)),
  );
  return [
    ...doubled.map((id) => `${promisesFile}: ${id} is listed twice`),
    ...odd.map(({ id }) => `${promisesFile}: the status of ${id} is neither planned nor kept`),
    ...unknown.map(
      ({ id, file }) => `${file}: cites ${id}, which is not in ${promisesFile}: correct the id, or add the promise`,
    ),
    ...unproved.map(
      ({ id }) => `${promisesFile}: ${id} is kept, but no live test cites [${id}]: write the test, or mark it planned`,
    ),
  ];
}

/** The sentence between the README's markers. */
export function countSentence(promises: readonly HallPromise[]): string {
  const kept = promises.filter(({ status }) => status === 'kept').length;
  return `${kept} of ${promises.length} promises are kept, each proved by a test.`;
}

/** The README's text with the count put right; undefined when it has no markers. */
export function withCount(readme: string, promises: readonly HallPromise[]): string | undefined {
  if (!countLine.test(readme)) return undefined;
  return readme.replace(
    countLine,
    (_all, open: string, _text, close: string) => `${open}${countSentence(promises)}${close}`,
  );
}

function judgeReadme(root: string, promises: readonly HallPromise[]): string[] {
  const path = join(root, 'README.md');
  const readme = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const right = withCount(readme, promises);
  if (right === undefined)
    return ['README.md: no line <!-- promises -->…<!-- /promises -->: add one, then npm run promises -- count'];
  return right === readme ? [] : ['README.md: the count of promises is old: npm run promises -- count'];
}

type Node = Readonly<Record<string, unknown>>;

export function parseCitations(source: string, file: string): Citation[] {
  const module = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' });
  const found: Citation[] = [];
  visit(module as unknown as Node, false, (id) => found.push({ id, file }));
  return found;
}

/** Walks any syntax tree; returns whether a live test was met. A describe cites only when a live test is inside. */
function visit(value: unknown, isSkipped: boolean, cite: (id: string) => void): boolean {
  if (Array.isArray(value)) return value.map((item) => visit(item, isSkipped, cite)).includes(true);
  if (value === null || typeof value !== 'object') return false;
  const node = value as Node;
  const call = node['type'] === 'CallExpression' ? readTestCall(node) : undefined;
  const skipped = isSkipped || (call?.isOff ?? false);
  const hasLive = Object.values(node)
    .map((child) => visit(child, skipped, cite))
    .includes(true);
  if (call === undefined || skipped) return hasLive && !skipped;
  if (call.kind === 'test' || hasLive) for (const id of idsIn(call.title)) cite(id);
  return call.kind === 'test' || hasLive;
}

interface TestCall {
  readonly kind: 'test' | 'describe';
  readonly title: string;
  readonly isOff: boolean;
}

/** `test('…')`, `it.each(rows)('…')`, `describe.skip('…')`: which it is, its title, and whether it is switched off. */
function readTestCall(node: Node): TestCall | undefined {
  const words = calleeWords(node['callee'] as Node);
  const [first] = words;
  const [argument] = node['arguments'] as { expression: Node }[];
  const title = argument && textOf(argument.expression);
  if (title === undefined || (first !== 'test' && first !== 'it' && first !== 'describe')) return undefined;
  const isOff = words.some((word) => word === 'skip' || word === 'todo' || word === 'fails');
  return { kind: first === 'describe' ? 'describe' : 'test', title, isOff };
}

function calleeWords(node: Node): string[] {
  if (node['type'] === 'Identifier') return [String(node['value'])];
  if (node['type'] === 'MemberExpression') {
    return [...calleeWords(node['object'] as Node), ...calleeWords(node['property'] as Node)];
  }
  return node['type'] === 'CallExpression' ? calleeWords(node['callee'] as Node) : [];
}

function textOf(node: Node): string | undefined {
  if (node['type'] === 'StringLiteral') return String(node['value']);
  if (node['type'] !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as { raw: string }[]).map(({ raw }) => raw).join('…');
}

const citedList = /\[([A-Z]{2,6}-[\w.-]+(?:\s*,\s*[A-Z]{2,6}-[\w.-]+)*)\]/g;

const idsIn = (title: string): string[] =>
  [...title.matchAll(citedList)].flatMap((match) => match[1]!.split(',').map((id) => id.trim()));
