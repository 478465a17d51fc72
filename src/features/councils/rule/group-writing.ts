/** Helpers that write the files of a council. */
import type { RunRule } from './io.ts';
import { run as actionItemsWriter } from './action-items-writer.ts';
import { run as checkpointReaper } from './checkpoint-reaper.ts';
import { run as meetingNotesWriter } from './meeting-notes-writer.ts';
import { run as memoryWritethrough } from './memory-writethrough.ts';
import { run as scratchpadExtractor } from './scratchpad-extractor.ts';
import { run as secretScrubber } from './secret-scrubber.ts';

export const helpers: Readonly<Record<string, RunRule>> = {
  'action-items-writer': actionItemsWriter,
  'memory-writethrough': memoryWritethrough,
  'meeting-notes-writer': meetingNotesWriter,
  'scratchpad-extractor': scratchpadExtractor,
  'secret-scrubber': secretScrubber,
  'checkpoint-reaper': checkpointReaper,
};
