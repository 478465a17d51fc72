/** Helpers of the session file. */
import type { RunRule } from './io.ts';
import { run as sessionState } from './session-state.ts';
import { run as yieldGate } from './yield-gate.ts';

export const helpers: Readonly<Record<string, RunRule>> = {
  'session-state': sessionState,
  'yield-gate': yieldGate,
};
