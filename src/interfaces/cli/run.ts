/** Runs one operation from the command line: words → input → the hall (or this process) → text or JSON. */
import { callOperation, parseInput, personCaller } from '../../kernel/operations/operations.ts';
import { summaryOf, type FieldProblem } from '../../kernel/operations/explain.ts';
import { type ErrorCode, errorTable, fail, HallError } from '../../kernel/pure/errors.ts';
import { nearestOf } from '../../kernel/pure/nearest.ts';
import type { OperationDescription } from '../../kernel/pure/operations.ts';
import type { HallClient } from './client.ts';
import { followTurn } from './follow.ts';
import type { CliParts } from './parts.ts';
import { createProgress, withProgress } from './progress.ts';
import { renderAnything } from './render/anything.ts';
import type { Terminal } from './terminal.ts';
import { inputOfWords, spokenName, takesProject, type WordShape } from './words.ts';

export interface GivenWords {
  readonly words: readonly (string | readonly string[] | undefined)[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** @returns the exit code. @throws HallError */
export async function runOperation(
  parts: CliParts,
  description: OperationDescription,
  shape: WordShape,
  given: GivenWords,
): Promise<number> {
  const asJson = given.options['json'] === true;
  const input = inputOfWords(shape, ...(await withStandardInput(parts, given)), parts.absolute);
  await readFileFor(parts, description, given, input);
  const follow = parts.follows[description.name];
  requireGoodWords(description, shape, input, exitOfMalformed(parts, description.name));
  if (follow && 'run' in follow) await follow.prepare?.(parts, input, asJson);
  const client = await connectOrStayLocal(parts, description.name);
  if (client === undefined) {
    const operation = await parts.withoutHall[description.name]!();
    return showAnswer(parts, description, await callOperation(operation, personCaller, input), asJson);
  }
  if (description.commandLine.ofAllProjects !== true && takesProjectOfFolder(shape, input)) {
    const here = await parts.projectHere(client);
    if (here !== undefined) input['project'] = here;
    if (here !== undefined && description.commandLine.narrowsByFolder === true && !asJson) sayNarrowed(parts, here);
  }
  const progress = createProgress(parts.terminal, parts.sleep, asJson);
  const waitedFor = parts.waits[description.name] ?? 'the hall';
  const answer = await withProgress(progress, waitedFor, async () => await client.call(description.name, input));
  const isAsked =
    description.commandLine.followsWhenAsked === true
      ? given.options['follow'] === true
      : given.options['follow'] !== false;
  if (!follow || !isAsked) return showAnswer(parts, description, answer, asJson);
  if ('run' in follow) return await follow.run(parts, client, answer, asJson);
  return await followTurn(parts, client, follow, answer, asJson);
}

/** Of a flag that names a file with the text of a field. */
async function readFileFor(
  parts: CliParts,
  { commandLine: { fromFile } }: OperationDescription,
  { options }: GivenWords,
  input: Record<string, unknown>,
): Promise<void> {
  const path = fromFile === undefined ? undefined : options[fromFile.flag];
  if (fromFile === undefined || typeof path !== 'string') return;
  if (input[fromFile.field] !== undefined) {
    throw fail(
      'invalid',
      `<${fromFile.field}> was given twice: in words, and with --${fromFile.flag}.`,
      `Leave one of them out.`,
    );
  }
  input[fromFile.field] = await parts.readFile(path);
}

/** @returns the exit code */
function showAnswer(parts: CliParts, { name }: OperationDescription, answer: unknown, asJson: boolean): number {
  const { terminal, renderers } = parts;
  const render = (renderers[name] ?? renderAnything) as (output: unknown, term: Terminal) => string;
  terminal.out(asJson ? `${JSON.stringify(answer)}\n` : render(answer, terminal));
  const verdict = parts.verdicts[name] as { code: ErrorCode; isBad: (output: unknown) => boolean } | undefined;
  return verdict?.isBad(answer) === true ? errorTable[verdict.code].exit : 0;
}

async function connectOrStayLocal(parts: CliParts, name: string): Promise<HallClient | undefined> {
  try {
    return await parts.connect();
  } catch (error) {
    const canStay = error instanceof HallError && error.code === 'unavailable' && parts.withoutHall[name] !== undefined;
    if (canStay) return undefined;
    throw error;
  }
}

/** An id says by itself which project is meant; the folder would only hide the others. */
function takesProjectOfFolder(shape: WordShape, input: Readonly<Record<string, unknown>>): boolean {
  return (
    takesProject(shape) && input['project'] === undefined && !shape.positionals.some(({ field }) => field.name === 'id')
  );
}

/** Before the list: below a long one nobody would see it. A script asked for what it gets. */
function sayNarrowed({ terminal }: CliParts, project: string): void {
  if (!terminal.isTty) return;
  const words = `Of project ${project}, in whose folder you are; outside it, of all projects.`;
  terminal.out(`${terminal.style('dim', words)}\n`);
}

/** A word `-` stands for all of standard input, once. */
async function withStandardInput(
  parts: CliParts,
  given: GivenWords,
): Promise<[GivenWords['words'], GivenWords['options']]> {
  const all = [...given.words, ...Object.values(given.options)].flat();
  const dashes = all.filter((word) => word === '-').length;
  if (dashes === 0) return [given.words, given.options];
  if (dashes > 1) {
    throw fail('invalid', 'Standard input was asked for twice with "-".', 'Use "-" for one of them.');
  }
  if (parts.isTypedInput()) {
    parts.terminal.err(parts.terminal.style('dim', 'Type the text; Ctrl-D on a line of its own ends it.\n'));
  }
  const text = await parts.readInput();
  const replaced = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(replaced) : value === '-' ? text : value;
  const options = Object.fromEntries(Object.entries(given.options).map(([name, value]) => [name, replaced(value)]));
  return [given.words.map(replaced) as GivenWords['words'], options];
}

/** Checks the words before the hall is asked, and names fields as they are typed. */
function requireGoodWords(
  description: OperationDescription,
  shape: WordShape,
  input: unknown,
  exit: number | undefined,
): void {
  try {
    parseInput(description, input);
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    const fields = (error.details?.['fields'] ?? []) as FieldProblem[];
    throw fail(
      error.code,
      summaryOf(
        fields,
        (field) => spokenName(shape, field),
        (field) => [...shape.positionals, ...shape.flags].find((each) => each.field.name === field)?.field.help ?? '',
      ),
      `${nearestChoice(shape, fields, input)}${error.hint}`,
      exit === undefined ? error.details : { ...error.details, exit },
    );
  }
}

/** What words that an operation cannot take end with, where its contract says otherwise than the table of errors. */
export function exitOfMalformed({ follows }: Pick<CliParts, 'follows'>, operation: string): number | undefined {
  const follow = follows[operation];
  return follow !== undefined && 'run' in follow ? follow.malformedExit : undefined;
}

/** `Did you mean open? `, or nothing, for a word of a closed list. */
function nearestChoice(shape: WordShape, problems: readonly FieldProblem[], input: unknown): string {
  for (const { field: name } of problems) {
    const found = [...shape.positionals, ...shape.flags].find(({ field }) => field.name === name);
    const given = (input as Record<string, unknown>)[name];
    const near = found && typeof given === 'string' ? nearestOf(given, found.field.choices) : undefined;
    if (near !== undefined) return `Did you mean ${near}? `;
  }
  return '';
}
