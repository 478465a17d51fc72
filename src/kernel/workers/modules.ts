/**
 * Code that a package brings: its own activation, its toolbox. The person installed it into their home or it came with
 * the program; it is loaded only when a worker that needs it is activated. Whatever goes wrong in it is told with the
 * package's name.
 */
import { stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { Tool, ToolOutcome } from '../agents/tools.ts';
import type { ClockContext } from '../clock/clock.ts';
import { explainIssues } from '../operations/explain.ts';
import { fail, HallError } from '../pure/errors.ts';
import type { ToolboxPackage, WorkerPackage } from './contract.ts';
import { shapeOfInput } from './input-shape.ts';

/** A module that neither answers nor fails would keep the activity from opening for ever. */
const maxWaitMs = 30_000;

/** What a package's own activation may answer. Tools are not among it: the tool set is resolved by the hall. */
const ownActivationSchema = z.strictObject({
  systemPrompt: z.string().min(1).max(400_000).optional(),
  model: z.string().min(1).optional(),
  maxTurns: z.int().min(1).optional(),
  maxBudgetUsd: z.number().positive().optional(),
});
export type OwnActivation = z.output<typeof ownActivationSchema>;

type PackageFunction = (context: unknown) => unknown;

/** Calls `activate(context)` of the package's module. @throws `conflict` naming the package */
export async function runOwnActivation(
  ctx: ClockContext,
  worker: WorkerPackage,
  module: string,
  context: Readonly<Record<string, unknown>>,
): Promise<OwnActivation> {
  const owner = { name: worker.name, what: 'activation', source: worker.source };
  const answer = await within(ctx, owner, async () => {
    const { activate } = await importModule(module);
    if (typeof activate !== 'function') throw packageFault(owner, 'it exports no function `activate`.');
    return await (activate as PackageFunction)(context);
  });
  const parsed = ownActivationSchema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw packageFault(owner, `it answered in the wrong form: ${explainIssues(parsed.error, answer).summary}`);
}

const givenToolSchema = z.object({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'lower_snake_case, at most 64 characters'),
  description: z.string().min(1),
  input: z.unknown().optional(),
  run: z.custom<PackageFunction>((value) => typeof value === 'function', 'a function'),
});

/**
 * The tools of a toolbox: its export `tools`, a list or a function of the context that gives one. A function makes
 * tools of their own for each activation. @throws `conflict` naming the package
 */
export async function loadToolbox(
  ctx: ClockContext,
  toolbox: ToolboxPackage,
  context: Readonly<Record<string, unknown>>,
): Promise<Tool[]> {
  const owner = { name: toolbox.name, what: 'toolbox', source: toolbox.source };
  const given = await within(ctx, owner, async () => {
    const { tools } = await importModule(toolbox.module);
    return typeof tools === 'function' ? await (tools as PackageFunction)(context) : tools;
  });
  const parsed = z.array(givenToolSchema).safeParse(given);
  if (!parsed.success) {
    const { summary } = explainIssues(parsed.error, given);
    throw packageFault(owner, `its export \`tools\` has the wrong form: ${summary}`);
  }
  return parsed.data.map(({ name, description, input, run }) => {
    const shape = shapeOfInput(input);
    if (shape === undefined) {
      throw packageFault(
        owner,
        `the input of its tool "${name}" is neither a zod shape nor a JSON schema of an object.`,
      );
    }
    return { name, description, input: shape, run: (values) => runGivenTool(toolbox.name, name, run, values) };
  });
}

async function runGivenTool(
  toolbox: string,
  name: string,
  run: PackageFunction,
  values: unknown,
): Promise<ToolOutcome> {
  try {
    return outcomeOf(await run(values));
  } catch (error) {
    if (error instanceof HallError) throw error;
    return { text: `The tool "${name}" of the toolbox "${toolbox}" failed: ${messageOf(error)}`, isError: true };
  }
}

function outcomeOf(answer: unknown): ToolOutcome {
  if (typeof answer === 'string') return { text: answer };
  const outcome = z.object({ text: z.string(), isError: z.boolean().optional() }).safeParse(answer);
  if (!outcome.success) return { text: JSON.stringify(answer) ?? 'Done.' };
  const { text, isError } = outcome.data;
  return isError === true ? { text, isError } : { text };
}

/** The time of the last change is part of the address, so that a module changed by hand is loaded anew. */
async function importModule(path: string): Promise<Record<string, unknown>> {
  const { mtimeMs } = await stat(path);
  return (await import(`${pathToFileURL(path).href}?changed=${mtimeMs}`)) as Record<string, unknown>;
}

interface Owner {
  readonly name: string;
  readonly what: string;
  readonly source: string;
}

async function within<T>(ctx: ClockContext, owner: Owner, work: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = ctx.clock.sleep(maxWaitMs, done.signal).then(() => {
    throw packageFault(owner, `it gave no answer within ${maxWaitMs / 1000} seconds.`);
  });
  try {
    return await Promise.race([work(), late]);
  } catch (error) {
    throw error instanceof HallError ? error : packageFault(owner, messageOf(error), error);
  } finally {
    done.abort();
    // Ends as aborted once the race is decided; nobody asks for it any more.
    late.catch(() => undefined);
  }
}

function packageFault({ name, what, source }: Owner, reason: string, cause?: unknown): HallError {
  return fail(
    'conflict',
    `The ${what} of the package "${name}" failed: ${reason}`,
    `Mend the package in ${source}, or take it out of the home's packages.`,
    { package: name, source },
    cause,
  );
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
