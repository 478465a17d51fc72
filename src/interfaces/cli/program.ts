/**
 * The command line: `guild-hall <noun> <verb>`, mounted from operation descriptions. Help needs no hall. What an
 * operation needs besides its description (a renderer, a stream to follow) is handed in by name.
 */
import { Command, CommanderError, Option } from 'commander';
import { errorTable, fail, type HallError } from '../../kernel/pure/errors.ts';
import type { OperationDescription } from '../../kernel/pure/operations.ts';
import type { InputField } from '../../kernel/operations/fields.ts';
import { nearestOf } from '../../kernel/pure/nearest.ts';
import { reportError } from './report.ts';
import type { CliParts, OwnCommand } from './parts.ts';
import { runOperation } from './run.ts';
import { kebabOf, wordShapeOf, type WordShape } from './words.ts';

/** Runs one command line. Never throws. @param argv words after the program's name; @returns the exit code */
export async function runCli(parts: CliParts, argv: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = buildProgram(parts, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (error.code === 'commander.help') return 2;
    }
    return reportError(parts.terminal, mistakeOf(error, argv), argv.includes('--json'));
  }
}

export function buildProgram(parts: CliParts, done: (exitCode: number) => void): Command {
  const program = new Command('guild-hall')
    .description('You and AI agents work together in your own git repository.')
    .version(parts.version)
    .helpCommand(false);
  configure(parts, program);
  for (const own of parts.ownCommands) mountOwn(parts, program, own, done);
  const nouns = new Map<string, Command>();
  for (const description of parts.descriptions) mountOperation(parts, program, nouns, description, done);
  program.addHelpText('after', `\nEvery command takes --json and --project <name>. More: guild-hall <command> --help`);
  return program;
}

function configure(parts: CliParts, command: Command): void {
  command.exitOverride().configureOutput({
    // Help is the program's own words throughout.
    writeOut: (text) => parts.terminal.out(parts.terminal.hint(text)),
    writeErr: (text) => parts.terminal.err(parts.terminal.hint(text)),
    // The message comes again in the thrown error, which is shown in the program's own form.
    outputError: () => {},
    getOutHelpWidth: () => parts.terminal.width,
    getErrHelpWidth: () => parts.terminal.width,
  });
}

function mountOwn(parts: CliParts, program: Command, own: OwnCommand, done: (code: number) => void): void {
  const command = program.command(own.name).summary(own.summary).description(sentence(own.summary));
  configure(parts, command);
  for (const { flags, help } of own.options) command.option(flags, help);
  if (!own.options.some(({ flags }) => flags.includes('--json'))) command.addOption(new Option('--json').hideHelp());
  command.addOption(new Option('--project <name>').hideHelp());
  addExamples(command, own.examples);
  command.action(async (options: Record<string, unknown>) => done(await own.run(options)));
}

function mountOperation(
  parts: CliParts,
  program: Command,
  nouns: Map<string, Command>,
  description: OperationDescription,
  done: (code: number) => void,
): void {
  const [noun = '', verb] = description.name.split('.');
  const parent = verb === undefined ? program : nounCommand(parts, program, nouns, noun);
  const command = parent.command(verb ?? noun);
  command.summary(description.summary).description(sentence(description.summary));
  configure(parts, command);
  const shape = wordShapeOf(description);
  addWords(command, shape);
  command.option('--json', 'answer as JSON');
  if (parts.follows[description.name]) command.option('--no-follow', 'send only; do not wait for the answer');
  const verdict = parts.verdicts[description.name];
  if (verdict)
    command.addHelpText('after', `\nEnds with exit code ${errorTable[verdict.code].exit} when ${verdict.when}.`);
  addExamples(command, description.commandLine.examples);
  command.action(async (...given: unknown[]) => {
    const options = command.opts<Record<string, unknown>>();
    const words = given.slice(0, shape.positionals.length) as (string | string[] | undefined)[];
    done(await runOperation(parts, description, shape, { words, options }));
  });
}

function nounCommand(parts: CliParts, program: Command, nouns: Map<string, Command>, noun: string): Command {
  const known = nouns.get(noun);
  if (known) return known;
  const summary = parts.nounSummaries[noun] ?? '';
  const command = program.command(noun).summary(summary).description(sentence(summary)).helpCommand(false);
  configure(parts, command);
  nouns.set(noun, command);
  return command;
}

function addWords(command: Command, shape: WordShape): void {
  for (const { field, rest } of shape.positionals) {
    const name = `${kebabOf(field.name)}${rest ? '...' : ''}`;
    command.argument(field.required ? `<${name}>` : `[${name}]`, helpOf(field));
  }
  for (const { field, name } of shape.flags) command.addOption(optionOf(field, name));
  if (!shape.flags.some(({ name }) => name === 'project')) {
    command.addOption(new Option('--project <name>').hideHelp());
  }
}

/** Options keep their field's name, whatever the flag is called. */
function optionOf(field: InputField, name: string): Option {
  if (field.kind === 'boolean') {
    return named(new Option(`--${field.fallback === true ? 'no-' : ''}${name}`, helpOf(field)), field);
  }
  const word = field.kind === 'number' ? '<number>' : field.name === 'project' ? '<name>' : '<text>';
  const option = new Option(`--${name} ${word}`, helpOf(field));
  if (field.kind === 'list') {
    option.argParser((value: string, before: unknown) => [
      ...(Array.isArray(before) ? (before as string[]) : []),
      value,
    ]);
  }
  return named(option, field);
}

function named(option: Option, field: InputField): Option {
  option.attributeName = () => field.name;
  return option;
}

function helpOf(field: InputField): string {
  const choices = field.choices.length > 0 ? `one of ${field.choices.join(', ')}` : '';
  const again = field.kind === 'list' ? 'may be given again' : '';
  const hasFallback = ['string', 'number'].includes(typeof field.fallback) && field.fallback !== '';
  const fallback = hasFallback ? `else ${String(field.fallback)}` : '';
  const notes = [choices, again, fallback].filter((note) => note !== '').join('; ');
  return [field.help, notes === '' ? '' : `(${notes})`].filter((part) => part !== '').join(' ');
}

function addExamples(command: Command, examples: OwnCommand['examples']): void {
  if (examples.length === 0) return;
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, does }) =>
    width > 60 ? `  # ${does}\n  ${line}` : `  ${line.padEnd(width)}   ${does}`,
  );
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

function sentence(summary: string): string {
  return summary === '' ? '' : `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}

/** A mistake in the words of the command line as an error like any other. */
function mistakeOf(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  const [first = '', second = ''] = error.message.replace(/^error: /, '').split('\n');
  const words = argv.filter((word) => /^[a-z][a-z-]*$/.test(word)).slice(0, 2);
  const unknown = /^unknown command '(.*)'$/.exec(first)?.[1];
  const about = unknown === undefined ? words : words.slice(0, Math.max(0, words.indexOf(unknown)));
  const offered = /Did you mean (?:one of )?(.+?)\?\)$/.exec(second)?.[1]?.split(', ') ?? [];
  // What the parser offers may be far from what was typed.
  const meant = nearestOf(/'(.*)'/.exec(first)?.[1] ?? '', offered);
  const hint = `${meant === undefined ? '' : `Did you mean ${meant}? `}See: ${['guild-hall', ...about, '--help'].join(' ')}`;
  return invalidWords(first.slice(0, 200), hint);
}

function invalidWords(message: string, hint: string): HallError {
  return fail(
    'invalid',
    `${message.charAt(0).toUpperCase()}${message.slice(1)}${message.endsWith('.') ? '' : '.'}`,
    hint,
  );
}
