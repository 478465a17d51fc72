/** What help explains besides commands: `guild-hall help <topic>`. */
import { type ErrorCode, errorTable, errorTitles } from '../../kernel/pure/errors.ts';
import type { CliParts } from './parts.ts';
import type { Terminal } from './terminal.ts';
import { hanging } from './wrap.ts';

type TopicParts = Pick<CliParts, 'follows' | 'verdicts' | 'terminal'>;

export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly text: (parts: TopicParts) => string;
}

export const topics: readonly Topic[] = [
  { name: 'exit-codes', summary: 'What a script can tell from the exit code', text: exitCodes },
  { name: 'environment', summary: 'Variables and files that are read', text: environment },
];

/** What the exit codes of an operation that is followed tell, in words; undefined where only errors do. */
export function exitsOf({ follows }: Pick<CliParts, 'follows'>, name: string): string | undefined {
  const follow = follows[name];
  return follow !== undefined && 'run' in follow ? follow.exits : undefined;
}

function exitCodes(parts: TopicParts): string {
  const { verdicts, follows, terminal } = parts;
  const codes = Object.keys(errorTable) as ErrorCode[];
  const exits = [...new Set(codes.map((code) => errorTable[code].exit))].toSorted((a, b) => a - b);
  const rows = exits.map((exit): [string, string] => {
    const meant = codes.filter((code) => errorTable[code].exit === exit);
    return [String(exit), meant.map((code) => `${code}: ${errorTitles[code]}`).join('; ')];
  });
  const bad = Object.entries(verdicts).map(
    ([name, { code, when }]) => `${name.replace('.', ' ')} ends with ${errorTable[code].exit} when ${when}.`,
  );
  const followed = Object.keys(follows).flatMap((name) => {
    const exits = exitsOf(parts, name);
    return exits === undefined ? [] : [`${name.replace('.', ' ')} ends with ${exits}.`];
  });
  return [
    terminal.style('bold', 'Exit codes:'),
    ...table(terminal, [
      ['0', 'done; also a turn that was interrupted at your word'],
      ...rows,
      ['130', 'left with Ctrl-C before it was done'],
    ]),
    '',
    ...sentences(terminal, [
      ...bad,
      ...followed,
      'With --json an error is one JSON object on standard error: {"code", "message", "hint"}.',
    ]),
    '',
  ].join('\n');
}

function environment({ terminal }: TopicParts): string {
  return [
    terminal.style('bold', 'Environment:'),
    ...table(terminal, [
      ['GUILD_HALL_HOME', 'folder of all of the hall’s own files (else ~/.guild-hall)'],
      ['GUILD_HALL_LOG_LEVEL', 'trace, debug, info, warn or error (else info); for up'],
      ['NO_COLOR', 'set to anything: no colours; the same as --no-color'],
      ['FORCE_COLOR', 'set to anything but 0: colours in pipes and files too'],
    ]),
    '',
    ...sentences(terminal, [
      'Settings are in config.yaml in the home: guild-hall config show, guild-hall config check.',
      'Ids may be shortened to a part that means one thing only. A word - stands for standard input.',
    ]),
    '',
  ].join('\n');
}

function table({ width }: Terminal, rows: readonly (readonly [string, string])[]): string[] {
  const names = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(names)}  ${hanging(text, names + 4, width)}`);
}

function sentences({ width }: Terminal, lines: readonly string[]): string[] {
  return lines.map((line) => hanging(line, 0, width));
}
