/**
 * The description of a verb. It is written once; HTTP, the command line and MCP mount from it, so that names,
 * help, input and errors are the same at every door.
 */
import type { z } from 'zod';

/** How the words of a command line become the input. Every input field not named here is a `--kebab-case` flag. */
export interface CommandLineShape {
  /** Input fields taken from positional words, in order. A last one of list type, or marked `rest`, takes all that follow. */
  readonly positionals?: readonly { readonly field: string; readonly rest?: boolean }[];
  /** The noun alone means this verb: `guild-hall inbox` for `inbox list`. */
  readonly isDefault?: true;
  /** Other spellings of a flag: field → flag without dashes. */
  readonly flags?: Readonly<Record<string, string>>;
  /** A flag that names a file whose text becomes the field; the door reads it, not the hall. */
  readonly fromFile?: { readonly flag: string; readonly field: string };
  /** Its answer goes on as it happens only when that is asked for, with `--follow`. What follows it is handed to the door. */
  readonly followsWhenAsked?: true;
  /** It is about all projects unless one is named: the folder that somebody is in names none. */
  readonly ofAllProjects?: true;
  /** It is about all projects in a folder of none, and about one in the folder of that: a person is told which. */
  readonly narrowsByFolder?: true;
  /** Whole command lines, each with a word of what it does; shown by `--help` and run by the tests. */
  readonly examples: readonly { readonly line: string; readonly does: string }[];
}

export interface OperationDescription<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** `<noun>.<verb>`, also its path (`/api/<noun>/<verb>`) and command (`guild-hall <noun> <verb>`). */
  readonly name: string;
  /** What MCP calls it, where `<noun>_<verb>` is not wanted: small letters, digits and `_`. */
  readonly tool?: string;
  readonly access: 'read' | 'write';
  /** It ends or takes away something that is not simply to be had back: MCP clients ask their person before. */
  readonly destroys?: true;
  /** `person`: only the person's token. `agents`: the person and agents. */
  readonly audience: 'person' | 'agents';
  /** Of the agents only those of these workers; all when left out. */
  readonly workers?: readonly string[];
  /** One line, a verb first, no full stop. */
  readonly summary: string;
  readonly input: Input;
  readonly output: Output;
  readonly commandLine: CommandLineShape;
}

/** Keeps the types of the schemas while checking the form. */
export function describeOperation<Input extends z.ZodType, Output extends z.ZodType>(
  description: OperationDescription<Input, Output>,
): OperationDescription<Input, Output> {
  return description;
}

/** What MCP calls it: `thing.open` is `thing_open`. */
export function toolNameOf({ name, tool }: Pick<OperationDescription, 'name' | 'tool'>): string {
  return tool ?? name.replaceAll(/[.-]/g, '_');
}
