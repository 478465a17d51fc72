import type { HarvestKind } from '../../../src/features/gatherings/contract/gathering.ts';

/** In the order in which they are shown. */
export const harvestKinds: readonly HarvestKind[] = ['todo', 'proposal', 'memory', 'vision'];
