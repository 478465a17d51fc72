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
 * may link a file, which are then read properly.
 */
export function mentionsIn(text: string): Set<string> {
  const words = text.match(/[^\s()<>[\]"'`]+\.md/gi) ?? [];
  return new Set(words.map((word) => mentionOf(decoded(word.replaceAll('\\', '')))));
}

/** How `mentionsIn` names a file. */
export function mentionOf(path: string): string {
  return (/[^\s()<>[\]"'`/&;]+$/.exec(path)?.[0] ?? '').toLowerCase();
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
