/** Where a pin that is extracted lies: a function of the council, the pin and its content alone. Pure. */
import { slugFrom } from './slug.ts';

/** By content type; each is also the ending of the file. */
export const contentTypes = ['json', 'ts', 'py', 'sh', 'md', 'go', 'swift', 'kt', 'rs', 'java'] as const;
export type ContentType = (typeof contentTypes)[number];

export function isContentType(text: string): text is ContentType {
  return (contentTypes as readonly string[]).includes(text);
}

export interface ExtractionFacts {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** Of the council. */
  readonly slug: string;
  /** `SP-<n>`. */
  readonly id: string;
  readonly content: string;
  readonly intent: string;
  readonly contentType: string;
}

/** Relative to the root of the project; a reason where the facts make no path. */
export function extractionPath(
  facts: ExtractionFacts,
): { readonly ok: true; readonly path: string } | { readonly ok: false; readonly reason: string } {
  const reason = reasonAgainst(facts);
  if (reason !== undefined) return { ok: false, reason };
  const { date, slug, id, content, intent, contentType } = facts;
  const folder = `.gaia/artifacts/creative-artifacts/meeting-scratchpad/${date.slice(0, 7)}/${slug}`;
  return { ok: true, path: `${folder}/${id}-${autoSlug(content, intent)}.${contentType}` };
}

function reasonAgainst({ date, slug, id, contentType }: ExtractionFacts): string | undefined {
  if (!isDay(date)) return `the date ${quoted(date)} is no day of the form YYYY-MM-DD`;
  if (!isSafeSlug(slug))
    return `the slug ${quoted(slug)} is empty, begins with a dot, or has "..", "/" or a control character in it`;
  if (!/^SP-[1-9]\d{0,8}$/.test(id)) return `the id ${quoted(id)} is not SP- and a positive number`;
  if (!isContentType(contentType)) return `the type ${quoted(contentType)} is none of ${contentTypes.join(', ')}`;
  return undefined;
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

/** A real day of the calendar. */
export function isDay(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) return false;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

/** What may stand in a file name. */
export function isSafeSlug(slug: string): boolean {
  return (
    slug !== '' && slug.length <= 200 && !slug.startsWith('.') && !slug.includes('..') && !/[/\\\p{Cc}]/u.test(slug)
  );
}

const longestSlug = 40;

/** From the first line of the content that has a letter or digit, else the intent, else `untitled`. */
export function autoSlug(content: string, intent: string): string {
  for (const line of content.split('\n')) {
    const slug = slugFrom(line.slice(0, 10 * longestSlug), longestSlug);
    if (slug !== '') return slug;
  }
  return slugFrom(intent, longestSlug) || 'untitled';
}
