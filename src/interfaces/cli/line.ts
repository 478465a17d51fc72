/** A whole command line of an example → the input that it means, without running it. */
import type { OperationDescription } from '../../kernel/pure/operations.ts';
import { inputOfWords, type WordShape, wordShapeOf } from './words.ts';

/** The words of a line as a shell gives them, double quotes taken off. */
export function wordsOfLine(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/**
 * @param line begins with the program's name, then the operation's words
 * @param absolute makes a path that was typed absolute
 */
export function inputOfLine(
  description: OperationDescription,
  line: string,
  absolute: (path: string) => string,
): Record<string, unknown> {
  const shape = wordShapeOf(description);
  const [, verb] = description.name.split('.');
  const [, , second, ...rest] = wordsOfLine(line);
  // The noun alone means its verb, where that is its default.
  const isLeftOut = verb === undefined || (description.commandLine.isDefault === true && second !== verb);
  const given = isLeftOut && second !== undefined ? [second, ...rest] : rest;
  const { places, options } = sortWords(shape, given);
  const words = shape.positionals.map(({ rest }, place) => (rest ? places.slice(place) : places[place]));
  return inputOfWords(shape, words, options, absolute);
}

interface Sorted {
  readonly places: string[];
  readonly options: Record<string, unknown>;
}

function sortWords(shape: WordShape, given: readonly string[]): Sorted {
  const sorted: Sorted = { places: [], options: {} };
  for (let at = 0; at < given.length; at += 1) {
    const [, name, value] = /^--([a-z-]+)(?:=(.*))?$/s.exec(given[at]!) ?? [];
    const flag = shape.flags.find((each) => each.name === name?.replace(/^no-/, '') || each.name === name);
    if (name === undefined) sorted.places.push(given[at]!);
    if (flag === undefined) continue;
    const { field } = flag;
    if (field.kind === 'boolean') {
      sorted.options[field.name] = name === flag.name;
      continue;
    }
    const word = value ?? given[(at += 1)] ?? '';
    const before = (sorted.options[field.name] ?? []) as string[];
    sorted.options[field.name] = field.kind === 'list' ? [...before, word] : word;
  }
  return sorted;
}
