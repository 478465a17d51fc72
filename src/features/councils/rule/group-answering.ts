/** Helpers that answer from their arguments and small files: all in one piece, which is loaded at once. */
import type { RunRule } from './io.ts';
import { run as charterGate } from './charter-gate.ts';
import { run as checkpointCadence } from './checkpoint-cadence.ts';
import { run as costCadence } from './cost-cadence.ts';
import { run as dispatchProvenanceCheck } from './dispatch-provenance-check.ts';
import { run as haltEvent } from './halt-event.ts';
import { run as lifecycleMarker } from './lifecycle-marker.ts';
import { run as loadModeRegistry } from './load-mode-registry.ts';
import { run as loopDetector } from './loop-detector.ts';
import { run as maxTurnsCap } from './max-turns-cap.ts';
import { run as parseResumeFlags } from './parse-resume-flags.ts';
import { run as perAgentCap } from './per-agent-cap.ts';
import { run as preludeFormat } from './prelude-format.ts';
import { run as raiseHandArbiter } from './raise-hand-arbiter.ts';
import { run as researchGate } from './research-gate.ts';
import { run as researchPhaseDispatch } from './research-phase-dispatch.ts';
import { run as resolveInvitees } from './resolve-invitees.ts';
import { run as resolveMode } from './resolve-mode.ts';
import { run as resolveUserName } from './resolve-user-name.ts';
import { run as reviewGate } from './review-gate.ts';
import { run as scratchpadAllocate } from './scratchpad-allocate.ts';
import { run as scratchpadDetectType } from './scratchpad-detect-type.ts';
import { run as scratchpadDisposition } from './scratchpad-disposition.ts';
import { run as scratchpadResolvePath } from './scratchpad-resolve-path.ts';
import { run as selectNotesTemplate } from './select-notes-template.ts';
import { run as stdoutSentinelScan } from './stdout-sentinel-scan.ts';
import { run as turnHeader } from './turn-header.ts';
import { run as turnOrder } from './turn-order.ts';
import { run as typeTargetResolver } from './type-target-resolver.ts';
import { run as writeBoundary } from './write-boundary.ts';

export const helpers: Readonly<Record<string, RunRule>> = {
  'charter-gate': charterGate,
  'resolve-mode': resolveMode,
  'lib/load-mode-registry': loadModeRegistry,
  'resolve-invitees': resolveInvitees,
  'select-notes-template': selectNotesTemplate,
  'turn-order': turnOrder,
  'turn-header': turnHeader,
  'resolve-user-name': resolveUserName,
  'lifecycle-marker': lifecycleMarker,
  'write-boundary': writeBoundary,
  'research-phase-dispatch': researchPhaseDispatch,
  'lib/prelude-format': preludeFormat,
  'raise-hand-arbiter': raiseHandArbiter,
  'review-gate': reviewGate,
  'lib/type-target-resolver': typeTargetResolver,
  'scratchpad-allocate': scratchpadAllocate,
  'scratchpad-disposition': scratchpadDisposition,
  'scratchpad-detect-type': scratchpadDetectType,
  'scratchpad-resolve-path': scratchpadResolvePath,
  'checkpoint-cadence': checkpointCadence,
  'parse-resume-flags': parseResumeFlags,
  'halt-event': haltEvent,
  'max-turns-cap': maxTurnsCap,
  'per-agent-cap': perAgentCap,
  'loop-detector': loopDetector,
  'cost-cadence': costCadence,
  'research-gate': researchGate,
  'dispatch-provenance-check': dispatchProvenanceCheck,
  'stdout-sentinel-scan': stdoutSentinelScan,
};
