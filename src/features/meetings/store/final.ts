/** The text of a meeting's artifact after its close. */
import { editArtifact } from '../../../kernel/artifacts/edit.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { HallError } from '../../../kernel/pure/errors.ts';
import type { MeetingsContext } from '../context.ts';
import type { MeetingRecord, MergeFacts } from '../contract.ts';
import { usageOfEntries } from '../fold/turns.ts';
import { decideMove } from '../rules.ts';
import { artifactFile, type MeetingState, missing, readTranscript } from './files.ts';
import type { MeetingRef } from './place.ts';
import { bodyOfNew, meetingPath, recordOfDocument } from './record.ts';

/** The record as it stands after the close: status, log, notes, merge. Computed from the file as it is now. */
export async function finalArtifact(
  ctx: MeetingsContext,
  ref: MeetingRef,
  state: MeetingState,
  merge: MergeFacts,
  tip: string | null,
): Promise<string> {
  const source = await readTextIfExists(await artifactFile(ref.project, ref.id));
  if (source === undefined) throw missing(ref.project, ref.id);
  const record = recordOfDocument(ref.project.name, ref.id, parseArtifact(source, meetingPath(ref.id)));
  const notes = state.closing?.notes ?? '';
  const entries = closingEntries(ctx, record, merge);
  const usage = usageOfEntries((await readTranscript(ctx, ref.id)).entries);
  const fields = { status: 'closed', notes_summary: notes, merge };
  return editArtifact(source, {
    set: {
      ...fields,
      merged_from: merge.state === 'merged' ? (tip ?? '') : '',
      ...(usage === null ? {} : { usage }),
    },
    ...(entries.length === 0 ? {} : { append: { meeting_log: entries } }),
    body: `${bodyOfNew({ title: record.title, agenda: record.agenda, artifacts: record.referencedArtifacts })}\n${notes}\n`,
  });
}

function closingEntries(ctx: MeetingsContext, record: MeetingRecord, merge: MergeFacts): readonly object[] {
  const timestamp = ctx.clock.nowIso();
  const entries: object[] = [];
  if (record.status === 'open') {
    const move = decideMove(record, 'close', 'Closed by the person', timestamp);
    if (!move.ok) throw new HallError(move.refusal);
    entries.push(move.next.entry);
  }
  if (merge.state === 'merge_conflict')
    entries.push({
      timestamp,
      event: 'merge_conflict',
      reason: `Conflict in ${merge.files.join(', ')}; the branch is kept`,
    });
  if (merge.state === 'merged' && record.status === 'closed')
    entries.push({ timestamp, event: 'merged', reason: 'Merged after a conflict' });
  return entries;
}
