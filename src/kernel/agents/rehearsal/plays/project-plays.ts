/** The hall's own plays. */
import type { RehearsalPlay } from '../move.ts';
import { askPlay } from './ask.ts';

export const projectPlays: readonly RehearsalPlay[] = [askPlay];
