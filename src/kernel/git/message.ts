/** Commits as objects: a tree, its parents, and the words on it. */
import { type GitContext, gitWord } from './run.ts';

export interface CommitText {
  readonly message: string;
  /** One line, written below the message as `Guild-Hall: <text>`. */
  readonly trailer: string;
}

/** Names the commit of the activity branch that a squashed commit holds the work of. */
export const tipTrailer = 'Guild-Hall-Tip';

/** The message as it is committed: without what git refuses or would take for the end, with the trailers last. */
export function composeMessage(text: CommitText, more: Readonly<Record<string, string>> = {}): string {
  const clean = text.message.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '').trim();
  const trailers = Object.entries({ 'Guild-Hall': text.trailer, ...more });
  const lines = trailers.map(([name, value]) => `${name}: ${value.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim()}`);
  return `${clean === '' ? 'Work of the hall' : clean}\n\n${lines.join('\n')}\n`;
}

/** The lines of the last paragraph, where `composeMessage` puts the trailers. */
export function trailersOf(message: string): string[] {
  return message.trimEnd().split(/\n\n+/).at(-1)!.split('\n');
}

/** The first line, for notes in git's own log of a branch. */
export function firstLine(message: string): string {
  return composeMessage({ message, trailer: '' }).split('\n', 1)[0]!.slice(0, 200);
}

/**
 * Makes a commit that no branch points to yet, in the person's name as the repository's settings give it.
 * @param request.text the whole message, as `composeMessage` gives it
 */
export async function commitTree(
  ctx: GitContext,
  cwd: string,
  request: { readonly tree: string; readonly parents: readonly string[]; readonly text: string },
): Promise<string> {
  const parents = request.parents.flatMap((parent) => ['-p', parent]);
  return gitWord(ctx, cwd, ['commit-tree', ...parents, request.tree], { input: request.text });
}
