/** Every command line that help and the documents show is taken by the program's own parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { HallClient } from '../interfaces/cli/client.ts';
import type { CliParts, OwnCommand } from '../interfaces/cli/parts.ts';
import { buildProgram, runCli } from '../interfaces/cli/program.ts';
import { wordsOfLine as wordsOf } from '../interfaces/cli/line.ts';
import { createTerminal } from '../interfaces/cli/terminal.ts';
import { homePaths } from '../kernel/projects/home.ts';
import { fieldsOf } from '../kernel/operations/fields.ts';
import { parseInput } from '../kernel/operations/operations.ts';
import { commandGroups, descriptions, firstSteps, nounSummaries } from './descriptions.ts';
import { packageRoot } from './package.ts';
import { shellCommands } from './shell-commands.ts';

interface Run {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
  readonly calls: readonly (readonly [string, unknown])[];
}

/** Up, down and logs are commands of the entry; here it counts only that the program has them, with these flags. */
const ownFlags: Readonly<Record<string, readonly string[]>> = {
  up: ['--port <number>', '--detach', '--open'],
  down: [],
  logs: ['--follow', '--lines <number>'],
  open: ['--no-open'],
  mcp: [],
};

const entryCommands: readonly OwnCommand[] = Object.entries(ownFlags).map(([name, flags]) => ({
  name,
  summary: name,
  options: flags.map((each) => ({ flags: each, help: '' })),
  examples: [],
  run: async () => 0,
}));

interface Recorder {
  readonly parts: CliParts;
  readonly said: { out: string; err: string };
  readonly calls: [string, unknown][];
}

/** The command line of the program, with a hall that only notes what it is asked. */
function createRecorder(): Recorder {
  const said = { out: '', err: '' };
  const calls: [string, unknown][] = [];
  const client: HallClient = {
    url: '',
    call: async (name, input) => {
      calls.push([name, input]);
      return { name };
    },
    events: async function* () {},
  };
  const streams = {
    out: { write: (text: string) => (said.out += text) },
    err: { write: (text: string) => (said.err += text) },
  };
  const terminal = createTerminal(streams, { NO_COLOR: '1' });
  const parts: CliParts = {
    version: '0',
    terminal,
    descriptions,
    nounSummaries,
    groups: commandGroups,
    firstSteps,
    waits: {},
    candidates: {},
    isTypedInput: () => false,
    ownCommands: [...entryCommands, ...shellCommands(terminal, () => homePaths('/nowhere'))],
    renderers: {},
    verdicts: {},
    follows: {},
    connect: async () => client,
    withoutHall: {},
    projectHere: async () => undefined,
    absolute: (path) => `/cwd/${path}`,
    readInput: async () => 'standard input',
    readFile: async (path) => path,
    onInterrupt: () => () => {},
    sleep: async () => {},
  };
  return { parts, said, calls };
}

async function run(words: readonly string[]): Promise<Run> {
  const { parts, said, calls } = createRecorder();
  const exitCode = await runCli(parts, words);
  return { exitCode, ...said, calls };
}

const examples = descriptions.flatMap(({ name, commandLine }) =>
  commandLine.examples.map(({ line, does }) => [line, name, does] as const),
);

describe('the examples of help', () => {
  test('every operation has one', () => {
    expect(descriptions.filter(({ commandLine }) => commandLine.examples.length === 0).map(({ name }) => name)).toEqual(
      [],
    );
  });

  test.each(examples)('%s', async (line, name, does) => {
    const [program, ...words] = wordsOf(line);
    expect(program).toBe('guild-hall');
    expect(does).toMatch(/\S/);
    const { exitCode, err, calls } = await run(words);
    expect(err).toBe('');
    expect(exitCode).toBe(0);
    expect(calls.map(([called]) => called)).toEqual([name]);
    const description = descriptions.find((each) => each.name === name)!;
    // Every word of the line has its place in the input, and the input is one that the operation takes.
    const given = JSON.stringify(parseInput(description, calls[0]![1]));
    const [noun = '', verb = ''] = name.split('.');
    for (const word of words.slice(verb === '' ? 1 : 2)) {
      const isBare = word.startsWith('--') || /^\d+$/.test(word);
      const said = word === '-' ? 'standard input' : word;
      if (!isBare) expect([noun, given]).toEqual([noun, expect.stringContaining(JSON.stringify(said).slice(1, -1))]);
    }
    expect((await run([...name.split('.'), '--help'])).out).toContain(line);
  });
});

