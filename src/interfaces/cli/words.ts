/** Command line words ↔ input fields: which are positional, which are flags, and what their words mean. */
import { fail } from '../../kernel/pure/errors.ts';
import type { OperationDescription } from '../../kernel/pure/operations.ts';
import { fieldsOf, valueOfWords, type InputField } from '../../kernel/operations/fields.ts';

export interface Positional {
  readonly field: InputField;
  /** Takes all words that follow. */
  readonly rest: boolean;
}

export interface Flag {
  readonly field: InputField;
  /** Without dashes. */
  readonly name: string;
}

export interface WordShape {
  readonly positionals: readonly Positional[];
  readonly flags: readonly Flag[];
}

export function wordShapeOf(description: OperationDescription): WordShape {
  const fields = fieldsOf(description);
  const places = description.commandLine.positionals ?? [];
  const positionals = places.flatMap(({ field: name, rest }, place) => {
    const field = fields.find((each) => each.name === name);
    const isLast = place === places.length - 1;
    return field ? [{ field, rest: isLast && (rest === true || field.kind === 'list') }] : [];
  });
  const taken = new Set(positionals.map(({ field }) => field.name));
  const flags = fields
    .filter((field) => !taken.has(field.name))
    .map((field) => ({ field, name: description.commandLine.flags?.[field.name] ?? kebabOf(field.name) }));
  return { positionals, flags };
}

/** The flag by which an answer goes on as it happens, or does not. */
export interface FollowFlag {
  readonly name: '--follow' | '--no-follow';
  readonly help: string;
}

/** @param isFollowed somebody follows the answer of this operation */
export function followFlagOf({ commandLine }: OperationDescription, isFollowed: boolean): FollowFlag | undefined {
  if (commandLine.followsWhenAsked) return { name: '--follow', help: 'go on as it happens; Ctrl-C only leaves' };
  return isFollowed ? { name: '--no-follow', help: 'answer at once; do not wait for what follows' } : undefined;
}

/** True when the input has a field `project`, as a flag or by its place. */
export function takesProject(shape: WordShape): boolean {
  return [...shape.positionals, ...shape.flags].some(({ field }) => field.name === 'project');
}

/**
 * The input that the words of a command line mean; fields that were not given are left out.
 * @param absolute makes a path that was typed absolute; `.` is the folder that somebody is in
 */
export function inputOfWords(
  shape: WordShape,
  words: readonly (string | readonly string[] | undefined)[],
  options: Readonly<Record<string, unknown>>,
  absolute: (path: string) => string,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const [place, { field }] of shape.positionals.entries()) {
    const given = [words[place] ?? []].flat();
    if (given.length > 0) input[field.name] = valueOfPositional(field, given);
  }
  for (const { field, name } of shape.flags) {
    const given = options[field.name];
    if (given === undefined) continue;
    if (field.isOnce && [given].flat().length > 1)
      throw fail('invalid', `--${name} was given twice, and takes one.`, 'Leave one of them out.');
    input[field.name] = typeof given === 'boolean' ? given : valueOfWords(field, [given].flat() as string[]);
  }
  if (takesProject(shape) && input['project'] === undefined && options['project'] !== undefined) {
    input['project'] = options['project'];
  }
  for (const { field } of [...shape.positionals, ...shape.flags]) {
    const value = input[field.name];
    if (field.isPath && typeof value === 'string' && value !== '') input[field.name] = absolute(value);
    if (field.isHere && value === undefined) input[field.name] = absolute('.');
  }
  return input;
}

/** How a field is called on the command line, for messages: `--worker`, `<id>`. */
export function spokenName(shape: WordShape, field: string): string {
  const flag = shape.flags.find((each) => each.field.name === field);
  if (flag) return `--${flag.name}`;
  return shape.positionals.some((each) => each.field.name === field) ? `<${kebabOf(field)}>` : field;
}

export function kebabOf(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

/** Words of a text that takes the rest are one text. */
function valueOfPositional(field: InputField, words: readonly string[]): unknown {
  return field.kind === 'list' ? valueOfWords(field, words) : valueOfWords(field, [words.join(' ')]);
}
