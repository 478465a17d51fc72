/** How help looks, and what it says besides the words of each command. */
import { stripVTControlCharacters } from 'node:util';
import { type Argument, Command, Option } from 'commander';
import { unknownHelp } from './mistakes.ts';
import type { CliParts, OwnCommand } from './parts.ts';
import type { Terminal } from './terminal.ts';
import { topics } from './topics.ts';
import { hanging, widest } from './wrap.ts';

type HelpParts = Pick<CliParts, 'terminal' | 'groups' | 'firstSteps' | 'follows' | 'verdicts'>;

/** A command whose help and mistakes are told in the program's own form. */
export function configure({ terminal }: Pick<CliParts, 'terminal'>, command: Command): void {
  const width = (): number => Math.min(terminal.width, widest);
  command
    .exitOverride()
    .helpOption('-h, --help', 'say how it is used')
    .configureOutput({
      // Help is the program's own words throughout.
      writeOut: (text) => terminal.out(terminal.hint(text)),
      writeErr: (text) => terminal.err(terminal.hint(text)),
      // The message comes again in the thrown error, which is shown in the program's own form.
      outputError: () => {},
      getOutHelpWidth: width,
      getErrHelpWidth: width,
      // The terminal takes colours off where they are not wanted.
      getOutHasColors: () => true,
      getErrHasColors: () => true,
    })
    .configureHelp({
      minWidthToWrap: 20,
      styleTitle: (title) => terminal.style('bold', title),
      subcommandTerm: (each) => [each.name(), ...each.registeredArguments.map(placeholderOf)].join(' '),
    });
}

function placeholderOf(argument: Argument): string {
  const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${word}>` : `[${word}]`;
}

/** Flags that every command takes, and that are told of once. */
export function addCommonFlags(command: Command): void {
  const taken = command.options.map(({ long }) => long);
  for (const flags of ['--json', '--project <name>', '--no-color']) {
    const option = new Option(flags).hideHelp();
    if (!taken.includes(option.long)) command.addOption(option);
  }
}

export function addExamples(terminal: Terminal, command: Command, examples: OwnCommand['examples']): void {
  if (examples.length > 0) command.addHelpText('after', () => `\n${examplesText(terminal, 'Examples:', examples)}`);
}

/** `guild-hall help [topic, or words of a command]`. */
export function mountHelp(parts: HelpParts, program: Command): void {
  const command = program.command('help').argument('[words...]', 'a topic, or the words of a command');
  command.summary('Explain a command or a topic').description('Explain a command or a topic.');
  configure(parts, command);
  addExamples(parts.terminal, command, [
    { line: 'guild-hall help exit-codes', does: 'what a script can tell from the exit code' },
    { line: 'guild-hall help meeting open', does: 'the same as guild-hall meeting open --help' },
  ]);
  addCommonFlags(command);
  command.action((words: readonly string[], { json }: { json?: boolean }) => {
    const text = parts.terminal.hint(explanationOf(parts, program, words));
    parts.terminal.out(json === true ? `${JSON.stringify({ text: stripVTControlCharacters(text) })}\n` : text);
  });
}

function explanationOf(parts: HelpParts, program: Command, words: readonly string[]): string {
  const topic = words.length === 1 ? topics.find(({ name }) => name === words[0]) : undefined;
  if (topic !== undefined) return topic.text(parts);
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    const known = command.commands.map((each) => each.name());
    if (next === undefined) {
      throw unknownHelp(word, command === program ? [...known, ...topics.map(({ name }) => name)] : known);
    }
    command = next;
  }
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) }).outputHelp();
  return text;
}

/** Lists the commands under their headings, in the order of these; what is in none is where there are no words. */
export function addGroups({ groups }: HelpParts, program: Command): void {
  const placeOf = (command: Command): number => {
    const place = groups.findIndex(({ words }) => words.includes(command.name()));
    return place === -1 ? groups.findIndex(({ words }) => words.length === 0) : place;
  };
  for (const command of program.commands) command.helpGroup(`${groups[placeOf(command)]?.heading ?? 'Commands'}:`);
  (program.commands as Command[]).sort((a, b) => placeOf(a) - placeOf(b));
}

/** What stands below the list of commands. */
export function addFooter({ terminal, firstSteps }: HelpParts, program: Command): void {
  const more = [
    { line: 'guild-hall <command> --help', does: 'words, flags and examples of a command' },
    ...topics.map(({ name, summary }) => ({ line: `guild-hall help ${name}`, does: summary.toLowerCase() })),
  ];
  program.addHelpText('after', () => {
    const parts = [
      firstSteps.length === 0 ? '' : `${examplesText(terminal, 'First steps:', firstSteps)}\n\n`,
      `${examplesText(terminal, 'More:', more)}\n\n`,
      hanging('Every command takes --json, --project <name> and --no-color; ids may be shortened.', 0, terminal.width),
    ];
    return `\n${parts.join('')}`;
  });
}

/** Beside each line what it does, or above it where the terminal is too narrow for that. */
function examplesText(terminal: Terminal, heading: string, examples: OwnCommand['examples']): string {
  const shown = examples.map(({ line, does }) => ({ line: terminal.hint(line), does }));
  const width = Math.max(...shown.map(({ line }) => line.length));
  const whole = width + 5 + Math.max(...shown.map(({ does }) => does.length));
  const lines = shown.map(({ line, does }) =>
    whole > Math.min(terminal.width, widest) ? `  # ${does}\n  ${line}` : `  ${line.padEnd(width)}   ${does}`,
  );
  return `${terminal.style('bold', heading)}\n${lines.join('\n')}`;
}
