/**
 * The lists and numbers of councils without schemas: for folds in the page, and for `guild-hall rule`, which has to
 * start at once.
 */

/** In the order in which every council walks them. */
export const councilPhases = ['INVITE', 'CHARTER', 'RESEARCH', 'DISCUSS', 'CLOSE', 'REVIEW', 'SAVE'] as const;

/** The five points at which the person is asked how to go on. */
export const yieldNames = ['post-charter', 'post-research', 'discuss-cadence', 'pre-close', 'pre-save'] as const;

export const yieldAnswers = ['continue', 'pause', 'interject', 'wrap-up', 'abort'] as const;

export const provenances = ['subagent', 'interject', 'attendee', 'charter', 'facilitator'] as const;

export const actionItemTypes = [
  'feature',
  'prd-edit',
  'ux-edit',
  'arch-edit',
  'test-edit',
  'new-story',
  'sprint-correction',
  'sprint-plan',
  'brainstorm-followup',
  'adr-draft',
  'discussion-only',
] as const;

export const defaultMaxTurns = 40;
export const defaultPerAgentCap = 25_000;
/** With fewer tokens left an agent is not asked again. */
export const leastTokensForTurn = 1000;
