/** The operations on what a project has written down. */
import { bindOperation, type BoundOperation } from '../../kernel/operations/operations.ts';
import type { ArtifactsContext } from './context.ts';
import { artifactEdit, artifactList, artifactShow } from './contract.ts';
import { editOne } from './editing.ts';
import { listOf } from './listing.ts';
import { showOne } from './showing.ts';

export type { ArtifactsContext } from './context.ts';

export function bindArtifacts(ctx: ArtifactsContext): BoundOperation[] {
  return [
    bindOperation(artifactList, (_caller, input) => listOf(ctx, input)),
    bindOperation(artifactShow, (_caller, input) => showOne(ctx, input)),
    bindOperation(artifactEdit, (_caller, input) => editOne(ctx, input)),
  ];
}
