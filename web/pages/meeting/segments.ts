/** An answer in the order in which it came: words, and the tool calls between them. Pure. */
import type { ToolCallView } from '../../../src/features/meetings/contract.ts';

export type Segment =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'steps'; readonly calls: readonly ToolCallView[] };

/** Calls with nothing but space between them are one group. Of a growing answer only the last segment changes. */
export function segmentsOf(text: string, tools: readonly ToolCallView[]): readonly Segment[] {
  const segments: Segment[] = [];
  let calls: ToolCallView[] = [];
  let from = 0;
  const addWords = (to: number) => {
    const words = text.slice(from, to);
    from = Math.max(from, to);
    if (words.trim() === '') return;
    if (calls.length > 0) segments.push({ kind: 'steps', calls });
    calls = [];
    segments.push({ kind: 'words', text: words });
  };
  for (const call of tools) {
    addWords(call.after);
    calls.push(call);
  }
  addWords(text.length);
  if (calls.length > 0) segments.push({ kind: 'steps', calls });
  return segments;
}
