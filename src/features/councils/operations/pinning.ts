/** The person pins something to the scratchpad. */
import { fail } from '../../../kernel/pure/errors.ts';
import type { CouncilsContext } from '../context.ts';
import type { CouncilSession, Pin } from '../contract.ts';
import { changeByPerson } from '../reactions/person.ts';
import { detectType } from '../rules/content-type.ts';
import { withPin } from '../rules/landing.ts';
import { attendeeOf, isBeforeClose } from '../rules/session.ts';
import type { CouncilRef } from '../store/place.ts';
import { scrubCouncil } from '../store/scrub.ts';

export interface PinWords {
  readonly content: string;
  readonly intent: string;
  readonly replace?: string | undefined;
}

/** @throws `conflict` where the discussion is over; `not_found` for a pin that is not there */
export async function pinToCouncil(ctx: CouncilsContext, ref: CouncilRef, words: PinWords): Promise<Pin> {
  const content = await scrubCouncil(words.content);
  const intent = await scrubCouncil(words.intent);
  const { after } = await changeByPerson(ctx, ref, (session, facts) => {
    requireOpen(session);
    const { pins, setup } = session;
    const target = words.replace;
    if (target !== undefined && !pins.some(({ id }) => id === target)) {
      const known = pins.map(({ id }) => id).join(', ');
      throw fail(
        'not_found',
        `There is no pin ${target} in the council ${session.sessionId}${known === '' ? '' : `; there are ${known}`}.`,
        'Leave --replace out to make a new one.',
      );
    }
    const agent = attendeeOf(session)?.name ?? setup.userName ?? 'user';
    const wish = { target, content, intent, agent, contentType: detectType(content) };
    return { ok: true, next: withPin(session, wish, facts), again: null };
  });
  return after.pins.find(({ id }) => id === words.replace) ?? after.pins.at(-1)!;
}

function requireOpen(session: CouncilSession): void {
  if (isBeforeClose(session) && session.status !== 'aborted') return;
  throw fail(
    'conflict',
    `The discussion of the council ${session.sessionId} is over, so nothing is pinned any more.`,
    `See it: guild-hall council show ${session.sessionId}`,
  );
}
