/**
 * docs/troubleshooting.md and the sources say the same: each of its headings is a message of the program, and each
 * message that a person can meet has a heading. What varies is `${…}` in the sources and `<…>` in a heading; here both
 * are `<>`. Sources are parsed, not searched: a message may be a template, a choice of texts, or a constant beside it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { isSource, isTest, listFiles } from '../../scripts/checks/tree.ts';
import { houseRoot } from '../help/house-copies.ts';

type Node = Readonly<Record<string, unknown>> & { readonly type: string };
type Scope = ReadonlyMap<string, Node>;

/** One place where a message is given. `forms` are the texts that it can be; none when its words come from elsewhere. */
interface Message {
  readonly file: string;
  /** Undefined where the code is not written beside the message. */
  readonly code: string | undefined;
  readonly forms: readonly string[];
}

const doc = 'docs/troubleshooting.md';

/** Only agents get these, as the answer to a tool call; the hint speaks to them. */
const metByAgents = [
  "<> would be a meeting's record; those are written by the hall. Expected a request, with `status: requested`.",
  '<> would be the record of a commission; those are written by the hall.',
  'There is no <> in the project.',
  'There is a meeting file <> already.',
  'There is a delivery <> already.',
  'The frontmatter of <> cannot be read: <> (line <>).',
  '<> lies in a folder of <>; requests stand directly in it.',
  '<> is a folder.',
  '<> is no Markdown file; artifacts end in .md.',
  '<> cannot be written: a part of it is a file, or it is a folder.',
  '<> is not among the artifacts; those are the files below .lore/.',
  'There is no <> memory "<>". There are: <>.',
  '<> is no name for a memory; expected a plain name without folders, at most 79 characters.',
  '<> is larger than <> bytes.',
  '<> is not UTF-8 text; it is left as it is.',
  'A part of <> became a link while it was used.',
  'The memory would have <> bytes; at most <> are kept in one file.',
  'There are <> sections "<>"; which one to change is not clear.',
  'edit_section was called without a section.',
  'You have not read this text, and replacing it would lose what somebody wrote there.',
  '"<>" is for the person alone; an agent asked for it.',
  '<> is for the person alone; an agent asked for it.',
  'The hall is away at the moment, and only it can do that.',
  'The project <> is another one than that of the <>, <>.',
  'Commission <> cannot be <> by its own worker.',
  'The briefing is given to the <> of its own project only, <>.',
  'The texts of the project <> are not for an agent of <>.',
  'You take part in no conversation.',
  'That is none of your conversations.',
  'You sit in no gathering.',
  'That is none of your gatherings.',
  'Gatherings are begun by agents in terminals, and by the person.',
  'You sit in the gathering <>, and a gathering is not begun from inside one.',
  'An agent of the project "<>" gathers in that project alone.',
];

/** Faults of a caller inside the program: what a person types is checked before it gets there. */
const metByProgrammers = [
  '<> is not a path inside a repository.',
  '<> is not a revision.',
  'There is no branch <> in <>.',
  '<> is there already.',
  'A field of an artifact was given something that is neither text, number, yes or no, list nor fields.',
  'The data of the event <> has no JSON form.',
  'The event <> came after the stream was closed.',
  'The session of <> is closed.',
  'A turn of <> is running.',
  'Line <> of the recording is no JSON.',
  'Given up before it began.',
  '<> is no port.',
  'The hall binds to this machine alone, and "<>" can be reached from others: whoever reads the token on the way could act as you.',
  'The model endpoint cannot listen on port <>.',
  'The agent no longer knows this session.',
  'A speaker of a council has no artifacts.',
  'There is a terminal "<>" already.',
  'The terminal "<>" is here already.',
  'The terminal "<>" runs.',
  'No message "<>" was given to this terminal.',
];

/** Files that pass on words of others: of a schema, the command line's parser, the gateway, the hall at the other end. */
const passOn = [
  'src/features/councils/operations/refusals.ts',
  'src/features/councils/store/boundary.ts',
  'src/features/gatherings/rules/ceremony/seating.ts',
  'src/interfaces/cli/client.ts',
  'src/interfaces/cli/mistakes.ts',
  'src/interfaces/cli/run.ts',
  'src/kernel/agents/drivers/acp/session.ts',
  'src/kernel/agents/drivers/claude/failures.ts',
  'src/kernel/git/explain.ts',
  'src/kernel/operations/operations.ts',
];

/** The helpers of councils print the lines of their contract: docs/guide/rule-helpers.md has them. */
const helpers = 'src/features/councils/rule/';

/** What makes an error, and which of its arguments is the message. The first argument is the code or class. */
const makers: Readonly<Record<string, number>> = { fail: 1, refuse: 1, failure: 1, unfit: 0, unfitWords: 0 };
/** In an object that has a `hint`, these hold the message. */
const messageKeys = ['message', 'says', 'reason'];

function normalise(text: string): string {
  const placed = text.replaceAll(/<[^<>]*>/g, '<>').replaceAll(/(?:<>){2,}/g, '<>');
  // Words of somebody else that follow a whole sentence are no part of the heading.
  return placed.replace(/(?<=\.)<>$/, '');
}

