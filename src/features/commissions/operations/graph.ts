/** Who waits for whom in a project. */
import type { Project } from '../../../kernel/projects/projects.ts';
import type { CommissionsContext } from '../context.ts';
import type { CommissionGraph, CommissionRecord } from '../contract.ts';
import { findMissing } from '../reactions/waiting.ts';
import { keyOf } from '../store/place.ts';
import { hasEnded, readStanding, recordsOf } from './standing.ts';

type Edge = CommissionGraph['edges'][number];
type Node = CommissionGraph['nodes'][number];

/** All that has not ended, and what has as far as others wait or waited for it. In the order of creation. */
export async function graphOf(ctx: CommissionsContext, project: Project): Promise<CommissionGraph> {
  const standing = await readStanding(ctx);
  const records = recordsOf(standing, project).toReversed();
  const ids = new Set(records.map(({ id }) => String(id)));
  const makers = makersOf(records);
  const all = [...new Set(records.flatMap(({ dependencies }) => dependencies))];
  const missing = new Set(await findMissing(project, all, records));
  const edges = records.flatMap((record) => edgesOf(record, { ids, makers, missing }));
  const linked = new Set(edges.filter(({ from }) => ids.has(from)).flatMap(({ from, to }) => [from, to]));
  const shown = records.filter((record) => !hasEnded(record) || linked.has(record.id));
  const shownIds = new Set(shown.map(({ id }) => String(id)));
  const kept = edges.filter(({ to }) => shownIds.has(to));
  const paths = [...new Set(kept.map(({ from }) => from).filter((from) => !ids.has(from)))];
  const nodes: Node[] = shown.map(({ id, title, worker, status, merge }) => ({
    kind: 'commission',
    id,
    title,
    worker,
    status,
    merge: merge.state,
    position: standing.holdUps.get(keyOf({ project, id }))?.position ?? null,
  }));
  return {
    project: project.name,
    nodes: [...nodes, ...paths.map((id): Node => ({ kind: 'path', id, isThere: !missing.has(id) }))],
    edges: kept,
  };
}

interface Known {
  readonly ids: ReadonlySet<string>;
  readonly makers: ReadonlyMap<string, readonly string[]>;
  readonly missing: ReadonlySet<string>;
}

/** A path that a commission is known to make stands for that commission. */
function edgesOf({ id, dependencies }: CommissionRecord, { ids, makers, missing }: Known): Edge[] {
  return dependencies.flatMap((on): Edge[] => {
    const isMet = !missing.has(on);
    if (ids.has(on)) return [{ from: on, to: id, via: null, isMet }];
    const known = (makers.get(on) ?? []).filter((maker) => maker !== id);
    if (known.length === 0) return [{ from: on, to: id, via: null, isMet }];
    return known.map((from) => ({ from, to: id, via: on, isMet }));
  });
}

function makersOf(records: readonly CommissionRecord[]): ReadonlyMap<string, readonly string[]> {
  const makers = new Map<string, string[]>();
  for (const { id, linkedArtifacts } of records) {
    for (const path of linkedArtifacts) makers.set(path, [...(makers.get(path) ?? []), id]);
  }
  return makers;
}
