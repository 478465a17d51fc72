/** The briefing: the records always, and where a model is configured its words on them, kept until something changes. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { type StateFile, stateFile } from '../../kernel/artifacts/state-file.ts';
import { bindOperation, type BoundOperation, type Caller } from '../../kernel/operations/operations.ts';
import { errorFactsOf, fail } from '../../kernel/pure/errors.ts';
import { activityIdSchema, type ProjectName, projectNameSchema } from '../../kernel/pure/ids.ts';
import type { BriefingContext } from './context.ts';
import { type Briefing, type BriefingEvents, briefingShow } from './contract.ts';
import { printFacts } from './facts.ts';

/** A page that is looked at all the time has new words written so often at most. Milliseconds. */
const pagesWaitMs = 10 * 60_000;

const instructions = `You keep the overview of a project for a person who has little time. Below is how the work stands, from the records.
Write a briefing of at most 150 words in Markdown: first what needs the person, each with what you advise; then what changed
or runs; bad news plainly. Keep every id in backquotes as it stands. Say nothing that the records do not say.`;

const keptSchema = z.object({ sign: z.string(), text: z.string(), at: z.string() });
type Kept = z.infer<typeof keptSchema>;

export function bindBriefing(ctx: BriefingContext): readonly BoundOperation[] {
  return [
    bindOperation(briefingShow, async (caller, input) => {
      requireOwn(caller, input.project);
      return await brief(ctx, input);
    }),
  ];
}

interface Asked {
  readonly project?: ProjectName | undefined;
  readonly plain: boolean;
  readonly wait: boolean;
}

async function brief(ctx: BriefingContext, { project, plain, wait }: Asked): Promise<Briefing> {
  const { text: told, isQuiet } = printFacts(await ctx.standing(project), project === undefined);
  const facts = await ctx.scrub(told);
  const plainly: Briefing = {
    project: project ?? null,
    text: facts,
    facts,
    by: 'record',
    isQuiet,
    isWriting: false,
    problem: null,
  };
  const modelName = await ctx.modelName();
  const model = ctx.gateway.describeModel(modelName);
  if (plain || isQuiet || model.isRehearsal) return plainly;
  const wanted = { project, facts, sign: signOf(facts, model.name), modelName };
  const known = await keptWords(ctx, project);
  if (known?.sign === wanted.sign) return { ...plainly, text: known.text, by: 'model' };
  if (!wait) return { ...plainly, isWriting: writeSoon(ctx, wanted) };
  try {
    return { ...plainly, text: await writeWords(ctx, wanted), by: 'model' };
  } catch (error) {
    ctx.log.warn({ err: error, project }, 'the model could not write the briefing');
    return { ...plainly, problem: errorFactsOf(error).message };
  }
}

function requireOwn(caller: Caller, project: string | undefined): void {
  if (caller.kind === 'person' || caller.activity.project === project) return;
  throw fail(
    'forbidden',
    `The briefing is given to the ${caller.activity.kind} of its own project only, ${caller.activity.project}.`,
    'Ask the person about other projects.',
  );
}

interface Wanted {
  readonly project: ProjectName | undefined;
  readonly facts: string;
  readonly sign: string;
  readonly modelName: string | undefined;
}

function signOf(facts: string, model: string): string {
  return createHash('sha256').update(`${model}\n${facts}`).digest('hex').slice(0, 32);
}

function keyOf(project: string | undefined): string {
  // No project is called so: names begin with a letter or a digit.
  return project ?? '_all';
}

function fileOf(ctx: BriefingContext, project: string | undefined): StateFile<Kept> {
  return stateFile({
    path: join(ctx.home.state, 'briefings', `${keyOf(project)}.json`),
    schema: keptSchema,
    version: 1,
  });
}

async function keptWords(ctx: BriefingContext, project: string | undefined): Promise<Kept | undefined> {
  try {
    return await fileOf(ctx, project).read();
  } catch (error) {
    ctx.log.warn({ err: error, project }, 'the last briefing cannot be read; it is written anew');
    return undefined;
  }
}

/** One at a time: whoever asks meanwhile finds what the first one wrote. */
async function writeWords(ctx: BriefingContext, wanted: Wanted): Promise<string> {
  const { project, facts, sign, modelName } = wanted;
  return await ctx.locks.with(`briefing:${keyOf(project)}`, async () => {
    const known = await keptWords(ctx, project);
    if (known?.sign === sign) return known.text;
    ctx.askedAtMs.set(keyOf(project), ctx.clock.monotonicMs());
    const activity = {
      project: project ?? projectNameSchema.parse('hall'),
      kind: 'briefing',
      id: activityIdSchema.parse('briefing'),
    };
    const written = await ctx.gateway.complete(activity, {
      ...(modelName !== undefined && { modelName }),
      system: instructions,
      prompt: facts,
      maxTokens: 800,
    });
    const text = (await ctx.scrub(written)).trim() || facts;
    await fileOf(ctx, project).remove();
    await fileOf(ctx, project).write({ sign, text, at: ctx.clock.nowIso() });
    const data: BriefingEvents['briefing.written'] = { project: project ?? null };
    ctx.events.publish({ type: 'briefing.written', project: project ?? null, subject: null, data });
    return text;
  });
}

/** @returns whether they are being written now */
function writeSoon(ctx: BriefingContext, wanted: Wanted): boolean {
  const asked = ctx.askedAtMs.get(keyOf(wanted.project));
  const now = ctx.clock.monotonicMs();
  if (asked !== undefined && now - asked < pagesWaitMs) return false;
  ctx.askedAtMs.set(keyOf(wanted.project), now);
  ctx.spawn('write the briefing', async () => {
    try {
      await writeWords(ctx, wanted);
    } catch (error) {
      ctx.log.warn({ err: error, project: wanted.project }, 'the model could not write the briefing');
    }
  });
  return true;
}
