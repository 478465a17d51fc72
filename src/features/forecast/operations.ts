import { type BoundOperation, bindOperation } from '../../kernel/operations/operations.ts';
import type { ForecastContext } from './context.ts';
import { projectConflicts } from './contract.ts';
import { conflictsIn } from './forecasting.ts';

export function bindForecast(ctx: ForecastContext): readonly BoundOperation[] {
  return [bindOperation(projectConflicts, async (_caller, { project }) => await conflictsIn(ctx, project))];
}
