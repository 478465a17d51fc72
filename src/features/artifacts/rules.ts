/** What is decided of artifacts from values alone: which file a link names, line ends, whose commit one is. */

/** True for what this feature reads and writes: Markdown below `.lore/`. */
export function isArtifactPath(path: string): boolean {
  return path.startsWith('.lore/') && /[^/]\.md$/i.test(path);
}

/**
 * The artifact that a link in the text of `from` names; undefined for what names none: another place, another kind of
 * file, or something that climbs out of the project. `.lore/…` and `/…` are taken from the project's root.
 */
export function artifactOfLink(from: string, target: string): string | undefined {
  const bare = decoded(target.trim().replace(/[#?].*$/s, ''));
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(bare)) return undefined;
  const isFromRoot = bare.startsWith('/') || bare.startsWith('.lore/');
  return artifactAt(isFromRoot ? bare : `${from.slice(0, from.lastIndexOf('/'))}/${bare}`);
}

/** The same for an entry of the frontmatter, which is taken from the project's root unless it begins with a dot part. */
export function artifactOfField(from: string, value: string): string | undefined {
  const bare = value.trim();
  if (/^\.\.?\//.test(bare)) return artifactAt(`${from.slice(0, from.lastIndexOf('/'))}/${bare}`);
  return artifactAt(bare);
}

/** The path in its one form, when it is an artifact's. */
function artifactAt(path: string): string | undefined {
  if (path.includes('\\') || path.includes('\0')) return undefined;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  const whole = parts.join('/');
  return isArtifactPath(whole) ? whole : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins no code stands for itself.
    return text;
  }
}

/**
 * What a text holds of names of Markdown files, in a form that is short and never misses one: for finding texts that
 * may link a file, which are then read properly. Of a text with more of them than anybody writes, the first ones.
 */
export function mentionsIn(text: string): Set<string> {
  const found = new Set<string>();
  const lower = text.slice(0, maxLinkedText).toLowerCase();
  for (let at = lower.indexOf('.md'); at !== -1 && found.size < maxMentions; at = lower.indexOf('.md', at + 1)) {
    if (!isEndOfName(lower, at + 3)) continue;
    // By hand, and no further than the name that ends there: so no letter is looked at twice, whatever the text is.
    let start = at;
    while (start > 0 && at - start < longestName && !isBound(lower, start - 1)) start -= 1;
    const word = `${lower.slice(start, at).replaceAll('\\', '')}.md`;
    found.add(mentionOf(word)).add(mentionOf(decoded(word)));
  }
  return found;
}

/** What stands behind so many characters is not looked through for links. */
const maxLinkedText = 400_000;
/** Of a file, in its encoded form. UTF-16 units. */
const longestName = 800;
const maxMentions = 10_000;

/** What no name of a file in a link goes on over, or nothing of what is before it is needed. */
const bound = /[\s()<>[\]"'`/&;#?]/;

function isBound(text: string, at: number): boolean {
  return bound.test(text.charAt(at));
}

/** True where the target of a link may end, or what is behind a name in it begins. */
function isEndOfName(text: string, at: number): boolean {
  return at >= text.length || isBound(text, text[at] === '\\' ? at + 1 : at);
}

/** How `mentionsIn` names a file. */
export function mentionOf(path: string): string {
  let start = path.length;
  while (start > 0 && !isBound(path, start - 1)) start -= 1;
  return path.slice(start).toLowerCase();
}

/** A longer paragraph is read in pieces of several lines; of one line no more than that is read. UTF-16 units. */
const maxPiece = 1000;
const maxLine = 4000;
/** Quotes in quotes and lists in lists beyond this are no writing of a person. */
const deepMarks = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>]|$)){17}/;
const fenceStart = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})(.*)$/;

/**
 * The text in pieces that can be read each by itself: paragraphs, without what stands between code fences. What is
 * indented under a list is moved to the left, so that it does not look like code.
 */
export function* paragraphsOf(body: string): Generator<string> {
  let fence: string | undefined;
  let isInList = false;
  let piece: string[] = [];
  let length = 0;
  for (const line of body.slice(0, maxLinkedText).split(/\r?\n/)) {
    const [, mark = '', rest = ''] = fenceStart.exec(line) ?? [];
    const closes = fence !== undefined && mark.startsWith(fence) && rest.trim() === '';
    const opens = fence === undefined && mark !== '' && !(mark.startsWith('`') && rest.includes('`'));
    const isOut = fence === undefined && !opens && line.trim() !== '' && !deepMarks.test(line);
    if (opens) fence = mark;
    else if (closes) fence = undefined;
    if (!isOut || length + line.length > maxPiece) {
      if (piece.length > 0) yield piece.join('\n');
      [piece, length] = [[], 0];
    }
    if (!isOut) continue;
    const isItem = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);
    isInList = isItem || (isInList && /^[ \t]/.test(line));
    piece.push((isInList ? line.trimStart() : line).slice(0, maxLine));
    length += line.length + 1;
  }
  if (piece.length > 0) yield piece.join('\n');
}

/** True unless there is surely no link to a Markdown file in it. */
export function mayHoldLinks(paragraph: string): boolean {
  return /\]\(|\]:/.test(paragraph) && /\.md/i.test(paragraph);
}

/**
 * `given` with the line ends of the text that it replaces. A page's text field knows line feeds only; without this an
 * edit of one line would change every line of a file that has others.
 */
export function keepLineEnds(present: string, given: string): string {
  if (given.includes('\r') || !present.includes('\r\n')) return given;
  const old = linesOf(present);
  const lines = linesOf(given);
  const most = Math.min(old.length, lines.length);
  let start = 0;
  while (start < most && bare(old[start]!) === bare(lines[start]!)) start += 1;
  let end = 0;
  while (end < most - start && bare(old.at(-1 - end)!) === bare(lines.at(-1 - end)!)) end += 1;
  const crlf = old.filter((line) => line.endsWith('\r\n')).length;
  const usual = crlf * 2 >= old.filter((line) => line.endsWith('\n')).length ? '\r\n' : '\n';
  const middle = lines.slice(start, lines.length - end).map((line) => line.replace(/\n$/, usual));
  return [...old.slice(0, start), ...middle, ...old.slice(old.length - end)].join('');
}

/** Each with its end; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function bare(line: string): string {
  return line.replace(/\r?\n$/, '\n');
}

/** The activity of a `Guild-Hall:` trailer: `<kind> <id>`. */
export function activityOfTrailer(
  trailer: string | null,
  kinds: readonly string[],
): { kind: string; id: string } | null {
  const [, kind = '', id = ''] = /^([a-z]+) ([A-Za-z0-9_-]{1,100})$/.exec(trailer ?? '') ?? [];
  return kinds.includes(kind) ? { kind, id } : null;
}
