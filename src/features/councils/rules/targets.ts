/** What an action item of each type is worked off with. Pure. */
import type { ActionItemType } from '../contract.ts';

const targets: Readonly<Record<ActionItemType, string>> = {
  feature: '/gaia-add-feature',
  'prd-edit': '/gaia-edit-prd',
  'ux-edit': '/gaia-edit-ux',
  'arch-edit': '/gaia-edit-arch',
  'test-edit': '/gaia-edit-test-plan',
  'new-story': '/gaia-create-story',
  'sprint-correction': '/gaia-correct-course',
  'sprint-plan': '/gaia-sprint-plan',
  'brainstorm-followup': '/gaia-brainstorm',
  'adr-draft': 'no target — manual',
  'discussion-only': 'no target — discussion-only',
};

/** Undefined for a type that is not one of the eleven. */
export function targetOf(type: string): string | undefined {
  return Object.hasOwn(targets, type) ? targets[type as ActionItemType] : undefined;
}
