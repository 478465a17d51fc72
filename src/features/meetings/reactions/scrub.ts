/** Masks secrets in what an agent said before it is written down. */
import type { MeetingsContext } from '../context.ts';
import type { TranscriptEntry } from '../contract.ts';

export async function scrubEntry(
  ctx: Pick<MeetingsContext, 'scrub'>,
  entry: TranscriptEntry,
): Promise<TranscriptEntry> {
  const [text = '', ...tools] = await Promise.all([entry.text, ...entry.tools].map((words) => ctx.scrub(words)));
  return { ...entry, text, tools, error: entry.error === null ? null : await ctx.scrub(entry.error) };
}
