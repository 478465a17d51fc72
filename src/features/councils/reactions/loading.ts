/** What is read anew when a council is loaded: by another hall, and at a resume. Not in between. */
import type { CouncilsContext } from '../context.ts';
import { settleCadence } from '../rules/cadence.ts';
import { lineEntry, withEntries } from '../rules/session.ts';
import type { CouncilRef } from '../store/place.ts';
import { readMeetingSettings } from '../store/settings.ts';
import { changeCouncil } from './changing.ts';
import { liveOf } from './live.ts';

/** After how many turns the person is asked: as the project's settings have it now. */
export async function loadCouncil(ctx: CouncilsContext, ref: CouncilRef): Promise<void> {
  const { cadence: given } = await readMeetingSettings(ref.project.path);
  const { cadence, warning } = settleCadence(given);
  await changeCouncil(ctx, ref, '', (session) => {
    if (session.cadence === cadence) return session;
    const told = warning === undefined ? [] : [lineEntry('warning', warning)];
    return withEntries({ ...session, cadence }, ...told);
  });
  liveOf(ctx, ref).isLoaded = true;
}
