/** What the engine gives to the doors: a new council, what is told of a change, and going on. */
import { writeSession } from '../store/session-file.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilSession } from '../contract.ts';
import { questionWords } from '../contract/asking.ts';
import { councilKind } from '../contract/kind.ts';
import type { CouncilRef } from '../store/place.ts';

export async function storeFirst(ctx: CouncilsContext, ref: CouncilRef, session: CouncilSession): Promise<void> {
  await writeSession(ctx, ref.root, session);
}

/** Told when the file has it. */
export function tellChange(
  ctx: CouncilsContext,
  ref: CouncilRef,
  before: CouncilSession | undefined,
  after: CouncilSession,
) {
  const { id } = ref;
  const about = { project: ref.project.name, subject: `${councilKind}:${id}` };
  const first = before?.transcript.length ?? 0;
  for (const [index, entry] of after.transcript.slice(first).entries()) {
    ctx.events.publish({ type: 'council.entry', ...about, data: { id, n: first + index, entry } });
  }
  if (before?.status !== after.status) {
    const data = { id, from: before?.status ?? null, to: after.status, phase: after.phase, reason: '' };
    ctx.events.publish({ type: 'council.status', ...about, data });
  }
  if (after.status === 'asking' && after.question !== null) {
    ctx.events.publish({
      type: 'council.asked',
      ...about,
      data: { id, question: after.question, ...questionWords(after.question) },
    });
  }
}

/** Walks it until it waits. */
export function goOn(_ctx: CouncilsContext, _ref: CouncilRef): void {}