function hasWords(form: string): boolean {
  return /\p{L}{2}/u.test(form);
}

/** All texts that an expression can be, `<>` for what is only known at run time. */
function formsOf(node: Node | undefined, scope: Scope): string[] {
  switch (node?.type) {
    case 'StringLiteral':
      return [String(node['value'])];
    case 'TemplateLiteral':
      return formsOfTemplate(node, scope);
    case 'ParenthesisExpression':
      return formsOf(node['expression'] as Node, scope);
    case 'ConditionalExpression':
      return [...formsOf(node['consequent'] as Node, scope), ...formsOf(node['alternate'] as Node, scope)];
    case 'BinaryExpression':
      return formsOfBinary(node, scope);
    case 'Identifier':
      return formsOf(scope.get(String(node['value'])), new Map());
    case 'ArrowFunctionExpression':
      return formsOf(node['body'] as Node, scope);
    case 'CallExpression':
      return formsOfCall(node, scope);
    default:
      return ['<>'];
  }
}

/** `text.trim()` is the text; `JSON.stringify(text)` puts it in quotes, a number not. */
function formsOfCall({ callee }: Node, scope: Scope): string[] {
  const { type, object, property } = callee as Node & { object: Node; property: Node };
  if (type !== 'MemberExpression') return ['<>'];
  if (property['value'] === 'trim') return formsOf(object, scope);
  return object['value'] === 'JSON' && property['value'] === 'stringify' ? ['"<>"', '<>'] : ['<>'];
}

function formsOfBinary(node: Node, scope: Scope): string[] {
  const [left, right] = [formsOf(node['left'] as Node, scope), formsOf(node['right'] as Node, scope)];
  if (node['operator'] === '+') return joined(left, right);
  return node['operator'] === '||' || node['operator'] === '??' ? [...left, ...right] : ['<>'];
}

function formsOfTemplate(node: Node, scope: Scope): string[] {
  const quasis = (node['quasis'] as { cooked: string }[]).map(({ cooked }) => cooked);
  const expressions = node['expressions'] as Node[];
  return expressions.reduce(
    (forms, expression, index) => joined(joined(forms, formsOf(expression, scope)), [quasis[index + 1]!]),
    [quasis[0]!],
  );
}

const joined = (starts: readonly string[], ends: readonly string[]): string[] =>
  starts.flatMap((start) => ends.map((end) => start + end));

/** Constants of a block, by name, over those around it. */
function scopeOf(statements: readonly Node[], outer: Scope): Scope {
  const inner = new Map(outer);
  for (const statement of statements) {
    if (statement.type !== 'VariableDeclaration') continue;
    for (const { id, init } of statement['declarations'] as { id: Node; init?: Node }[]) {
      if (id.type === 'Identifier' && init) inner.set(String(id['value']), init);
    }
  }
  return inner;
}

interface Found {
  readonly messages: Message[];
  /** Every text of the file, normalised. */
  readonly texts: string[];
}

function readSource(source: string, file: string): Found {
  const syntax = file.endsWith('.ts') ? ({ syntax: 'typescript' } as const) : ({ syntax: 'ecmascript' } as const);
  const found: Found = { messages: [], texts: [] };
  walk(parseSync(source, { ...syntax, target: 'es2022' }) as unknown as Node, new Map(), file, found);
  return found;
}

function walk(value: unknown, scope: Scope, file: string, found: Found): void {
  if (Array.isArray(value)) for (const item of value) walk(item, scope, file, found);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return;
  const node = value as Node;
  const statements = node['stmts'] ?? (node.type === 'Module' ? node['body'] : undefined);
  const here = statements === undefined ? scope : scopeOf(statements as Node[], scope);
  const message = messageOfCall(node, here) ?? messageOfObject(node, here);
  if (message) found.messages.push({ file, ...message });
  if (node.type === 'StringLiteral' || node.type === 'TemplateLiteral') {
    found.texts.push(...formsOf(node, here).map(normalise));
  }
  for (const child of Object.values(node)) walk(child, here, file, found);
}

function messageOfCall(node: Node, scope: Scope): Omit<Message, 'file'> | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node['callee'] as Node;
  const place = callee.type === 'Identifier' ? makers[String(callee['value'])] : undefined;
  if (place === undefined) return undefined;
  const given = (node['arguments'] as { expression: Node }[]).map(({ expression }) => expression);
  // `fail(other.code, other.message, …)`: the facts of an error that was made, and is found, elsewhere.
  if (isMemberNamed(given[place], 'message')) return undefined;
  return { code: codeOf(given[0]), forms: withWords(formsOf(given[place], scope)) };
}

function isMemberNamed(node: Node | undefined, name: string): boolean {
  return node?.type === 'MemberExpression' && (node['property'] as Node)['value'] === name;
}

const codeOf = (node: Node | undefined): string | undefined =>
  node?.type === 'StringLiteral' ? String(node['value']) : undefined;

const withWords = (forms: readonly string[]): string[] => [...new Set(forms.map(normalise))].filter(hasWords);

