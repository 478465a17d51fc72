/** Names as the code writes them: where they are defined, and where they are mentioned. */
import type { Situation, SituationCall } from '../situation.ts';
import { definitionKind, type DefinitionKind, definitionPattern } from './code.ts';
import { countsOf, type Hit, hitsOf, kindOfFile, totalsOf } from './evidence.ts';
import type { ToolRequest } from './script.ts';
import { grep, grepCount, grepSources, type Step, versionOf } from './search.ts';
import { escapePattern } from './words.ts';

export interface Definition extends Hit {
  readonly kind: DefinitionKind;
}

export interface NameFinding {
  readonly name: string;
  /** Best first. */
  readonly definitions: readonly Definition[];
  /** Lines in sources (not tests) that mention it without defining it. */
  readonly uses: readonly Hit[];
  readonly perFile: ReadonlyMap<string, number>;
  readonly lines: number;
  readonly files: number;
  /** It was found only with letters in another case. */
  readonly otherCase: boolean;
}

/** Lines with a name that are listed; its counts are of all. */
export const mentionLimit = 120;

function wordPattern(name: string): string {
  const start = /^\w/.test(name) ? '\\b' : '';
  const end = /\w$/.test(name) ? '\\b' : '';
  return start + escapePattern(name) + end;
}

/** Looks up names as the code writes them, all at once; those not found again without regard to case. */
export function* lookUpNames(situation: Situation, names: readonly string[]): Step<NameFinding[]> {
  if (names.length === 0) return [];
  const first = yield names.flatMap((name) => nameCalls(name, false));
  const found = names.map((name, i) => readName(situation, name, first.slice(i * 3, i * 3 + 3), false));
  const missing = found.filter((finding) => finding.lines === 0).map((finding) => finding.name);
  if (missing.length === 0) return found;
  const again = yield missing.flatMap((name) => nameCalls(name, true));
  return found.map((finding) => {
    const i = missing.indexOf(finding.name);
    return i < 0 ? finding : readName(situation, finding.name, again.slice(i * 3, i * 3 + 3), true);
  });
}

function nameCalls(name: string, ignoreCase: boolean): ToolRequest[] {
  const last = name.split('.').at(-1) ?? name;
  const options = ignoreCase ? { '-i': true } : {};
  const definition = /^[\w$]+$/.test(last) ? `${definitionPattern(escapePattern(last))}\\b` : wordPattern(name);
  return [
    grep(definition, { head_limit: 40, ...options }),
    grepSources(wordPattern(name), { head_limit: mentionLimit, ...options }),
    grepCount(wordPattern(name), options),
  ];
}

function readName(
  situation: Situation,
  name: string,
  calls: readonly SituationCall[],
  ignoreCase: boolean,
): NameFinding {
  const [definitions, mentions, counts] = calls;
  const last = name.split('.').at(-1) ?? name;
  const rows = uniqueHits([...hitsOf(situation, definitions), ...hitsOf(situation, mentions)]);
  const asWritten = (text: string): string =>
    ignoreCase ? (new RegExp(escapePattern(last), 'i').exec(text)?.[0] ?? last) : last;
  const defined = rows.flatMap((hit): Definition[] => {
    const kind = definitionKind(hit.text, asWritten(hit.text));
    return kind === undefined || kindOfFile(hit.path) === 'docs' ? [] : [{ ...hit, kind }];
  });
  const isDefinition = new Set(defined.map((hit) => `${hit.path}:${hit.line}`));
  const perFile = countsOf(situation, counts);
  const totals = totalsOf(situation, counts);
  return {
    name: ignoreCase && defined[0] !== undefined ? asWritten(defined[0].text) : name,
    definitions: defined.toSorted((a, b) => scoreDefinition(b) - scoreDefinition(a)),
    uses: hitsOf(situation, mentions).filter((hit) => !isDefinition.has(`${hit.path}:${hit.line}`)),
    perFile,
    lines: totals?.matches ?? [...perFile.values()].reduce((sum, count) => sum + count, 0),
    files: totals?.files ?? perFile.size,
    otherCase: ignoreCase,
  };
}

function uniqueHits(hits: readonly Hit[]): Hit[] {
  return [...new Map(hits.map((hit) => [`${hit.path}:${hit.line}`, hit])).values()];
}

const kindScores: Readonly<Record<DefinitionKind, number>> = { function: 5, class: 5, type: 3, method: 2, constant: 3 };

function scoreDefinition(hit: Definition): number {
  const file = kindOfFile(hit.path);
  const place = file === 'source' ? 6 : file === 'generated' ? -8 : 0;
  const exported = /^\s*(export|pub|public)\b/.test(hit.text) ? 3 : 0;
  const old = /(^|\/)(v\d+|legacy|deprecated|old)\//.test(hit.path) ? versionOf(hit.path) - 2 : 0;
  const indent = /^\s/.test(hit.text) ? -2 : 0;
  const bodiless = hit.kind === 'function' && /;\s*$/.test(hit.text) ? -4 : 0;
  return place + exported + old + indent + bodiless + kindScores[hit.kind] - hit.path.split('/').length / 10;
}
