/** The phases of a council, their markers, and what an agent may use in them: the one place. Pure. */
import type { CouncilPhase } from '../contract.ts';
import { councilPhases } from '../contract/terms.ts';

export function isPhase(text: string): text is CouncilPhase {
  return (councilPhases as readonly string[]).includes(text);
}

/** `## Phase: DISCUSS`; of RESEARCH too, also where it is skipped. */
export function printMarker(phase: CouncilPhase): string {
  return `## Phase: ${phase}`;
}

const discussTools = ['Read', 'Grep', 'Glob', 'Bash'] as const;
const webTools = ['WebSearch', 'WebFetch'] as const;

/** The agent's own tools in a turn of that kind. Nothing that writes is ever among them. */
export function allowList(phase: 'RESEARCH' | 'DISCUSS', noWeb: boolean): readonly string[] {
  return phase === 'RESEARCH' && !noWeb ? [...discussTools, ...webTools] : discussTools;
}

/** Relative folder of an agent's own memory. */
export function sidecarPath(agent: string): string {
  return `.gaia/memory/${agent}-sidecar`;
}

/** Of the notes' front matter: enough for an audit. */
export function printAudit({
  skipResearch,
  noWeb,
}: {
  readonly skipResearch: boolean;
  readonly noWeb: boolean;
}): string[] {
  return [`research_phase: ${skipResearch ? 'skipped' : 'enabled'}`, `web_search: ${noWeb ? 'disabled' : 'enabled'}`];
}
