/** An answer as it is drawn: words, the work between them, and what is asked of the person. Pure. */
import type { MessagePart, PermissionPart, ToolPart } from '../../../../src/features/sessions/contract.ts';
import { countBlocks } from '../../../kit/blocks/next-buttons.ts';

export type TextPart = Extract<MessagePart, { type: 'text' }>;
export type ThoughtPart = Extract<MessagePart, { type: 'thought' }>;

/** What is one quiet line. A question that is settled stands with what it was about. */
export type WorkPart = ThoughtPart | PermissionPart | (ToolPart & { readonly answer?: PermissionPart });

export type Segment =
  | {
      readonly kind: 'words';
      readonly part: TextPart;
      /** Blocks of a spec in the words before. */ readonly blocks: number;
    }
  | { readonly kind: 'work'; readonly parts: readonly WorkPart[] }
  | { readonly kind: 'question'; readonly part: PermissionPart };

/** Work with nothing but space between is one group. Of an answer that grows only the last segments change. */
export function segmentsOf(parts: readonly MessagePart[]): readonly Segment[] {
  const segments: Segment[] = [];
  let work: WorkPart[] = [];
  let blocks = 0;
  const endWork = () => {
    if (work.length > 0) segments.push({ kind: 'work', parts: work });
    work = [];
  };
  const answers = answersOf(parts);
  const asked = new Set(parts.flatMap((part) => (isOpen(part) ? [part.callId] : [])));
  for (const part of parts) {
    if (part.type === 'text') {
      if (part.text.trim() === '') continue;
      endWork();
      segments.push({ kind: 'words', part, blocks });
      blocks += countBlocks(part, part.text);
    } else if (isOpen(part)) {
      endWork();
      segments.push({ kind: 'question', part });
    } else if (part.type === 'tool') {
      // The question stands for its call until it is answered.
      if (asked.has(part.callId)) continue;
      const answer = answers.get(part.callId);
      work.push(answer === undefined ? part : { ...part, answer });
    } else if (part.type === 'thought' ? part.text.trim() !== '' : !isTold(part, parts)) {
      work.push(part);
    }
  }
  endWork();
  return segments;
}

function isOpen(part: MessagePart): part is PermissionPart {
  return part.type === 'permission' && part.outcome === null;
}

/** What the person said to each call. */
function answersOf(parts: readonly MessagePart[]): ReadonlyMap<string, PermissionPart> {
  const settled = parts.filter(
    (part): part is PermissionPart => part.type === 'permission' && part.outcome !== null && part.callId !== '',
  );
  return new Map(settled.map((part) => [part.callId, part]));
}

/** The line of the call tells it. */
function isTold({ callId }: PermissionPart, parts: readonly MessagePart[]): boolean {
  return parts.some((part) => part.type === 'tool' && part.callId === callId);
}

/** The words of an answer alone, as they are copied. */
export function wordsOf(parts: readonly MessagePart[]): string {
  return parts
    .flatMap((part) => (part.type === 'text' ? [part.text.trim()] : []))
    .filter(Boolean)
    .join('\n\n');
}
