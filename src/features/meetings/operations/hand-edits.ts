/** Records of meetings that a person edits by hand, and artifacts that still stand on the branch of a meeting. */
import { join } from 'node:path';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { readTextIfExists } from '../../../kernel/artifacts/write.ts';
import { branchTip } from '../../../kernel/git/branches.ts';
import { exists } from '../../../kernel/git/paths.ts';
import { readBytesAt } from '../../../kernel/git/read.ts';
import { type Project, requireProject } from '../../../kernel/projects/projects.ts';
import type { ErrorFacts } from '../../../kernel/pure/errors.ts';
import type { Elsewhere, RecordKeeper } from '../../artifacts/contract.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingIdSchema, type MeetingId, meetingKind, meetingsFolder } from '../contract.ts';
import { decideHandEdit, normaliseLink } from '../rules.ts';
import { artifactFile, listStates, stateOf } from '../store/files.ts';
import { branchOf, meetingLock, type MeetingRef, worktreeOf } from '../store/place.ts';
import { meetingPath, recordOfDocument } from '../store/record.ts';

export function meetingRecords(ctx: MeetingsContext): RecordKeeper {
  return {
    lockOf: (project, path) => {
      const id = idOfRecord(path);
      return id === undefined ? undefined : meetingLock({ project: requireProject(ctx, project), id });
    },
    judge: async (project, path, text) => {
      const id = idOfRecord(path);
      return id === undefined ? undefined : await judgeEdit(ctx, { project: requireProject(ctx, project), id }, text);
    },
    isRecord: (path) => path.startsWith(`${meetingsFolder}/`),
    isUnfinished: (path, status) => path.startsWith(`${meetingsFolder}/`) && status !== 'closed',
  };
}

function idOfRecord(path: string): MeetingId | undefined {
  const id = meetingIdSchema.safeParse(path.slice(meetingsFolder.length + 1).replace(/\.md$/, ''));
  return id.success && path === meetingPath(id.data) ? id.data : undefined;
}

async function judgeEdit(ctx: MeetingsContext, ref: MeetingRef, text: string): Promise<ErrorFacts | undefined> {
  const path = meetingPath(ref.id);
  const present = parseArtifact((await readTextIfExists(await artifactFile(ref.project, ref.id))) ?? '', path);
  const wanted = parseArtifact(text, path);
  const [before, after] = [present, wanted].map((document) => ({
    record: recordOfDocument(ref.project.name, ref.id, document),
    fields: document.frontmatter,
  }));
  const isBusy = (await stateOf(ctx, ref).read()) !== undefined;
  const decided = decideHandEdit(
    { id: ref.id, status: before!.record.status, isBusy },
    { fields: before!.fields, problems: before!.record.problems },
    { fields: after!.fields, problems: after!.record.problems },
  );
  return decided.ok ? undefined : decided.refusal;
}

/** Meetings with work that is not merged, on whose branch or in whose worktree `path` is. */
export async function meetingsHolding(ctx: MeetingsContext, project: Project, given: string): Promise<Elsewhere[]> {
  const path = normaliseLink(given);
  if (path === undefined) return [];
  const states = (await listStates(ctx)).filter((state) => state.project === project.name);
  const held = await Promise.all(
    states.map(async ({ id }) => ((await holds(ctx, { project, id }, path)) ? [elsewhereOf(id)] : [])),
  );
  return held.flat();
}

function elsewhereOf(id: MeetingId): Elsewhere {
  return { kind: meetingKind, id, command: `guild-hall meeting show ${id}` };
}

async function holds(ctx: MeetingsContext, ref: MeetingRef, path: string): Promise<boolean> {
  if (await exists(join(worktreeOf(ctx, ref), path))) return true;
  const branch = branchOf(ref);
  if ((await branchTip(ctx, ref.project.path, branch)) === undefined) return false;
  return (await readBytesAt(ctx, ref.project.path, `refs/heads/${branch}`, path)) !== undefined;
}