/** `{ code, message, hint }` and its like; those whose words come from elsewhere are no message of this place. */
function messageOfObject(node: Node, scope: Scope): Omit<Message, 'file'> | undefined {
  if (node.type !== 'ObjectExpression') return undefined;
  const values = new Map<string, Node>();
  for (const property of node['properties'] as Node[]) {
    if (property.type === 'Identifier') values.set(String(property['value']), property);
    if (property.type === 'KeyValueProperty') {
      values.set(String((property['key'] as Node)['value']), property['value'] as Node);
    }
  }
  const key = messageKeys.find((name) => values.has(name));
  if (key === undefined || !values.has('hint')) return undefined;
  const forms = withWords(formsOf(values.get(key), scope));
  return forms.length === 0 ? undefined : { code: codeOf(values.get('code')), forms };
}

/** Headings of the third level, without the backticks around them. Those of the second level are areas. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading.replaceAll(/^`+ ?| ?`+$/g, ''));
}

interface House {
  readonly headings: readonly string[];
  readonly messages: readonly Message[];
  readonly texts: readonly string[];
}

/** Headings that no source says. */
function judgeHeadings({ headings, texts, messages }: House): string[] {
  const said = new Set([...texts, ...messages.flatMap(({ forms }) => forms)]);
  return headings.filter((heading) => !said.has(normalise(heading)));
}

/** Messages that have no heading. */
function judgeMessages({ headings, messages }: House): string[] {
  const explained = new Set([...headings.map(normalise), ...metByAgents, ...metByProgrammers]);
  return messages
    .filter(({ code, forms }) => code !== 'internal' && forms.length > 0 && !forms.some((form) => explained.has(form)))
    .map(({ file, forms }) => `${file}: ${forms[0]}`);
}

let house: House;

beforeAll(async () => {
  const isRead = (file: string): boolean => /^(src|bin|scripts)\//.test(file) && isSource(file) && !isTest(file);
  const files = (await listFiles(houseRoot)).filter(isRead);
  const found = files.map((file) => readSource(readFileSync(join(houseRoot, file), 'utf8'), file));
  house = {
    headings: headingsOf(readFileSync(join(houseRoot, doc), 'utf8')),
    messages: found
      .flatMap(({ messages }) => messages)
      .filter(({ file, forms }) => file.startsWith('src/') && !(file.startsWith(helpers) && forms.length === 0)),
    texts: found.flatMap(({ texts }) => texts),
  };
});

test('every heading is a message of the program', () => {
  expect(judgeHeadings(house)).toEqual([]);
});

test('every message that a person can meet has a heading', () => {
  expect(judgeMessages(house)).toEqual([]);
});

test('no heading stands twice', () => {
  const headings = house.headings.map(normalise);
  expect(headings.filter((heading, index) => headings.indexOf(heading) !== index)).toEqual([]);
});

test('every exception is a message that exists, and has no heading', () => {
  const said = new Set(house.messages.flatMap(({ forms }) => forms));
  const headings = new Set(house.headings.map(normalise));
  const exceptions = [...metByAgents, ...metByProgrammers];
  expect(exceptions.filter((message) => !said.has(message) || headings.has(message))).toEqual([]);
});

test('only the files named here pass on words that cannot be read beside the call', () => {
  const files = house.messages.filter(({ code, forms }) => code !== 'internal' && forms.length === 0);
  expect([...new Set(files.map(({ file }) => file))].toSorted()).toEqual(passOn);
});

describe('messages are found', () => {
  test.each([
    ['as a text', `throw fail('invalid', 'It is closed.', 'Open it.')`, ['It is closed.']],
    ['as a template', 'refuse(`limit`, `Port ${port} is taken by <x>.`, hint)', ['Port <> is taken by <>.']],
    [
      'as a choice',
      "fail('limit', `${n} thing${n === 1 ? ' is' : 's are'} open.`, '')",
      ['<> thing is open.', '<> things are open.'],
    ],
    ['as a constant', "{ const said = `None of ${x}.`; fail('limit', said, ''); }", ['None of <>.']],
    ['in an object', "const facts = { code: 'conflict', message: `It is ${x}.`, hint: '' }", ['It is <>.']],
    ['in a table', 'const row = { says: (x) => `The disk ${x} is full.`, hint: () => hint }', ['The disk <> is full.']],
    ['not in a call of another name', "note('invalid', 'It is closed.', 'Open it.')", []],
  ])('%s', (_how, source, forms) => {
    expect(readSource(source, 'a.ts').messages.flatMap((message) => message.forms)).toEqual(forms);
  });
});

test('a heading or a message that was changed is found', () => {
  const { messages, texts } = readSource("fail('conflict', `Port ${port} is in use.`, '')", 'src/a.ts');
  const judge = (text: string): string[][] => {
    const changed = { messages, texts, headings: headingsOf(text) };
    return [judgeHeadings(changed), judgeMessages(changed)];
  };
  expect(judge('## Ports\n\n### `Port <number> is in use.`\n')).toEqual([[], []]);
  expect(judge('### `Port <number> is taken.`\n')).toEqual([
    ['Port <number> is taken.'],
    ['src/a.ts: Port <> is in use.'],
  ]);
});
