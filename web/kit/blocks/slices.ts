/** The slices of one text: they are one picture, which stands where the first of them does. */
import { createContext, use, useMemo } from 'react';
import type { Slice } from '../../../src/features/contexts/contract/blocks.ts';
import { blocksIn, readBlock } from '../../../src/features/contexts/fold/blocks.ts';
import { type Block, readFence } from '../markdown/blocks.ts';

export const Slices = createContext<readonly Slice[]>([]);

/** Of the texts of the same message before and behind this one: together they are one picture. */
export interface SlicesAround {
  readonly before: readonly Slice[];
  readonly behind: readonly Slice[];
}

const language = 'conclave:eventmodel';
const none: readonly Slice[] = [];

export const SlicesAroundContext = createContext<SlicesAround>({ before: none, behind: none });

/** Those of a text that is whole. */
export function slicesIn(text: string): readonly Slice[] {
  if (!text.includes(language)) return none;
  return blocksIn(text).flatMap(({ block }) => (block.kind === 'eventmodel' ? [block.slice] : []));
}

/** @param growing the blocks that words still come to; undefined for a text that is whole */
export function useSlices(text: string, growing: readonly Block[] | undefined): readonly Slice[] {
  const has = text.includes(language);
  const { before, behind } = use(SlicesAroundContext);
  const own = useMemo(() => {
    if (!has) return none;
    if (growing === undefined) return slicesIn(text);
    return growing.flatMap(({ source }) => {
      const fence = readFence(source);
      if (fence === undefined || fence.end === null) return [];
      const block = readBlock(fence.language, fence.code);
      return block?.kind === 'eventmodel' ? [block.slice] : [];
    });
  }, [has, text, growing]);
  return useMemo(() => (own.length === 0 ? none : [...before, ...own, ...behind]), [own, before, behind]);
}
