/** Whether an artifact may be edited by hand: its form, and what the feature says whose record it is. */
import { isUtf8 } from '../../kernel/artifacts/read.ts';
import { fail, type HallError } from '../../kernel/pure/errors.ts';
import type { Project } from '../../kernel/projects/projects.ts';
import type { ArtifactsContext } from './context.ts';
import { type ArtifactShown, maxArtifactBytes, type RecordKeeper } from './contract.ts';
import { noArtifact } from './paths.ts';
import { isArtifactPath } from './rules.ts';

/** The feature whose record it is. */
export function keeperOf(ctx: ArtifactsContext, project: Project, path: string): RecordKeeper | undefined {
  return ctx.recordKeepers().find((keeper) => keeper.lockOf(project.name, path) !== undefined);
}

/** What stands against editing the artifact as it is now, whatever the new text is. */
export async function whyLocked(
  ctx: ArtifactsContext,
  project: Project,
  path: string,
  present: Buffer,
): Promise<ArtifactShown['locked']> {
  const form = faultOfForm(path, present);
  if (form !== undefined) return { message: form.message, hint: form.hint };
  const refusal = await keeperOf(ctx, project, path)?.judge(project.name, path, present.toString('utf8'));
  return refusal === undefined ? null : { message: refusal.message, hint: refusal.hint };
}

export function faultOfForm(path: string, present: Buffer): HallError | undefined {
  if (!isArtifactPath(path)) return noArtifact(path);
  if (!isUtf8(present)) {
    return fail(
      'conflict',
      `${path} is not UTF-8 text, and was left as it is: writing it here would change bytes that cannot be shown.`,
      'Save the file as UTF-8 with an editor of your own, then try again.',
      { path },
    );
  }
  return tooLarge(path, present.length);
}

/** @param size of the text, in bytes */
export function tooLarge(path: string, size: number): HallError | undefined {
  if (size <= maxArtifactBytes) return undefined;
  return fail(
    'too_large',
    `${path} has ${size} bytes; texts of at most ${maxArtifactBytes} are edited here.`,
    'Split it, or edit the file with an editor of your own.',
    { path, size, max: maxArtifactBytes },
  );
}
