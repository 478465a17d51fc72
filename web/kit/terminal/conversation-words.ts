/** How a conversation of terminals stands, in words. Pure. */
import type { Conversation, EndReason, Member, PauseReason } from '../../../src/features/gatherings/contract.ts';
import type { StateMarkProps } from '../state-mark.tsx';

type Facts = Pick<Conversation, 'state' | 'members' | 'pause' | 'end' | 'turns'>;

/** `Mo and Ada`, `Mo, Ada and Grace`. */
export function membersOf(members: readonly Pick<Member, 'name'>[]): string {
  const names = members.map(({ name }) => name);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** Shape and word of its state. */
export function conversationState({ state }: Pick<Facts, 'state'>): StateMarkProps {
  if (state === 'open') return { kind: 'active', word: 'open' };
  return state === 'paused' ? { kind: 'waiting', word: 'paused, asks you' } : { kind: 'done', word: 'ended' };
}

/** Why it paused, in a sentence. */
export function whyPaused(why: PauseReason, turns: number): string {
  if (why === 'budget') return turns === 1 ? 'Each has had its turn.' : `Each has had its ${turns} turns.`;
  return why === 'idle' ? 'Nobody has said anything for a while, nor worked.' : 'The same words go round.';
}

/** Why it ended, in a sentence. */
export function whyEnded(reason: EndReason, members: readonly Pick<Member, 'name' | 'number'>[]): string {
  const nameOf = (number: number) => members.find((member) => member.number === number)?.name ?? `number ${number}`;
  if (reason.kind === 'member')
    return `The terminal of ${nameOf(reason.number)} ended${reason.why === undefined ? '' : ` (${reason.why})`}.`;
  if (reason.kind === 'hall') return `The hall could not go on: ${reason.why}`;
  return reason.by === 'person' ? 'You ended it.' : `${nameOf(reason.by)} ended it.`;
}
