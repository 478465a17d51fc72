/** What can be seen of code without parsing its language: definitions, blocks, comments, calls. */
import type { Excerpt, Hit } from './evidence.ts';
import { escapePattern, unique } from './words.ts';

const keywords =
  'function\\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|namespace|record|object|protocol|macro_rules!|sub|static';

/** Words of languages, which are no names even where they stand in the place of one: `type as`. */
const reserved =
  /^(?:as|async|await|break|case|catch|class|const|continue|def|default|do|else|enum|export|extends|false|finally|for|from|function|if|implements|import|in|infer|instanceof|interface|is|keyof|let|new|not|null|of|or|pass|return|satisfies|static|super|switch|this|throw|true|try|type|typeof|undefined|var|void|while|with|yield)$/;

/** A pattern for ripgrep: lines that define something whose name matches `name` (a pattern itself). */
export function definitionPattern(name: string): string {
  return `\\b(function|class|interface|type|enum|const|let|def|fn|func|struct)\\*? +${name}`;
}

export type DefinitionKind = 'function' | 'class' | 'type' | 'constant' | 'method';

/** How this line defines `name`, or undefined when it only mentions it. */
export function definitionKind(line: string, name: string): DefinitionKind | undefined {
  if (/^\s*(?:import|export \{|export \*|from|\/\/|\*|#|type [\w$]+,)/.test(line) || reserved.test(name))
    return undefined;
  const n = escapePattern(name);
  const has = (pattern: string): boolean => new RegExp(pattern).test(line);
  if (has(`\\b(?:class|struct|trait|object|protocol|module|namespace)\\s+${n}(?![\\w$])`)) return 'class';
  if (has(`\\b(?:interface|type|enum|record)\\s+${n}(?![\\w$])`)) return 'type';
  if (has(`(?:\\b(?:function\\*?|def|fn|func|sub|macro_rules!)\\s+(?:\\([^)]*\\)\\s*)?)${n}(?![\\w$])`))
    return 'function';
  if (has(`\\b(?:const|let|var|static|final|val)\\s+(?:mut\\s+)?${n}(?![\\w$])`)) {
    return /=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*(?::[^=]+)?=>|=\s*(?:async\s+)?function|=>\s*\{?\s*$/.test(line)
      ? 'function'
      : 'constant';
  }
  const modifiers =
    '(?:(?:public|private|protected|static|async|override|readonly|abstract|get|set|export|inline|virtual)\\s+)*';
  if (has(`^\\s*${modifiers}\\*?${n}\\s*(?:<[^>]*>)?\\([^;]*(?:\\{|:\\s*[^=]+[{;]?)\\s*$`)) return 'method';
  if (has(`^\\s*${modifiers}${n}\\s*[=:]\\s*(?:async\\s*)?(?:function|\\(|\\w+\\s*=>)`)) return 'method';
  return undefined;
}

/** The name that a line defines, for outlines; undefined when it defines nothing. */
export function definedName(line: string): string | undefined {
  const match = new RegExp(
    `^\\s*(?:export\\s+|default\\s+|declare\\s+|pub(?:\\([^)]*\\))?\\s+|async\\s+|abstract\\s+|public\\s+)*(?:${keywords})\\s+(?:\\([^)]*\\)\\s*)?([A-Za-z_$][\\w$]*)`,
  ).exec(line);
  // `type A,` stands in a list of imports and defines nothing.
  const isListed = /^\s*(?:type|static)?\s*[\w$]+(?: as \w+)?\s*,\s*$/.test(line);
  return match === null || isListed || reserved.test(match[1]!) ? undefined : match[1];
}

/** The heading that a line of Markdown is, without its marks. */
export function headingOf(line: string): string | undefined {
  return /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
}

const commentLine = /^\s*(?:\/\/|\/\*|\*|#(?!\[|!|include|define|if|end)|--|"""|''')/;

export function isComment(line: string): boolean {
  return commentLine.test(line);
}

/** Index of the first line of the comment and decorators that stand directly above `index`; `index` when none do. */
export function startOfComment(lines: readonly string[], index: number): number {
  let start = index;
  while (start > 0 && (isComment(lines[start - 1] ?? '') || /^\s*@\w/.test(lines[start - 1] ?? ''))) start -= 1;
  return start;
}

/** The comment above `index` as one paragraph of prose; empty when there is none. */
export function commentAbove(lines: readonly string[], index: number): string {
  const rows = lines.slice(startOfComment(lines, index), index).filter((row) => isComment(row));
  return proseOf(rows);
}

/** The words of comment lines, without marks and tags. */
export function proseOf(rows: readonly string[]): string {
  const words = rows.map((row) =>
    row
      .replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|--|"""|''')\s?/, '')
      .replace(/\*\/\s*$/, '')
      .trim(),
  );
  const own = words.filter((word) => !/^(@ts-|eslint|ts-|prettier|biome|oxlint|istanbul|v8 |c8 )/.test(word));
  const untilTags = own.slice(
    0,
    indexOrEnd(own, (word) => /^@(?!link)\w+/.test(word)),
  );
  const prose = untilTags.filter((word) => word !== '' && !/^[-=*~]{3,}$/.test(word));
  return prose.join(' ').trim();
}

function indexOrEnd<T>(items: readonly T[], test: (item: T) => boolean): number {
  const index = items.findIndex(test);
  return index < 0 ? items.length : index;
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)![0].replaceAll('\t', '  ').length;
}

/** Index after the last line of the block that begins at `index`, by brackets where there are any, else by indentation. */
export function endOfBlock(lines: readonly string[], index: number): number {
  const first = lines[index] ?? '';
  if (/:\s*(#.*)?$/.test(first)) return endOfIndented(lines, index);
  let depth = 0;
  let opened = false;
  for (let i = index; i < lines.length; i += 1) {
    const line = withoutStrings(lines[i]!);
    for (const char of line) {
      if ('{(['.includes(char)) depth += 1;
      if ('})]'.includes(char)) depth -= 1;
      if (char === '{') opened = true;
    }
    // Type parameters over several lines: the only brackets that cannot be counted sign by sign.
    if (/<\s*$/.test(line)) depth += 1;
    if (/^\s*>/.test(line)) depth -= 1;
    if (line.trim() === '') continue;
    if (depth > 0 || /(=>?|[|&(,+?:]|\bextends)\s*$/.test(line)) continue;
    const next = lines[i + 1]?.trim() ?? '';
    if (opened || /[;,]\s*$/.test(line) || next === '' || !/^[?:|&.=]/.test(next)) return i + 1;
  }
  return lines.length;
}

function endOfIndented(lines: readonly string[], index: number): number {
  const base = indentOf(lines[index] ?? '');
  const after = lines.findIndex((line, i) => i > index && line.trim() !== '' && indentOf(line) <= base);
  let end = after < 0 ? lines.length : after;
  while (end > index + 1 && lines[end - 1]?.trim() === '') end -= 1;
  return end;
}

function withoutStrings(line: string): string {
  return line.replaceAll(
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\s]|\\.)+\/[gimsuy]*|\/\*.*?\*\/|\/\/.*$/g,
    '',
  );
}

/** Index of the definition that encloses `index` in these lines: the nearest one above with less indentation. */
export function enclosingDefinition(lines: readonly string[], index: number): number | undefined {
  const own = indentOf(lines[index] ?? '');
  for (let i = index; i >= 0; i -= 1) {
    const line = lines[i]!;
    // A variable within a block is part of it, not what encloses the place.
    if (i === index && own > 0 && /^\s*(?:const|let|var)\b/.test(line) && endOfBlock(lines, i) - i < 3) continue;
    const isOuter = i === index || indentOf(line) < own || (indentOf(line) === 0 && own === 0);
    if (isOuter && definedName(line) !== undefined && endOfBlock(lines, i) > index) return i;
  }
  return undefined;
}

const notCalls = new Set(
  'if for while switch catch return function typeof await new throw super constructor import require print else elif with assert match del not and or in is fn def func String Number Boolean Array Object Error Map Set Promise isArray push slice map filter join includes forEach keys values entries has get set test call apply bind toString expect describe it split trim startsWith endsWith sort replace replaceAll toLowerCase toUpperCase concat find some every reduce indexOf toFixed padStart padEnd match exec at'.split(
    ' ',
  ),
);

/** Names called in these lines, in order of appearance. */
export function callsIn(lines: readonly string[], own: string): string[] {
  const code = lines.filter((line) => !isComment(line)).map((line) => withoutStrings(line));
  const names = code.flatMap((line) =>
    [...line.matchAll(/([A-Za-z_$][\w$]*)\s*(?:<[\w\s,]*>)?\(/g)].map((match) => match[1]!),
  );
  return unique(names).filter((name) => name !== own && name.length > 2 && !notCalls.has(name) && !reserved.test(name));
}

/** The lines that decide what a block does: branches, loops, exits, errors. */
export function turningPoints(excerpt: Excerpt, from: number, to: number): Hit[] {
  const points: Hit[] = [];
  for (let i = from; i < to && i < excerpt.lines.length; i += 1) {
    const text = excerpt.lines[i]!.trim();
    if (isComment(text)) continue;
    if (
      /^(?:\}\s*)?(?:else\s+if|elif|if|for|while|switch|case|match|try|catch|except|return|throw|raise|yield|await|panic!)\b/.test(
        text,
      ) ||
      /\bthrow\b/.test(text)
    ) {
      points.push({ path: excerpt.path, line: excerpt.from + i, text });
    }
  }
  return points;
}
