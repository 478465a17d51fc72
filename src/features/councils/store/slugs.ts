/** Slugs that are taken: two councils of one month never share a session, notes, or extraction path. */
import { join } from 'node:path';
import { namesIn } from '../../../kernel/artifacts/names.ts';
import type { CouncilsContext } from '../context.ts';
import { extractionsFolder, notesFolder } from './boundary.ts';
import { listOwned } from './secret.ts';
import { listSessionIds } from './session-file.ts';

/**
 * Of councils that this hall knows, and of whatever files lie there already. The caller holds the lock of ids.
 * @param roots absolute
 * @param date YYYY-MM-DD
 */
export async function takenSlugs(
  ctx: Pick<CouncilsContext, 'home'>,
  project: string,
  roots: readonly string[],
  date: string,
): Promise<ReadonlySet<string>> {
  const month = date.slice(0, 7);
  const dated: string[] = await listOwned(ctx, project);
  const taken = new Set<string>();
  for (const root of roots) {
    dated.push(...(await listSessionIds(root)));
    for (const name of await namesIn(join(root, notesFolder)))
      if (name.startsWith('meeting-') && name.endsWith('.md')) dated.push(name.slice('meeting-'.length, -'.md'.length));
    for (const name of await namesIn(join(root, extractionsFolder, month))) taken.add(name);
  }
  for (const id of dated) if (id.startsWith(`${month}-`)) taken.add(id.slice('2026-05-18-'.length));
  return taken;
}
