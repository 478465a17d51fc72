/** The charter: what a council is for. It is data from the first to the last character. Pure. */
import { slugFrom } from './slug.ts';

export type CharterJudgement =
  | { readonly ok: true; readonly characters: number; readonly warning?: string }
  | { readonly ok: false; readonly explanation: string };

const mostSentences = 3;
/** Enough to tell that there are more than three. */
const sentenceEnd = /[.!?…]["')\]]{0,3}(?=\s+["'(]?[\p{Lu}\p{N}]|\s*$)/gu;

/** Its length is not limited; more than three sentences are taken with a warning. */
export function judgeCharter(text: string | undefined): CharterJudgement {
  if (text === undefined)
    return {
      ok: false,
      explanation: 'a council needs a charter: one to three sentences that say what it is to settle',
    };
  if (text.trim() === '')
    return {
      ok: false,
      explanation: 'the charter is empty: say in one to three sentences what the council is to settle',
    };
  const characters = [...text].length;
  const sentences = countSentences(text);
  if (sentences <= mostSentences) return { ok: true, characters };
  return {
    ok: true,
    characters,
    warning: `[gaia-meeting] WARNING: the charter has ${sentences} sentences; one to three are advised`,
  };
}

function countSentences(text: string): number {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  return paragraphs.map(sentencesOf).reduce((sum, count) => sum + count, 0);
}

function sentencesOf(paragraph: string): number {
  const text = paragraph.trim();
  const ends = [...text.matchAll(sentenceEnd)];
  const last = ends.at(-1);
  const isEnded = last !== undefined && last.index + last[0].length === text.length;
  return ends.length + (isEnded ? 0 : 1);
}

const slugWords = 6;
const longestSlug = 40;

/**
 * From the first six words; `-2`, `-3`, … where it is taken. At most 40 characters.
 * @param taken slugs of the councils of the same month
 */
export function councilSlug(charter: string, taken: ReadonlySet<string>): string {
  const words = charter.trim().split(/\s+/, slugWords).join(' ');
  const base = slugFrom(words, longestSlug) || 'council';
  for (let n = 2, slug = base; ; n += 1) {
    if (!taken.has(slug)) return slug;
    const tail = `-${n}`;
    slug = `${base.slice(0, longestSlug - tail.length).replace(/-+$/, '')}${tail}`;
  }
}
