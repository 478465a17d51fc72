/** Edits by the person: checked, written, and committed on the integration branch under the person's name. */
import { relative, sep } from 'node:path';
import { resolveInside } from '../../kernel/artifacts/paths.ts';
import { parseArtifact } from '../../kernel/artifacts/parse.ts';
import { writeAtomically } from '../../kernel/artifacts/write.ts';
import { readObjects } from '../../kernel/git/objects.ts';
import { readBytesAt } from '../../kernel/git/read.ts';
import { mergeTexts } from '../../kernel/git/textmerge.ts';
import { integrationLock, type Project } from '../../kernel/projects/projects.ts';
import { fail, HallError } from '../../kernel/pure/errors.ts';
import { findSecrets } from '../../kernel/secrets/find.ts';
import { placesOf } from '../../kernel/secrets/locate.ts';
import { commitEdit, finishEdit, tellEdited, underwayFile } from './committing.ts';
import type { ArtifactsContext } from './context.ts';
import type { ArtifactEdited, EditConflict, EditSecrets } from './contract.ts';
import { faultOfForm, keeperOf, tooLarge } from './guarding.ts';
import { requireArtifactPath, revisionOf } from './paths.ts';
import { keepLineEnds } from './rules.ts';
import { readFileBytes } from './showing.ts';

export interface WantedEdit {
  readonly project?: string | undefined;
  readonly path: string;
  readonly raw: string;
  readonly baseRevision: string;
  readonly allowSecrets: boolean;
}

interface Target {
  readonly project: Project;
  /** As it was named. */
  readonly path: string;
  /** The file itself, links resolved. Absolute. */
  readonly file: string;
  /** The same, relative to the project. */
  readonly stored: string;
}

/**
 * Replaces the whole text, when nobody changed it since `baseRevision`. The same edit sent twice is done once.
 * @throws HallError `conflict` with `EditConflict` or `EditSecrets` as details; what the record's feature says
 */
export async function editOne(ctx: ArtifactsContext, wanted: WantedEdit): Promise<ArtifactEdited> {
  const project = ctx.chooseProject(wanted.project);
  const path = requireArtifactPath(wanted.path);
  const tooLong = tooLarge(path, Buffer.byteLength(wanted.raw));
  if (tooLong !== undefined) throw tooLong;
  const target = await targetOf(project, path);
  const recordLock = keeperOf(ctx, project, target.stored)?.lockOf(project.name, target.stored);
  const work = (): Promise<ArtifactEdited> =>
    ctx.locks.with(integrationLock(project.name), async () => {
      // While the edit waited, a merge may have put something else there.
      const now = await targetOf(project, path);
      if (now.stored !== target.stored) throw movedMeanwhile(path, now.stored);
      return await editUnderLock(ctx, now, wanted);
    });
  // In this order everybody takes the two.
  return recordLock === undefined ? await work() : await ctx.locks.with(recordLock, work);
}

/** @throws HallError `forbidden` where a link leads to something that is no artifact */
async function targetOf(project: Project, path: string): Promise<Target> {
  const root = project.integrationWorktree;
  const file = await resolveInside(root, path);
  const stored = relative(root, file).split(sep).join('/');
  if (stored.startsWith('.lore/')) return { project, path, file, stored };
  throw fail(
    'forbidden',
    `${path} is a link to ${stored}, which is no artifact.`,
    'Edit that file with an editor of your own.',
    { path, target: stored },
  );
}

function movedMeanwhile(path: string, target: string): HallError {
  return fail(
    'conflict',
    `${path} leads to another file since a moment ago; nothing was written.`,
    'Look at it again.',
    {
      path,
      target,
    },
  );
}

async function editUnderLock(ctx: ArtifactsContext, target: Target, wanted: WantedEdit): Promise<ArtifactEdited> {
  const { project, path, file, stored } = target;
  const bytes = await readFileBytes(file, path);
  if (bytes === undefined) throw gone(path, wanted.raw);
  const fault = faultOfForm(path, bytes);
  if (fault !== undefined) throw fault;
  const present = bytes.toString('utf8');
  const text = keepLineEnds(present, wanted.raw);
  if (text === present) return answerOf(target, present, await commitWritten(ctx, target, wanted, bytes));
  const refusal = await keeperOf(ctx, project, stored)?.judge(project.name, stored, text);
  if (refusal !== undefined) throw new HallError(refusal);
  if (revisionOf(bytes) !== wanted.baseRevision) throw await changedMeanwhile(ctx, target, wanted, { present, text });
  if (!wanted.allowSecrets) await requireNoNewSecrets(path, present, text);
  const commit = await writeAndCommit(ctx, target, bytes, text);
  tellEdited(ctx, project, { path, revision: revisionOf(Buffer.from(text)), commit });
  return answerOf(target, text, commit);
}

