/** A mistake in the words of a command line as an error like any other: what was wrong, what may have been meant. */
import type { Command, CommanderError } from 'commander';
import { fail, type HallError } from '../../kernel/pure/errors.ts';
import { nearestOf } from '../../kernel/pure/nearest.ts';

/** @param argv the words after the program's name */
export function mistakeOf(error: CommanderError, program: Command, argv: readonly string[]): HallError {
  const [first = '', second = ''] = error.message.replace(/^error: /, '').split('\n');
  const { words, command } = commandOf(program, argv);
  const next = argv.filter((word) => !word.startsWith('-'))[words.length];
  if (first.startsWith('too many arguments') && next !== undefined && command.commands.length > 0) {
    // A noun that means one of its verbs took the word for one of that verb.
    const known = command.commands.map((each) => each.name());
    return wrongWords(`Unknown command '${next}'.`, words, nearestOf(next, known));
  }
  const offered = /Did you mean (?:one of )?(.+?)\?\)$/.exec(second)?.[1]?.split(', ') ?? [];
  // What the parser offers may be far from what was typed.
  const meant = nearestOf(/'(.*)'/.exec(first)?.[1] ?? '', offered);
  return wrongWords(spoken(first), words, meant);
}

export function unknownHelp(word: string, known: readonly string[]): HallError {
  return wrongWords(`There is no command and no topic '${word.slice(0, 60)}'.`, [], nearestOf(word, known));
}

function wrongWords(said: string, about: readonly string[], meant: string | undefined): HallError {
  const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}See: ${['guild-hall', ...about, '--help'].join(' ')}`;
  return fail('invalid', said.slice(0, 300), hint);
}

/** The command that is named, and the words that name it. */
export function commandOf(program: Command, argv: readonly string[]): { words: string[]; command: Command } {
  let command = program;
  const words: string[] = [];
  for (const word of argv) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined && word.startsWith('-')) continue;
    if (next === undefined) break;
    words.push(word);
    command = next;
  }
  return { words, command };
}

const forms: readonly (readonly [RegExp, (...found: string[]) => string])[] = [
  [/^missing required argument '(.+)'$/, (name) => `<${name}> is missing.`],
  [/^option '(--[a-z-]+) .+' argument missing$/, (flag) => `${flag} is followed by no value.`],
  [
    /^too many arguments(?: for '.+')?\. Expected (\d+) arguments? but got (\d+)\.?$/,
    (expected, given) => `Too many words: expected ${expected === '0' ? 'none' : expected}, given ${given}.`,
  ],
];

function spoken(message: string): string {
  for (const [form, say] of forms) {
    const found = form.exec(message);
    if (found) return say(...found.slice(1));
  }
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`;
}
