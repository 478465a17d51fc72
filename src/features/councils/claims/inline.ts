/** What stands within a line of Markdown besides words: code, addresses, paths, links. From left to right, each sign once. */

export interface Source {
  readonly kind: 'path' | 'address' | 'memory';
  /** Without the line. */
  readonly target: string;
  /** From 1; undefined where none is given. */
  readonly line: number | undefined;
}

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly source: Source | undefined;
  /** Of code that reads like words: those words are said all the same. */
  readonly isProse: boolean;
}

/** In their order, without overlap. What is a path is decided by its form alone; whether it is there, the caller asks. */
export function spansIn(text: string): Span[] {
  const spans: Span[] = [];
  const closings = closingTicks(text);
  for (let at = 0; at < text.length;) {
    const span = text[at] === '`' ? codeAt(text, at, closings) : wordAt(text, at);
    if (span?.kept) spans.push(span.kept);
    at = span?.to ?? at + 1;
  }
  return spans;
}

interface Found {
  readonly kept: Span | undefined;
  /** Where to go on. */
  readonly to: number;
}

/** Of each run of ticks that opens code: where its closing run begins. */
function closingTicks(text: string): ReadonlyMap<number, number> {
  const runs = [...text.matchAll(/`+/gu)].map(({ 0: run, index }) => ({ index, length: run.length }));
  const nextOfLength = new Map<number, number>();
  const closings = new Map<number, number>();
  for (const { index, length } of runs.toReversed()) {
    const next = nextOfLength.get(length);
    if (next !== undefined) closings.set(index, next);
    nextOfLength.set(length, index);
  }
  return closings;
}

function codeAt(text: string, at: number, closings: ReadonlyMap<number, number>): Found {
  let end = at;
  while (text[end] === '`') end += 1;
  const close = closings.get(at);
  if (close === undefined) return { kept: undefined, to: end };
  const inside = text.slice(end, close).trim();
  const isProse = readsLikeWords(inside);
  const kept = { from: at, to: close + (end - at), source: isProse ? undefined : sourceOf(inside, true), isProse };
  return { kept, to: kept.to };
}

const codeSigns = /[{}()[\];=<>$|&\\]|(?:^|\s)-/u;
const readsLikeWords = (code: string): boolean =>
  code.length > 15 && code.split(/\s+/u).length >= 4 && !codeSigns.test(code);

const inWord = /[\p{L}\p{N}_@.~+\-/:#%?=&*$!,;]/u;
const mayBegin = /[\p{L}\p{N}_@.~/]/u;

/** One run of signs as they stand in paths and addresses. */
function wordAt(text: string, at: number): Found | undefined {
  if (!mayBegin.test(text[at]!)) return undefined;
  let end = at + 1;
  const isAddress = /^(?:https?:\/\/|www\.)/iu.test(text.slice(at, at + 8));
  while (end < text.length && (isAddress ? /[^\s<>"`]/u.test(text[end]!) : inWord.test(text[end]!))) end += 1;
  const run = trimmed(text.slice(at, end));
  const source = sourceOf(run, false);
  const kept = source && { from: at, to: at + run.length, source, isProse: false };
  return { kept, to: kept ? Math.max(kept.to, at + 1) : end };
}

/** Without what ends a sentence or a bracket, as far as it was not begun within. */
function trimmed(run: string): string {
  let end = run.length;
  let open = run.split('(').length - run.split(')').length;
  for (; end > 0; end -= 1) {
    const sign = run[end - 1]!;
    if (sign === ')' && open < 0) open += 1;
    else if (!/[.,;:!?'"*_\]}\\…=&]/u.test(sign)) break;
  }
  return run.slice(0, end);
}

const knownExtensions =
  /\.(?:[cm]?[jt]sx?|json[5cl]?|ya?ml|toml|mdx?|rst|txt|adoc|py|rb|go|rs|java|kts?|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|bats|fish|ps1|sql|csv|tsv|html?|s?css|less|vue|svelte|xml|ini|cfg|conf|env|lock|proto|graphql|tf|gradle|ipynb|lua|ex|exs|erl|hs|ml|scala|clj|dart|r|pl|svg|png|jpe?g|gif|webp|pdf|log|patch|diff|snap|feature|gd|nix|sol|wasm|properties)$/iu;
const roots =
  /^(?:\.{1,2}\/|\.\w|(?:src|docs?|lib|tests?|scripts|bin|web|app|apps|packages|plugins|workers|examples|bench|specs?|cmd|internal|pkg|public|config|tools|server|client|api|db|migrations|fixtures|assets|include|crates|modules|services|components)\/)/u;
/** Well-known names without a folder or an extension. */
const bareNames =
  /^(?:README|LICENSE|CHANGELOG|CONTRIBUTING|Makefile|Dockerfile|Gemfile|Rakefile|Procfile|CODEOWNERS|Jenkinsfile)$/u;
const pathForm = /^[\p{L}\p{N}_@.~+\-/()[\]$ ]+$/u;

/** @param isCode whether it stands between ticks, where also a bare folder is meant as one */
export function sourceOf(word: string, isCode: boolean): Source | undefined {
  if (/^https?:\/\/[^\s/.]/iu.test(word)) return { kind: 'address', target: word, line: undefined };
  if (/^www\.[^\s/.]+\./iu.test(word)) return { kind: 'address', target: `https://${word}`, line: undefined };
  if (word.length > 400) return undefined;
  const [, path, line] = /^(.*?)(?:(?::|#L)(\d{1,7})(?:[-:]L?\d{1,7})?)?$/u.exec(word) ?? [];
  if (path === undefined || !pathForm.test(path) || path.startsWith('_memory/')) return undefined;
  const clean = path.replace(/^(?:\.\/)+/u, '');
  if (clean.split('/').includes('..') || clean.startsWith('/') || clean.startsWith('~')) return undefined;
  if (/^\.gaia\/memory\/./u.test(clean)) return { kind: 'memory', target: clean, line: toLine(line) };
  if (!isPath(path, clean, isCode)) return undefined;
  return { kind: 'path', target: clean, line: toLine(line) };
}

const toLine = (line: string | undefined): number | undefined => (line === undefined ? undefined : Number(line));

function isPath(path: string, clean: string, isCode: boolean): boolean {
  if (clean.includes(' ') && !isCode) return false;
  if (bareNames.test(clean) || /^\.[a-z][\w.-]{2,}$/iu.test(clean)) return true;
  const hasFolder = clean.replace(/\/$/u, '').includes('/') || (clean.endsWith('/') && clean.length > 1);
  if (!hasFolder) return knownExtensions.test(clean) && !/^(?:node|vue|next|express|three|d3|chart)\.js$/iu.test(clean);
  return /\.[a-z][\w]{0,9}$/iu.test(clean) || roots.test(path) || clean.endsWith('/') || isCode;
}
