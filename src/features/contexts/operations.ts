/** Binds the descriptions of contexts to what does them. */
import { type BoundOperation, bindOperation } from '../../kernel/operations/operations.ts';
import { chooseProject } from '../../kernel/projects/choose.ts';
import { listProjects } from '../../kernel/projects/projects.ts';
import type { ContextsContext } from './context.ts';
import * as verbs from './descriptions.ts';
import { clickNext } from './operations/click.ts';
import { exportContext, listContexts, showContext } from './operations/reading.ts';

export function bindContextOperations(ctx: ContextsContext): readonly BoundOperation[] {
  return [
    bindOperation(verbs.nextClick, async (_, input) => clickNext(ctx, chooseProject(ctx, input.project), input)),
    bindOperation(verbs.contextList, async (_, input) =>
      listContexts(ctx, input.project === undefined ? listProjects(ctx) : [chooseProject(ctx, input.project)]),
    ),
    bindOperation(verbs.contextShow, async (_, input) =>
      showContext(ctx, chooseProject(ctx, input.project), input.name),
    ),
    bindOperation(verbs.contextExport, async (_, input) =>
      exportContext(ctx, chooseProject(ctx, input.project), input.name),
    ),
  ];
}