describe('the examples of commands that are no operations', () => {
  const { ownCommands } = createRecorder().parts;
  const lines = [...firstSteps, ...ownCommands.flatMap(({ examples: own }) => own)].map(({ line }) => line);
  const all = [...lines, 'guild-hall help exit-codes', 'guild-hall help meeting open', 'guild-hall help'];

  test.each(all)('%s [DOOR-HELP]', async (line) => {
    const [, words] = /guild-hall ([^)|>]+)/.exec(line)!;
    const { exitCode, err } = await run(wordsOf(filledIn(words!)));
    expect([err, exitCode]).toEqual(['', 0]);
  });

  test('the help of the program shows them, and every command under a heading [DOOR-HELP]', async () => {
    const { out } = await run(['--help']);
    for (const { line, does } of firstSteps) expect(out.replaceAll(/\s+/g, ' ')).toContain(`${line} ${does}`);
    for (const { heading } of commandGroups) expect(out).toContain(`\n${heading}:\n`);
    expect(out).not.toContain('Commands:');
    for (const { name } of [...ownCommands, ...descriptions])
      expect(out).toMatch(new RegExp(`^  ${name.split('.')[0]} `, 'm'));
  });
});

describe('every operation on the command line', () => {
  test.each(descriptions.map((description) => [description.name, description] as const))(
    '%s has its own name, summary and fields in its help [DOOR-ONE-LIST]',
    async (name, description) => {
      const { out, exitCode } = await run([...name.split('.'), '--help']);
      expect(exitCode).toBe(0);
      const spaceless = out.replaceAll(/\s+/g, ' ');
      expect(spaceless).toContain(`guild-hall ${name.replace('.', ' ')}`);
      expect(spaceless).toContain(description.summary);
      for (const { name: field, help } of fieldsOf(description)) {
        expect(spaceless).toContain(help);
        const flag =
          description.commandLine.flags?.[field] ?? field.replaceAll(/[A-Z]/g, (up) => `-${up.toLowerCase()}`);
        expect(spaceless).toMatch(new RegExp(`(--(no-)?${flag}\\b|[<[]${flag}(\\.\\.\\.)?[>\\]])`));
      }
    },
  );

  test('each takes --json, and its answer is then one JSON value [DOOR-JSON]', async () => {
    for (const [line, name] of examples) {
      const [words, behind] = splitAtDashes(wordsOf(line).slice(1));
      const { out, exitCode } = await run([...words, '--json', ...behind]);
      expect([name, exitCode]).toEqual([name, 0]);
      expect(JSON.parse(out)).toEqual({ name });
    }
  });
});

