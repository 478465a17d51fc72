/** Binds the descriptions of councils to what does them. */
import { printCursor } from '../../kernel/pure/events.ts';
import { type BoundOperation, bindOperation } from '../../kernel/operations/operations.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import type { CouncilsContext } from './context.ts';
import type { CouncilGoesOn } from './contract.ts';
import * as verbs from './descriptions.ts';
import {
  answerCouncil,
  goesOnFrom,
  requireOneAction,
  resumeCouncil,
  type ResumeFlags,
} from './operations/answering.ts';
import { pinToCouncil } from './operations/pinning.ts';
import { listCouncils, nextOf, viewOf } from './operations/reading.ts';
import { requireCharter } from './operations/setup.ts';
import { exits } from './operations/refusals.ts';
import { resolveCouncil } from './operations/resolve.ts';
import { startCouncil } from './operations/starting.ts';
import { interruptCouncil } from './reactions/person.ts';

export function bindCouncilOperations(ctx: CouncilsContext): readonly BoundOperation[] {
  return [...bindGoing(ctx), ...bindReading(ctx)];
}

function bindGoing(ctx: CouncilsContext): readonly BoundOperation[] {
  const resume = async (
    input: ResumeFlags & { readonly project?: string | undefined; readonly id: string },
  ): Promise<CouncilGoesOn> => {
    requireOneAction(input, true);
    const cursor = cursorOf(ctx);
    const { ref } = await resolveCouncil(ctx, input, { exit: exits.malformed });
    return goesOnFrom(ref, await resumeCouncil(ctx, ref, input), cursor);
  };
  return [
    bindOperation(verbs.councilRun, async (_, input) => {
      requireOneAction(input, input.resume !== undefined);
      if (input.resume !== undefined) return await resume({ ...input, id: input.resume });
      requireCharter(input.charter);
      const cursor = cursorOf(ctx);
      const { ref, session } = await startCouncil(ctx, chooseProject(ctx, input.project), input);
      return { ...goesOnFrom(ref, { before: session, after: session }, cursor), from: 0 };
    }),
    bindOperation(verbs.councilResume, async (_, input) => await resume(input)),
    bindOperation(verbs.councilAnswer, async (_, input) => {
      const cursor = cursorOf(ctx);
      const { ref } = await resolveCouncil(ctx, input, { exit: exits.malformed });
      return goesOnFrom(ref, await answerCouncil(ctx, ref, input), cursor);
    }),
    bindOperation(verbs.councilPin, async (_, input) => {
      const { ref } = await resolveCouncil(ctx, input);
      return { id: ref.id, project: ref.project.name, pin: await pinToCouncil(ctx, ref, input) };
    }),
    bindOperation(verbs.councilInterrupt, async (_, input) => {
      const { ref } = await resolveCouncil(ctx, input);
      const { status } = await interruptCouncil(ctx, ref);
      return { id: ref.id, project: ref.project.name, status };
    }),
  ];
}

function bindReading(ctx: CouncilsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.councilList, async (caller, { project: wanted, status }) => {
      const isAll = wanted === undefined && caller.kind === 'person';
      return await listCouncils(ctx, { project: isAll ? undefined : chooseProject(ctx, wanted), status });
    }),
    bindOperation(verbs.councilShow, async (_, input) => {
      const cursor = cursorOf(ctx);
      const { ref, session } = await resolveCouncil(ctx, input);
      return viewOf(ctx, ref, session, cursor);
    }),
    bindOperation(verbs.councilNext, async (_, input) => {
      const cursor = cursorOf(ctx);
      const { ref, session } = await resolveCouncil(ctx, input);
      return nextOf(ctx, ref, session, { from: input.from, cursor });
    }),
  ];
}

function cursorOf(ctx: Pick<CouncilsContext, 'events'>): string {
  return printCursor(ctx.events.cursor());
}
