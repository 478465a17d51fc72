/** What the forecast needs of the hall. */
import type { ClockContext } from '../../kernel/clock/clock.ts';
import type { ForecastMemory } from '../../kernel/git/forecast.ts';
import type { LocksContext } from '../../kernel/locks/locks.ts';
import type { LogContext } from '../../kernel/log/log.ts';
import type { ConfigContext } from '../../kernel/projects/config.ts';
import type { ActivityBranch, Conflicts } from './contract.ts';

/** What was found last, by project. A cache: git tells the truth. */
export interface ForecastState {
  readonly outcomes: ForecastMemory;
  readonly last: Map<string, { readonly atMs: number; readonly found: Conflicts }>;
}

export interface ForecastContext extends ClockContext, LogContext, LocksContext, ConfigContext {
  /** Open activities of a project. */
  readonly branches: (project: string) => Promise<readonly ActivityBranch[]>;
  /** Folders of records: their merge is the hall's own doing. */
  readonly recordFolders: () => readonly string[];
  readonly forecast: ForecastState;
}

export function createForecastState(): ForecastState {
  return { outcomes: new Map(), last: new Map() };
}
