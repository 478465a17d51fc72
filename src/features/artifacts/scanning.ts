/**
 * The targets of the links in one paragraph of Markdown: inline links, pictures, definitions. By hand and from left to
 * right, so that the time grows with the length alone: a reader of the whole syntax takes a second for a hostile line.
 */

/** In their order, with escapes taken out. What stands in code, comments and tags is left out. */
export function linkTargetsIn(paragraph: string): string[] {
  const { text, targets } = takeDefinitions(paragraph);
  const closings = closingTicks(text);
  const lastComment = text.lastIndexOf('-->');
  /** Brackets that are open: whether each begins a picture, and how many targets there were before it. */
  const open: { isPicture: boolean; before: number }[] = [];
  /** So many of the open brackets are around a link, and can begin none themselves. */
  let spent = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\\') at += 1;
    else if (sign === '`') at = closings.get(at) ?? at;
    else if (sign === '<') at = endOfTag(text, at, lastComment);
    else if (sign === '[') open.push({ isPicture: text[at - 1] === '!', before: targets.length });
    else if (sign === ']' && open.length > 0) {
      const { isPicture, before } = open.pop()!;
      const isSpent = open.length < spent;
      spent = Math.min(spent, open.length);
      const target = text[at + 1] === '(' && (isPicture || !isSpent) ? targetAt(text, at + 2) : undefined;
      if (target === undefined) continue;
      // The words for a picture are not shown, and neither are links in them.
      if (isPicture) targets.length = before;
      targets.push(unescaped(target.url));
      at = target.end;
      if (!isPicture) spent = open.length;
    }
  }
  return targets;
}

const escape = /\\([!-/:-@[-`{-~])/g;
const references: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

function unescaped(url: string): string {
  return url
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (_whole, name: string) => references[name]!)
    .replaceAll(escape, '$1');
}

const marks = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>]|$)){0,16}[ \t]*/;
const definition = /^\[(?:[^\\[\]]|\\.)+\]:[ \t]*(<(?:[^\\<>]|\\.)*>|[^\s<]\S*)[ \t]*(?:["'(].*["')][ \t]*)?$/;
const heading = /^#{1,6}(?:[ \t]|$)/;

/** Definitions stand before the words of a paragraph, behind a heading, or at the beginning of a list's item. */
function takeDefinitions(paragraph: string): { text: string; targets: string[] } {
  const targets: string[] = [];
  const rest: string[] = [];
  let mayDefine = true;
  let mayBeCode = true;
  for (const line of paragraph.split('\n')) {
    const mark = marks.exec(line)?.[0] ?? '';
    const words = line.slice(mark.length);
    const isMarked = mark.trim() !== '';
    // Indented, where nothing is before it that it could go on.
    if (mayBeCode && !isMarked && /^(?: {4}| {0,3}\t)/.test(line)) continue;
    const target: string | undefined = mayDefine || isMarked ? definition.exec(words)?.[1] : undefined;
    mayDefine = target !== undefined || heading.test(words);
    mayBeCode = heading.test(words);
    if (target === undefined) rest.push(words);
    else targets.push(unescaped(target.startsWith('<') ? target.slice(1, -1) : target));
  }
  return { text: rest.join('\n'), targets };
}

/** For each run of backticks that opens code: where the code ends. For others: where the run itself ends. */
function closingTicks(text: string): Map<number, number> {
  const ends = new Map<number, number>();
  /** By length: the end of the next run. */
  const next = new Map<number, number>();
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].toReversed()) {
    const end = index + run.length - 1;
    // A tick behind a backslash is a word; those after it may open code.
    const after = text[index - 1] === '\\' ? index + 1 : undefined;
    ends.set(index, next.get(run.length) ?? end);
    if (after !== undefined) ends.set(after, next.get(run.length - 1) ?? end);
    next.set(run.length, end);
  }
  return ends;
}

const tag = /<[a-z/!?][^<>]*>/iy;

/** Its last character, or the sign itself where it begins none. */
function endOfTag(text: string, at: number, lastComment: number): number {
  if (at + 4 <= lastComment && text.startsWith('<!--', at)) return text.indexOf('-->', at + 4) + 2;
  tag.lastIndex = at;
  return tag.test(text) ? tag.lastIndex - 1 : at;
}

const gap = /[ \t]*(?:\n[ \t]*)?/y;
const title = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\((?:[^()\\]|\\[^])*\)/y;
const angled = /<(?:[^<>\n\\]|\\.)*>/y;
const deepest = 32;

/** What stands behind the opening bracket of a link. @returns the target, and where the closing bracket is */
function targetAt(text: string, from: number): { url: string; end: number } | undefined {
  const start = endOf(gap, text, from)!;
  const angle = text[start] === '<' ? endOf(angled, text, start) : undefined;
  if (text[start] === '<' && angle === undefined) return undefined;
  const end = angle ?? endOfBare(text, start);
  if (end === undefined) return undefined;
  const url = angle === undefined ? text.slice(start, end) : text.slice(start + 1, end - 1);
  const behind = endOf(gap, text, end)!;
  if (text[behind] === ')') return { url, end: behind };
  const titleEnd = behind > end ? endOf(title, text, behind) : undefined;
  const close = titleEnd === undefined ? undefined : endOf(gap, text, titleEnd)!;
  return close !== undefined && text[close] === ')' ? { url, end: close } : undefined;
}

/** Undefined where its brackets do not close. */
function endOfBare(text: string, from: number): number | undefined {
  let depth = 0;
  let at = from;
  for (; at < text.length && !/[\s]/.test(text[at]!); at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '(') depth += 1;
    else if (text[at] === ')' && depth > 0) depth -= 1;
    else if (text[at] === ')') return at;
    if (depth > deepest) return undefined;
  }
  return depth === 0 ? Math.min(at, text.length) : undefined;
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
