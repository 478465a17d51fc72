/** SAVE: the gate, the writes part by part, the last marker. */
import type { CouncilsContext } from '../context.ts';
import type { CouncilSession, SaveState } from '../contract.ts';
import { halted } from '../rules/landing.ts';
import { finishSession } from '../rules/steps.ts';
import { saveCouncil } from '../saving/save.ts';
import type { CouncilRef } from '../store/place.ts';
import { checkProvenance } from '../store/seal.ts';
import { requireOwner } from '../store/secret.ts';
import { changeCouncil } from './changing.ts';
import { announce } from './live.ts';

/** Every part can be done again: a hall that died in between goes on where it was. */
export async function saveAll(ctx: CouncilsContext, ref: CouncilRef, session: CouncilSession): Promise<void> {
  const { secret } = await requireOwner(ctx, ref);
  const { failing } = checkProvenance(secret, session);
  if (failing.length > 0) {
    const line = provenanceLine(failing.filter((id) => id !== '-').length);
    await changeCouncil(ctx, ref, 'the provenance of turns is not proved', (now) => halted(now, line, false));
    return;
  }
  const keep = async (part: SaveState): Promise<void> => {
    await changeCouncil(ctx, ref, '', (now) => ({ ...now, save: part }));
  };
  const save = await saveCouncil(ctx, ref, session, keep, ctx.config().scratchpad);
  await changeCouncil(ctx, ref, 'everything that was accepted is written', (now) => finishSession({ ...now, save }));
  announce(ctx, ref, 'council.saved', { id: ref.id, written: save.written, commit: save.commit });
}

/** In the seed's words. */
function provenanceLine(failing: number): string {
  return `HALT: dispatch-provenance-check failed — ${failing} turn(s) lack 'dispatched_via: subagent' marker. Re-run /gaia-meeting with the canonical Agent-tool dispatch primitive for the affected turns.`;
}
