/**
 * The command line: `guild-hall <noun> <verb>`, mounted from operation descriptions. Help needs no hall. What an
 * operation needs besides its description (a renderer, a stream to follow) is handed in by name.
 */
import { Command, CommanderError, Option } from 'commander';
import { errorTable } from '../../kernel/pure/errors.ts';
import type { OperationDescription } from '../../kernel/pure/operations.ts';
import type { InputField } from '../../kernel/operations/fields.ts';
import { completeWord, runCompletion } from './completion/complete.ts';
import { addCommonFlags, addExamples, addFooter, addGroups, configure, mountHelp } from './help.ts';
import { exitsOf } from './topics.ts';
import { commandOf, mistakeOf } from './mistakes.ts';
import { reportError } from './report.ts';
import type { CliParts, OwnCommand } from './parts.ts';
import { exitOfMalformed, runOperation } from './run.ts';
import { followFlagOf, kebabOf, wordShapeOf, type WordShape } from './words.ts';

/** Runs one command line. Never throws. @param argv words after the program's name; @returns the exit code */
export async function runCli(parts: CliParts, argv: readonly string[]): Promise<number> {
  if (argv[0] === completeWord) return await runCompletion(parts, argv.slice(1));
  let exitCode = 0;
  const done = (code: number): void => {
    exitCode = code;
  };
  const program = buildProgram(parts, done, argv);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (error.code === 'commander.help') return errorTable.invalid.exit;
    }
    const isMistake = error instanceof CommanderError;
    const exit = reportError(
      parts.terminal,
      isMistake ? mistakeOf(error, program, argv) : error,
      argv.includes('--json'),
    );
    return (isMistake ? exitOfMalformed(parts, commandOf(program, argv).words.join('.')) : undefined) ?? exit;
  }
}

/** @param argv only the verbs of nouns that stand among these words are mounted; all when left out */
export function buildProgram(parts: CliParts, done: (exitCode: number) => void, argv?: readonly string[]): Command {
  const program = new Command('guild-hall')
    .description('You and AI agents work together in your own git repository.')
    .version(parts.version, '-V, --version', 'say the version')
    .option('--no-color', 'no colours, as with NO_COLOR')
    .helpCommand(false);
  configure(parts, program);
  for (const own of parts.ownCommands) mountOwn(parts, program, own, done);
  const nouns = new Map<string, Command>();
  for (const description of parts.descriptions) mountOperation(parts, program, nouns, description, done, argv);
  mountHelp(parts, program);
  addGroups(parts, program);
  addFooter(parts, program);
  return program;
}

function mountOwn(parts: CliParts, program: Command, own: OwnCommand, done: (code: number) => void): void {
  const command = program.command(own.name).summary(own.summary).description(sentence(own.summary));
  configure(parts, command);
  const places = own.places ?? [];
  for (const { name, help, choices } of places) {
    command.addArgument(command.createArgument(`<${name}>`, `${help} (one of ${choices.join(', ')})`));
  }
  for (const { flags, help } of own.options) command.option(flags, help);
  addCommonFlags(command);
  addExamples(parts.terminal, command, own.examples);
  command.action(async (...given: unknown[]) => {
    done(await own.run(command.opts(), given.slice(0, places.length) as string[]));
  });
}

function mountOperation(
  parts: CliParts,
  program: Command,
  nouns: Map<string, Command>,
  description: OperationDescription,
  done: (code: number) => void,
  argv?: readonly string[],
): void {
  const [noun = '', verb] = description.name.split('.');
  const parent = verb === undefined ? program : nounCommand(parts, program, nouns, noun);
  if (verb !== undefined && argv?.includes(noun) === false) return;
  const command = parent.command(verb ?? noun, { isDefault: description.commandLine.isDefault === true });
  command.summary(description.summary).description(sentence(description.summary));
  configure(parts, command);
  const shape = wordShapeOf(description);
  const { fromFile } = description.commandLine;
  addWords(command, shape, fromFile?.field);
  if (fromFile) command.option(`--${fromFile.flag} <path>`, `read <${kebabOf(fromFile.field)}> from this file`);
  command.option('--json', 'answer as JSON');
  const follow = followFlagOf(description, parts.follows[description.name] !== undefined);
  if (follow) command.option(follow.name, follow.help);
  addCommonFlags(command);
  const verdict = parts.verdicts[description.name];
  if (verdict)
    command.addHelpText('after', `\nEnds with exit code ${errorTable[verdict.code].exit} when ${verdict.when}.`);
  const exits = exitsOf(parts, description.name);
  if (exits !== undefined) command.addHelpText('after', `\nEnds with exit code ${exits}.`);
  addExamples(parts.terminal, command, description.commandLine.examples);
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
  command.addOption(new Option('--no-color').hideHelp());
  nouns.set(noun, command);
  return command;
}

/** @param fromFile the field whose text may stand in a file instead */
function addWords(command: Command, shape: WordShape, fromFile: string | undefined): void {
  for (const { field, rest } of shape.positionals) {
    const name = `${kebabOf(field.name)}${rest ? '...' : ''}`;
    const isNeeded = field.required && field.name !== fromFile;
    command.argument(isNeeded ? `<${name}>` : `[${name}]`, helpOf(field, false));
  }
  for (const { field, name } of shape.flags) command.addOption(optionOf(field, name));
}

/** Options keep their field's name, whatever the flag is called. */
function optionOf(field: InputField, name: string): Option {
  if (field.kind === 'boolean') {
    return named(new Option(`--${field.fallback === true ? 'no-' : ''}${name}`, helpOf(field, true)), field);
  }
  const word = field.kind === 'number' ? '<number>' : field.name === 'project' ? '<name>' : '<text>';
  const option = new Option(`--${name} ${word}`, helpOf(field, true));
  if (field.kind === 'list' || field.isOnce) {
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

function helpOf(field: InputField, isFlag: boolean): string {
  const choices = field.choices.length > 0 ? `one of ${field.choices.join(', ')}` : '';
  const again = field.kind === 'list' && !field.help.includes('repeatable') ? 'may be given again' : '';
  const hasFallback = ['string', 'number'].includes(typeof field.fallback) && field.fallback !== '';
  const fallback = hasFallback ? `else ${String(field.fallback)}` : '';
  const notes = [isFlag && field.required ? 'needed' : '', choices, again, fallback]
    .filter((note) => note !== '')
    .join('; ');
  return [field.help, notes === '' ? '' : `(${notes})`].filter((part) => part !== '').join(' ');
}

function sentence(summary: string): string {
  return summary === '' ? '' : `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}
