/** How many turns each has had of those that it may have: as a thin track, and in words. */
import type { OutputOf } from '../../state/operations.ts';

export function Turns({ view }: { readonly view: OutputOf<'conversation.show'> }) {
  const { conversation, used } = view;
  const { members, turns } = conversation;
  const most = Math.max(0, ...used);
  const words = members.map(({ name }, nth) => `${name} ${used[nth] ?? 0}`).join(', ');
  return (
    <span className="inline-flex items-baseline gap-2 whitespace-nowrap" title={`${words} of ${turns} turns each`}>
      <span aria-hidden className="flex w-14 flex-col self-center gap-[3px]">
        {members.map(({ number }, nth) => (
          <span key={number} className="h-[3px] overflow-hidden rounded-full bg-line">
            <span
              className="block h-full rounded-full bg-soft"
              style={{ width: `${Math.min(100, ((used[nth] ?? 0) / turns) * 100)}%` }}
            />
          </span>
        ))}
      </span>
      {most} of {turns} turns
    </span>
  );
}
