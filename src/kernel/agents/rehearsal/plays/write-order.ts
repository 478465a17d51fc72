/** Reads an order to write out of a message: what, where, and whether something there may be replaced. */
import { slugOf } from '../../../pure/ids.ts';
import { ownWords, spokenText } from './spoken.ts';

export interface WriteOrder {
  readonly path: string;
  /** The path was not named; it is made from the subject. */
  readonly chosen: boolean;
  /** What it is to be about, in the person's words; may be empty. */
  readonly subject: string;
  /** What happens to a file that is there already: the order says so, or a new one is written beside it. */
  readonly existing: 'keep' | 'replace' | 'append';
}

const verbs =
  'write|draft|create|save|record|compose|put|produce|prepare|document|store|make|update|rewrite|replace|overwrite|append|extend|add';
const verb = new RegExp(`\\b(${verbs})\\b`, 'i');
/** The beginning of a clause that orders something. */
const order = new RegExp(
  `(?:^\\s*(?:[-*+•]\\s+|\\d+[.)]\\s+)?|[.!?;:\\n,]\\s*|\\b(?:and|then|now|also|please|to|let's|let us|you)\\s+)(?:please\\s+|now\\s+|then\\s+|also\\s+|just\\s+)*(?:${verbs})\\b`,
  'i',
);
const endings = '(?:mdx?|txt|ya?ml|json)';
const quotedPath = new RegExp(`[\`"“']([^\`"”'\\n]{1,150}\\.${endings})[\`"”']`, 'iu');
/** A path below the artifacts' folder may have spaces even without quotes around it. */
const artifactPath = new RegExp(`(\\.lore/[^\\n\`"“”]{1,140}?\\.${endings})(?![\\p{L}\\p{N}])`, 'iu');
const plainPath = new RegExp(
  `(?<![\\p{L}\\p{N}/])((?:\\.?[\\p{L}\\p{N}_@-][\\p{L}\\p{N}_@.-]*/)*\\.?[\\p{L}\\p{N}_@-][\\p{L}\\p{N}_.@-]*\\.${endings})(?![\\p{L}\\p{N}])`,
  'iu',
);
const aboutArtifact =
  /\b(write|draft|compose|produce|prepare)\b.{0,30}\b(artifact|note|notes|report|summary|document|spec|brief|findings)\b/i;

/** What is to be written where, or undefined when nothing is asked to be written. What is only quoted orders nothing. */
export function readOrder(text: string): WriteOrder | undefined {
  const own = ownWords(text);
  const match = quotedPath.exec(own) ?? artifactPath.exec(own) ?? plainPath.exec(own);
  const before = match === null ? '' : own.slice(0, match.index);
  const clause = before.slice(Math.max(before.lastIndexOf('\n'), before.search(/[.!?]\s[^.!?]*$/)) + 1);
  const isOrder =
    match !== null &&
    order.test(clause) &&
    (/\b(to|at|in|into|as|under|file|called|named|artifact|write|draft|create|with|by)\s*$/i.test(clause) ||
      updating.test(clause));
  const subject = subjectOf(spokenText(text), match?.[0]);
  if (isOrder) return { path: match[1]!, chosen: false, subject, existing: existingOf(clause) };
  if (
    match !== null ||
    !aboutArtifact.test(own) ||
    !verb.test(own) ||
    /^\W*(?:how|what|why|where|who|which|does|did|is)\b/i.test(own)
  )
    return undefined;
  return { path: `.lore/notes/${slugOf(subject, 50) || 'notes'}.md`, chosen: true, subject, existing: 'keep' };
}

const updating = /\b(update|rewrite|replace|overwrite|append|extend|add)\b/i;

function existingOf(clause: string): WriteOrder['existing'] {
  const said = updating.exec(clause)?.[1]?.toLowerCase();
  if (said === undefined) return 'keep';
  return ['append', 'extend', 'add'].includes(said) ? 'append' : 'replace';
}

/** The topic in a request to write: without the order, its path, and for whom it is. */
function subjectOf(text: string, path: string | undefined): string {
  const plain = text.replace(path ?? '', ' ').replaceAll(/[`"“”']\s*[`"“”']/g, ' ');
  return plain
    .replace(/\b(?:,?\s*so that|,\s*(?:for|as)\s+(?:a|an|the|my|our|new|someone|everyone)\b)[^.?!\n]*/i, ' ')
    .replaceAll(
      /\b(?:what|everything|all)(?:\s+that)?\s+(?:we|you|i)(?:'ve|\s+have)?\s+(?:found|learned|learnt|discussed|saw|seen|know|said)(?:\s+out)?(?:\s+(?:so far|here|today))*(?:\s+(?:about|on|of))?/gi,
      ' ',
    )
    .replace(/\b(please|can you|could you|would you|i want you to|now|then)\b/gi, ' ')
    .replace(
      new RegExp(
        `\\b(?:${verbs})\\b(?:\\s+(?:it|that|this|down|up|me|us|an?|the|your|our|my|all|short|brief|new|artifact|notes?|report|summary|document|spec|findings|file|of|about|on|with|into|everything|is|and)\\b)*`,
        'gi',
      ),
      ' ',
    )
    .replaceAll(/\b(?:your|our|my|the)?\s*findings\s+(?:about|on)?/gi, ' ')
    .replaceAll(/^\s*(?:about|on|of)\b/gi, ' ')
    .replaceAll(/\b(to|at|in|into|as|under|with|by)\s*[`"').,]*\s*(?=$|\n|[.,])/gi, ' ')
    .replaceAll(/[`"')(]{2,}|\s+/g, ' ')
    .replaceAll(/\s+([.,?!])/g, '$1')
    .replace(/^[\s.,:;]+|[\s.,:;]+$/g, '')
    .replace(/^(?:find out|look up|work out)\s+/i, '')
    .replace(/[\s,]+(?:and|then)$/i, '')
    .trim();
}