/** Behind `--` everything is a word of the command that is to be run. */
function splitAtDashes(words: readonly string[]): [readonly string[], readonly string[]] {
  const at = words.indexOf('--');
  return at === -1 ? [words, []] : [words.slice(0, at), words.slice(at)];
}

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'workers/README.md',
  'examples/rehearsal/README.md',
  'docs/guide/councils.md',
  'docs/guide/terminals.md',
  ...readdirSync(join(packageRoot(), 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Command lines in a document: lines of its console blocks, and code within sentences. */
function commandLinesIn(text: string): string[] {
  const blocks = [...text.matchAll(/^\$ (.+)$/gm)].map((match) => match[1]!);
  const inline = [...text.replaceAll(/```[^]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map((match) => match[1]!);
  return [...blocks.map(commandWithin), ...inline].filter(
    (line) => /^(npx )?guild-hall( |$)/.test(line) || line.startsWith('npm '),
  );
}

/** Of a line that hands on what a command says, or takes it: the command alone. */
function commandWithin(line: string): string {
  const [, command] = /(?:^|\| |\$\()((?:npx )?guild-hall (?:"[^"]*"|<[^<>]*>|[^|>)])*)/.exec(line) ?? [];
  return command?.trim() ?? line;
}

/** Stands for what the reader puts in: `<id>`, `<path>`, `…`. */
const filledIn = (line: string): string =>
  line
    .replace(/ # .*$/, '')
    .replaceAll(/<([^>]+)>/g, 'k3f9')
    .replaceAll('…', 'words');

describe('command lines of the documents', () => {
  const scripts = (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { scripts: object })
    .scripts;

  test.each(documents)('%s names commands and flags that exist', async (document) => {
    const lines = commandLinesIn(readFileSync(join(packageRoot(), document), 'utf8'));
    if (document === 'README.md') expect(lines.length).toBeGreaterThan(8);
    const wrong: string[] = [];
    for (const line of lines) if (!(await isTaken(line, Object.keys(scripts)))) wrong.push(line);
    expect(wrong).toEqual([]);
  });

  test('commands that the README names without the program are commands', async () => {
    const readme = readFileSync(join(packageRoot(), 'README.md'), 'utf8');
    const bare = [...readme.matchAll(/`((?:project|meeting|worker|artifact|config) [a-z]+(?: [^`]*)?)`/g)];
    expect(bare.length).toBeGreaterThan(2);
    for (const [, line] of bare) expect([line, await exists(wordsOf(filledIn(line!)))]).toEqual([line, true]);
  });
});

async function isTaken(line: string, scripts: readonly string[]): Promise<boolean> {
  const words = wordsOf(filledIn(line)).filter((word) => word !== 'npx');
  if (words[0] !== 'npm') return await exists(words.slice(1));
  const verb = words[1] === 'run' ? words[2] : words[1];
  return ['install', 'ci', 'pack'].includes(verb ?? '') || scripts.includes(verb ?? '');
}

/** A command, or a whole line of one. A line that names a command alone, as in a sentence, need not be whole. */
async function exists(words: readonly string[]): Promise<boolean> {
  if (words.length === 0 || words[0] === '--help' || words[0] === 'k3f9') return true;
  const whole = await run(words);
  if (whole.exitCode === 0) return true;
  const isAlone = words.every((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'));
  return isAlone && isCommand(words);
}

function isCommand(words: readonly string[]): boolean {
  let command = buildProgram(createRecorder().parts, () => {});
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (next === undefined) return false;
    command = next;
  }
  return true;
}

test('the help of a council names the flags of its contract, and they are taken [CNC-INV-1]', async () => {
  const { out } = await run(['council', 'run', '--help']);
  const flags = [
    'charter',
    'mode',
    'invitees',
    'invitees-override',
    'no-web',
    'skip-research',
    'max-turns',
    'per-agent-cap',
  ];
  for (const flag of [...flags, 'resume', 'continue', 'interject', 'wrap-up', 'turns', 'in-place', 'yes'])
    expect(out).toMatch(new RegExp(`^ +--${flag}\\b`, 'm'));
  const line =
    'council run --charter x --mode ux --invitees A,B --invitees-override --no-web --skip-research --max-turns 9';
  const started = await run([...line.split(' '), '--per-agent-cap', '5000', '--turns', '4', '--in-place', '--yes']);
  expect(started).toMatchObject({ exitCode: 0, err: '' });
  expect(started.calls).toEqual([
    [
      'council.run',
      {
        charter: 'x',
        mode: ['ux'],
        invitees: ['A,B'],
        inviteesOverride: true,
        web: false,
        skipResearch: true,
        maxTurns: 9,
        perAgentCap: 5000,
        turns: 4,
        inPlace: true,
        yes: true,
      },
    ],
  ]);
  for (const action of [['--continue'], ['--interject', 'words'], ['--wrap-up']]) {
    const resumed = await run(['council', 'run', '--resume', 'k3f9', ...action]);
    expect(resumed).toMatchObject({ exitCode: 0, calls: [['council.run', { resume: 'k3f9' }]] });
  }
});

test('a command line that does not exist is seen', async () => {
  for (const line of [
    'guild-hall metting open',
    'guild-hall meeting opne x',
    'npx guild-hall up --prot 1',
    'npm run x',
  ])
    expect([line, await isTaken(line, ['test'])]).toEqual([line, false]);
});
