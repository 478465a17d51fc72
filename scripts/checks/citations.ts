/**
 * Which promises a test file cites by tests that surely run. A test counts only as a statement of the module, of a
 * describe's function or of a loop, before anything that may leave it early, and without any word that may switch it
 * off: what is not known to run proves nothing.
 */
import { parseSync } from '@swc/core';

/** An id in the title of a test that runs. */
export interface Citation {
  readonly id: string;
  readonly file: string;
}

type Node = Readonly<Record<string, unknown>>;

export function parseCitations(source: string, file: string): Citation[] {
  const module = parseSync(source, { syntax: 'typescript', tsx: file.endsWith('x'), target: 'es2022' });
  const found: Citation[] = [];
  readStatements(module.body as unknown as Node[], (id) => found.push({ id, file }));
  return found;
}

/** @returns whether a test that runs was met */
function readStatements(statements: readonly Node[], cite: (id: string) => void): boolean {
  let hasLive = false;
  for (const statement of statements) {
    if (readStatement(statement, cite)) hasLive = true;
    if (mayLeave(statement)) break;
  }
  return hasLive;
}

function readStatement(node: Node, cite: (id: string) => void): boolean {
  if (node['type'] === 'ExpressionStatement') return readExpression(node['expression'] as Node, cite);
  if (!loops.has(String(node['type'])) || isEmptyList(node['right'])) return false;
  return readBody(node['body'] as Node, cite);
}

const loops = new Set(['ForStatement', 'ForOfStatement', 'ForInStatement']);

/** Of a loop or a function: a block, one statement, or one expression. */
function readBody(body: Node, cite: (id: string) => void): boolean {
  if (Array.isArray(body['stmts'])) return readStatements(body['stmts'] as Node[], cite);
  return body['type'] === 'ExpressionStatement' ? readStatement(body, cite) : readExpression(body, cite);
}

/** A test that runs, or a describe with one inside; only then its title is cited. */
function readExpression(node: Node, cite: (id: string) => void): boolean {
  const call = node['type'] === 'CallExpression' ? readTestCall(node) : undefined;
  if (call === undefined || call.isOff) return false;
  if (call.kind === 'describe' && !readBody(call.run['body'] as Node, cite)) return false;
  for (const id of idsIn(call.title)) cite(id);
  return true;
}

interface TestCall {
  readonly kind: 'test' | 'describe';
  readonly title: string;
  /** The function, or for a test what stands for it. */
  readonly run: Node;
  readonly isOff: boolean;
}

/** `test('…', run)`, `it.each(rows)('…', run)`, `describe('…', run)`: which it is, and whether it may be switched off. */
function readTestCall(node: Node): TestCall | undefined {
  const links = calleeLinks(node['callee'] as Node);
  const [first] = links;
  const [title, ...rest] = argumentsOf(node);
  const text = title && textOf(title);
  if (text === undefined || !['test', 'it', 'describe'].includes(first?.word ?? '')) return undefined;
  const kind = first?.word === 'describe' ? 'describe' : 'test';
  const run = rest.find(isFunction) ?? (kind === 'test' ? rest.find(({ type }) => type === 'Identifier') : undefined);
  const isOff = run === undefined || links.some(mayBeOff) || rest.some((each) => each !== run && mayHoldSkip(each));
  return { kind, title: text, run: run ?? node, isOff };
}

interface Link {
  readonly word: string;
  /** Of the call of this word: `rows` of `.each(rows)`. */
  readonly given?: readonly Node[];
}

/** `test.each(rows)` as its words, in order. */
function calleeLinks(node: Node, given?: readonly Node[]): Link[] {
  const link = (word: unknown): Link => ({ word: String(word), ...(given && { given }) });
  if (node['type'] === 'Identifier') return [link(node['value'])];
  if (node['type'] === 'MemberExpression') {
    return [...calleeLinks(node['object'] as Node), link((node['property'] as Node)['value'])];
  }
  return node['type'] === 'CallExpression' ? calleeLinks(node['callee'] as Node, argumentsOf(node)) : [];
}

const offWords = new Set(['skip', 'todo', 'fails', 'skipIf']);

function mayBeOff({ word, given }: Link): boolean {
  if (word === 'each' || word === 'for') return isEmptyList(given?.[0]);
  return offWords.has(word) || (word === 'runIf' && !isLinux(given?.[0]));
}

/** Continuous integration runs on Linux, so what is for Linux only does run. */
function isLinux(node: Node | undefined): boolean {
  if (node?.['type'] !== 'BinaryExpression' || node['operator'] !== '===') return false;
  const platform = calleeLinks(node['left'] as Node).map(({ word }) => word);
  return platform.join('.') === 'process.platform' && textOf(node['right'] as Node) === 'linux';
}

/** Options are known to switch nothing off when all of them stand here and none has such a name. */
function mayHoldSkip(node: Node): boolean {
  if (node['type'] === 'NumericLiteral' || node['type'] === 'Identifier') return false;
  if (node['type'] !== 'ObjectExpression') return true;
  return (node['properties'] as Node[]).some((property) => {
    if (property['type'] !== 'KeyValueProperty') return true;
    const key = property['key'] as Node;
    const value = property['value'] as Node;
    const isFalse = value['type'] === 'BooleanLiteral' && value['value'] === false;
    return key['type'] === 'Computed' || (offWords.has(String(key['value'])) && !isFalse);
  });
}

/** True when what follows the statement may not be reached. */
function mayLeave(value: unknown, leaving = leavingWords): boolean {
  if (Array.isArray(value)) return value.some((each) => mayLeave(each, leaving));
  if (value === null || typeof value !== 'object') return false;
  const node = value as Node;
  const type = String(node['type']);
  if (ownScopes.has(type)) return false;
  // What leaves a loop within goes on behind it.
  const within = loops.has(type) || /^(Do)?While|^Switch/.test(type) ? farLeavingWords : leaving;
  return leaving.has(type) || Object.values(node).some((child) => mayLeave(child, within));
}

const farLeavingWords = new Set(['ReturnStatement', 'ThrowStatement']);
const leavingWords = new Set([...farLeavingWords, 'BreakStatement', 'ContinueStatement']);
const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);
const isFunction = (node: Node): boolean => functions.has(String(node['type']));
const methods = ['MethodProperty', 'GetterProperty', 'SetterProperty', 'ClassDeclaration', 'ClassExpression'];
const ownScopes = new Set([...functions, ...methods]);

function isEmptyList(node: unknown): boolean {
  const { type, elements } = (node ?? {}) as { type?: string; elements?: unknown[] };
  return type === 'ArrayExpression' && elements?.length === 0;
}

const argumentsOf = (call: Node): Node[] =>
  ((call['arguments'] ?? []) as { expression: Node }[]).map(({ expression }) => expression);

function textOf(node: Node): string | undefined {
  if (node['type'] === 'StringLiteral') return String(node['value']);
  if (node['type'] !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as { raw: string }[]).map(({ raw }) => raw).join('…');
}

const citedList = /\[([A-Z]{2,6}-[\w.-]+(?:\s*,\s*[A-Z]{2,6}-[\w.-]+)*)\]/g;

const idsIn = (title: string): string[] =>
  [...title.matchAll(citedList)].flatMap((match) => match[1]!.split(',').map((id) => id.trim()));
