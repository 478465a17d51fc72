/** Joins the forecast of conflicts: it asks every feature for its open branches. */
import { type ForecastContext, createForecastState } from '../features/forecast/context.ts';
import type { Foreseen } from '../features/forecast/contract.ts';
import { conflictsOfActivity } from '../features/forecast/forecasting.ts';
import { bindForecast } from '../features/forecast/operations.ts';
import { conflictsForeseen } from '../features/forecast/waiting.ts';
import type { HallContext } from './context.ts';
import { gathered, type HallFeature, recordFoldersOf } from './feature.ts';

/** @param features all of the hall; those that are joined later count as well */
export function forecastContext(ctx: HallContext, features: readonly HallFeature[]): ForecastContext {
  return {
    ...ctx,
    branches: async (project) => await gathered(features, (each) => each.branches?.(project)),
    recordFolders: () => recordFoldersOf(features).map(({ folder }) => folder),
    forecast: createForecastState(),
  };
}

/** Who works on the same files as one activity. */
export type Foresee = (activity: { kind: string; project: string; id: string }) => Promise<Foreseen[]>;

export function foreseeBy(ctx: ForecastContext): Foresee {
  return async (activity) => await conflictsOfActivity(ctx, activity);
}

export function joinForecast(ctx: ForecastContext): HallFeature {
  return {
    name: 'forecast',
    operations: bindForecast(ctx),
    problems: async () => await conflictsForeseen(ctx),
  };
}
