/** Drafts of action items as YAML: the form of the helper's drafts file, and of the review. */
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { fail } from '../../../kernel/pure/errors.ts';
import { actionItemTypes } from '../contract/terms.ts';
import type { ActionItemDraft } from '../contract/drafts.ts';
import { printFieldsOf, printPlainList } from './entries.ts';
import { plainOf } from './yaml-fields.ts';

export interface ItemText {
  readonly id: string | undefined;
  readonly type: string;
  readonly priority: string;
  readonly assignee: string;
  readonly contextForTarget: string;
  readonly acceptance: string;
  readonly pins: readonly string[];
}

const known = ['type', 'id', 'priority', 'assignee', 'context_for_target', 'acceptance', 'pins'];

export function printItems(items: readonly ActionItemDraft[]): string {
  const kinds = actionItemTypes.join(', ');
  if (items.length === 0)
    return `# No action items were drafted. To add one, begin it with \`- type:\`. Types:\n# ${kinds}.\n`;
  const head = `# Action items of this council, each from \`- type:\` on. Types:\n# ${kinds}.\n`;
  const entries = items.map((item) => {
    const text = printFieldsOf([
      ['type', item.type],
      ['id', item.id],
      ['priority', item.priority],
      ['assignee', item.assignee],
      ['context_for_target', item.contextForTarget],
      ['acceptance', item.acceptance],
    ]);
    return `${text}  pins: ${printPlainList(item.pins)}\n`;
  });
  return head + entries.join('');
}

/**
 * A list, or nothing; whether types are known is not looked at.
 * @throws `invalid` with the line that cannot be read
 */
export function parseItems(text: string): ItemText[] {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const { line } = counter.linePos(problem.pos[0]);
    throw unreadable(line, problem.message.split('\n', 1)[0]!.replace(/ at line .*/, ''));
  }
  const value = plainOf(document);
  const listed = Array.isArray(value) ? value : (value as { readonly items?: unknown } | null | undefined)?.items;
  if (value === null || (listed === undefined && text.trim() === '')) return [];
  if (!Array.isArray(listed)) throw unreadable(1, 'it is no list of items');
  return listed.map((fields: unknown, at) => itemOf(fields, lineOf(document.contents, counter, at)));
}

function itemOf(given: unknown, line: number): ItemText {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw unreadable(line, 'it has no fields');
  const fields = given as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).find((name) => !known.includes(name) && !registryOnly.has(name));
  if (unknown !== undefined) throw unreadable(line, `there is no field ${JSON.stringify(unknown.slice(0, 60))}`);
  const textOf = (name: string, usual = ''): string => {
    const value = fields[name] ?? usual;
    if (typeof value === 'object') throw unreadable(line, `${name} is no text`);
    return String(value as string | number | boolean);
  };
  const pins = fields['pins'] ?? [];
  if (!Array.isArray(pins)) throw unreadable(line, 'pins is no list');
  return {
    id: textOf('id') === '' ? undefined : textOf('id'),
    type: textOf('type'),
    priority: textOf('priority') || 'normal',
    assignee: textOf('assignee') || 'unassigned',
    contextForTarget: textOf('context_for_target'),
    acceptance: textOf('acceptance'),
    pins: pins.map(String),
  };
}

/** Of an entry of a registry: taken, and not looked at. */
const registryOnly: ReadonlySet<string> = new Set(['status', 'created', 'source_meeting', 'target_command']);

function lineOf(contents: unknown, counter: LineCounter, at: number): number {
  const holder = isMap(contents)
    ? contents.items.find(({ key }) => isScalar(key) && key.value === 'items')?.value
    : contents;
  const item = (holder as { readonly items?: readonly { readonly range?: readonly number[] }[] } | null)?.items?.[at];
  return counter.linePos(item?.range?.[0] ?? 0).line;
}

function unreadable(line: number, reason: string): Error {
  return fail(
    'invalid',
    `The action items cannot be read at line ${line}: ${reason}.`,
    `Write each as: - type: <type>, and below it, indented by two: ${known.slice(2).join(', ')}.`,
    { line },
  );
}