/**
 * The text stands there already: what of it is not committed, because a hall was killed on the way or a person wrote
 * it with an editor of their own, is committed now. Null where nothing is to be done.
 */
async function commitWritten(
  ctx: ArtifactsContext,
  target: Target,
  wanted: WantedEdit,
  bytes: Buffer,
): Promise<string | null> {
  const { project, path, stored } = target;
  const committed = await readBytesAt(ctx, project.path, `refs/heads/${project.integrationBranch}`, stored);
  if (committed?.equals(bytes) === true) return null;
  const text = bytes.toString('utf8');
  // The record of something that is open is its feature's to commit.
  if ((await keeperOf(ctx, project, stored)?.judge(project.name, stored, text)) !== undefined) return null;
  if (!wanted.allowSecrets) await requireNoNewSecrets(path, committed?.toString('utf8') ?? '', text);
  const commit = await commitEdit(ctx, project, target);
  if (commit !== null) tellEdited(ctx, project, { path, revision: revisionOf(Buffer.from(text)), commit });
  return commit;
}

function answerOf({ project, path }: Target, text: string, commit: string | null): ArtifactEdited {
  const { problems } = parseArtifact(text, path);
  return { project: project.name, path, revision: revisionOf(Buffer.from(text)), commit, problems: [...problems] };
}

/** Where the commit is refused, the file is as it was: an edit is there whole, or not at all. */
async function writeAndCommit(
  ctx: ArtifactsContext,
  target: Target,
  before: Buffer,
  text: string,
): Promise<string | null> {
  const { project, path, file, stored } = target;
  // One that could not be finished before: two at once cannot be kept in mind.
  await finishEdit(ctx, project);
  const underway = underwayFile(ctx, project);
  const revision = revisionOf(Buffer.from(text));
  await underway.write({ path, stored, revision });
  await writeAtomically(file, text);
  let commit: string | null;
  try {
    commit = await commitEdit(ctx, project, target);
  } catch (error) {
    await writeAtomically(file, before);
    await underway.remove();
    throw error;
  }
  await underway.remove();
  return commit;
}

async function changedMeanwhile(
  ctx: ArtifactsContext,
  { project, path }: Target,
  { baseRevision }: WantedEdit,
  { present, text }: { present: string; text: string },
): Promise<HallError> {
  const base = await findBase(ctx, project, baseRevision);
  const merge = base === undefined ? undefined : await mergeTexts(ctx, { base, ours: text, theirs: present });
  const details: EditConflict = {
    kind: 'revision',
    path,
    yours: text,
    theirs: { revision: revisionOf(Buffer.from(present)), raw: present },
    merged: merge?.conflicts === 0 ? merge.text : null,
    conflicts: merge?.conflicts ?? null,
  };
  const hint =
    details.merged === null
      ? `Look at what is there now (guild-hall artifact show ${path}), put your change in, and send that revision with it.`
      : 'Both changes fit together: look at the merged text in the details, and send it with their revision.';
  return fail('conflict', `${path} was changed by somebody else since you began; nothing was written.`, hint, details);
}

/** The text that the edit began with, where it was ever committed. */
async function findBase(ctx: ArtifactsContext, project: Project, revision: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{40}$/.test(revision)) return undefined;
  const [bytes] = await readObjects(ctx, project.path, [revision]);
  return bytes?.toString('utf8');
}

function gone(path: string, yours: string): HallError {
  const details: EditConflict = { kind: 'revision', path, yours, theirs: null, merged: null, conflicts: null };
  return fail(
    'conflict',
    `There is no ${path} any more, or never was; nothing was written.`,
    'Your text is in the answer, whole: keep it elsewhere. See what there is: guild-hall artifact list',
    details,
  );
}

/** What stood there before is not asked about again. The secrets themselves are compared: a key has many lines. */
async function requireNoNewSecrets(path: string, present: string, text: string): Promise<void> {
  const found = await findSecrets(text);
  if (found.length === 0) return;
  const known = new Set((await findSecrets(present)).map(({ start, end }) => present.slice(start, end).trim()));
  const secrets = placesOf(
    text,
    found.filter(({ start, end }) => !known.has(text.slice(start, end).trim())),
  );
  if (secrets.length === 0) return;
  const details: EditSecrets = { kind: 'secrets', path, secrets };
  const places = secrets.slice(0, 5).map(({ line, kind }) => `line ${line} (${kind})`);
  throw fail(
    'conflict',
    `It looks as if there is a secret in the text, at ${places.join(', ')}; nothing was written.`,
    'Take it out, or write it all the same with --allow-secrets: it will be in the history of the repository for good.',
    details,
  );
}
