/** What happened to the meeting, as a quiet timeline. */
import type { LogEntry } from '../../../src/features/meetings/contract.ts';
import { Section } from '../../kit/layout.tsx';
import { TimeAgo } from '../../kit/time.tsx';

const words: Readonly<Record<string, string>> = {
  session_renewed: 'Fresh session',
  progress_summarized: 'Progress summed up',
};

export function Log({ entries }: { readonly entries: readonly LogEntry[] }) {
  if (entries.length === 0) return null;
  return (
    <Section title="What happened">
      <ol className="flex flex-col">
        {entries.map(({ timestamp, event, reason }, nth) => (
          <li key={nth} className="relative flex gap-3 pb-3 text-13 last:pb-0">
            <span aria-hidden className="relative flex w-2 shrink-0 justify-center">
              <span className="mt-[0.4rem] size-1.5 rounded-full bg-line-strong" />
              {nth < entries.length - 1 && <span className="absolute top-4 -bottom-1 w-px bg-line" />}
            </span>
            <div className="min-w-0">
              <p className="flex flex-wrap items-baseline gap-x-2">
                <span className="text-ink">{isSaid(event, reason) ? reason : sayEvent(event)}</span>
                <span className="text-12 text-faint">
                  <TimeAgo at={timestamp} />
                </span>
              </p>
              {reason !== '' && !isSaid(event, reason) && <p className="text-12 text-soft">{reason}</p>}
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** `opened`, "Opened by the person": the reason says it all. */
function isSaid(event: string, reason: string): boolean {
  return reason.toLowerCase().startsWith(event.replaceAll('_', ' '));
}

function sayEvent(event: string): string {
  const plain = words[event] ?? event.replaceAll('_', ' ');
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
