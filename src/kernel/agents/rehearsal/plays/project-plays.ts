/** The hall's own plays. */
import type { RehearsalPlay } from '../move.ts';
import { artifactsPlay } from './artifacts.ts';
import { askPlay } from './ask.ts';
import { conversePlay } from './converse.ts';
import { recapPlay } from './recap.ts';
import { recordPlay } from './record.ts';
import { compactPlay, lastPlay, talkPlay } from './talk.ts';
import { writePlay } from './write.ts';

export const projectPlays: readonly RehearsalPlay[] = [
  compactPlay,
  conversePlay,
  talkPlay,
  recapPlay,
  recordPlay,
  writePlay,
  artifactsPlay,
  askPlay,
  lastPlay,
];
