/** Questions that one well-known pattern answers: errors, settings, open work, definitions of a kind. */
import type { Situation } from '../situation.ts';
import { definedName, isComment } from './code.ts';
import { countsOf, type Hit, hitsOf, kindOfFile } from './evidence.ts';
import { at, bullets, code, codeLine, listed, paragraphs, plural } from './markdown.ts';
import type { Question } from './question.ts';
import { missingPlace, scopeOf } from './scope.ts';
import { grepAllFiles, grepSources, type Step } from './search.ts';
import { unique } from './words.ts';

interface Collection {
  /** Plain patterns, searched one by one. */
  readonly patterns: readonly string[];
  /** What a match is called. */
  readonly thing: string;
  readonly things: string;
}

const errors: Collection = {
  patterns: [
    String.raw`\bthrow\b`,
    String.raw`class \w*(Error|Exception)\b`,
    String.raw`\braise \w|panic!?\(|errors\.New|\breject\(`,
  ],
  thing: 'line that throws, raises or defines an error',
  things: 'lines that throw, raise or define an error',
};
const settings: Collection = {
  patterns: [String.raw`process\.env|import\.meta\.env|Deno\.env`, String.raw`os\.environ|getenv\(|env::var|ENV\[`],
  thing: 'line that reads the environment',
  things: 'lines that read the environment',
};
const openWork: Collection = {
  patterns: [String.raw`\b(TODO|FIXME|HACK|XXX)\b`, '@deprecated'],
  thing: 'note of open work (`TODO`, `FIXME`, `HACK`, `XXX`, `@deprecated`)',
  things: 'notes of open work (`TODO`, `FIXME`, `HACK`, `XXX`, `@deprecated`)',
};

interface Collected {
  readonly hits: readonly Hit[];
  /** A list was cut: there are more than `hits`. */
  readonly isCut: boolean;
}

/** Lines that are listed of one pattern; whether there are more is told. */
const listLimit = 250;

function* collect(
  situation: Situation,
  patterns: readonly string[],
  options: Record<string, unknown>,
): Step<Collected> {
  const calls = yield patterns.map((pattern) => grepSources(pattern, { head_limit: listLimit, ...options }));
  const lists = calls.map((call) => hitsOf(situation, call));
  const isCut = calls.some(
    (call) => (call.result?.text ?? '').split('\n').filter((row) => /:\d+:|^\d+:/.test(row)).length >= listLimit,
  );
  const all = new Map(lists.flat().map((hit) => [`${hit.path}:${hit.line}`, hit]));
  const hits = [...all.values()].toSorted((a, b) => a.path.localeCompare(b.path) || a.line - b.line);
  return { hits, isCut };
}

export function* answerErrors(situation: Situation, question: Question): Step<string> {
  const scope = yield* scopeOf(
    situation,
    question,
    /^(errors?|exceptions?|throws?|thrown|raised?|fails?|wrong|kinds?|types?|possible|reported)$/,
  );
  if (scope.missing !== undefined) return missingPlace(scope.missing);
  const found = yield* collect(situation, errors.patterns, scope.options);
  const hits = found.hits.filter((hit) => kindOfFile(hit.path) === 'source' && !isComment(hit.text));
  const classes = hits.filter((hit) => /class\s+\w*(Error|Exception)\b/.test(hit.text));
  const thrown = hits.filter((hit) => !classes.includes(hit) && scope.accepts(hit));
  const kinds = unique(thrown.flatMap((hit) => /(?:throw new|raise)\s+([\w.$]+)/.exec(hit.text)?.[1] ?? []));
  return paragraphs(
    collectedLead(errors, { hits: thrown, isCut: found.isCut }, scope.says),
    classes.length > 0 && `**Its own kinds of error**\n\n${bullets(classes.slice(0, 8).map(lineOf))}`,
    kinds.length > 0 && `**Thrown kinds:** ${listed(kinds.slice(0, 12).map((kind) => code(kind)))}.`,
    byFile(thrown, 4, 5),
  );
}

export function* answerSettings(situation: Situation): Step<string> {
  const found = yield* collect(situation, settings.patterns, {});
  const hits = found.hits.filter((hit) => kindOfFile(hit.path) === 'source');
  const names = unique(
    hits.flatMap((hit) =>
      [
        ...hit.text.matchAll(
          /(?:env\.|environ(?:\.get)?[[(]["']|env\[["']|getenv\(["']|env::var\(["']|ENV\[["'])([A-Za-z_]\w*)/g,
        ),
      ].map((match) => match[1]!),
    ),
  );
  return paragraphs(
    collectedLead(settings, { hits, isCut: found.isCut }, ''),
    names.length > 0 && `**Variables:** ${listed(names.slice(0, 30).map((name) => code(name)))}.`,
    byFile(hits, 4, 6),
    'Options that come in as arguments or from a file are not among these; ask for them by name.',
  );
}

export function* answerOpenWork(situation: Situation, question: Question): Step<string> {
  const found = yield* collect(situation, openWork.patterns, {
    glob: '!{**/node_modules/**,**/dist/**,**/*.min.*,**/*.lock}',
  });
  const [sizes] = yield [grepAllFiles(situation)];
  const large = [...countsOf(situation, sizes)]
    .filter(([path]) => kindOfFile(path) === 'source')
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 5);
  const asksOpinion = /\b(risks?|improve(ments?)?|debt)\b/i.test(question.text);
  const order = (hit: Hit): number => (/FIXME|HACK|XXX/.test(hit.text) ? 0 : /TODO/.test(hit.text) ? 1 : 2);
  return paragraphs(
    asksOpinion && 'A rehearsal has no judgement. These are facts that often point to work:',
    collectedLead(openWork, found, ''),
    byFile(
      found.hits.toSorted((a, b) => order(a) - order(b)),
      3,
      8,
    ),
    large.length > 0 &&
      `**Longest source files:** ${large.map(([path, lines]) => `\`${path}\` (${lines} lines)`).join(', ')}.`,
  );
}

/** How many there are and where they were sought; what was sought, when there are none. */
function collectedLead(collection: Collection, { hits, isCut }: Collected, where: string): string {
  if (hits.length === 0) {
    const patterns = listed(collection.patterns.map((pattern) => code(pattern)));
    return `I searched the source files${where === '' ? ' of the whole project' : where} (tests, locales and built files left out) for ${collection.things}, by the patterns ${patterns}: no line matches. What is written in another way I do not see.`;
  }
  const files = new Set(hits.map((hit) => hit.path)).size;
  const count = `${isCut ? 'at least ' : ''}${plural(hits.length, collection.thing, collection.things)}`;
  return `I found **${count}**${where}, in ${plural(files, 'file')}${isCut ? ' (the list was cut; name a folder to see all of one)' : ''}.`;
}

function lineOf(hit: Hit): string {
  return `${at(hit)} ${codeLine(hit.text)}`;
}

function byFile(hits: readonly Hit[], each: number, maxFiles: number): string {
  const files = new Map<string, Hit[]>();
  for (const hit of hits) files.set(hit.path, [...(files.get(hit.path) ?? []), hit]);
  const sections = [...files].slice(0, maxFiles).map(([path, own]) => {
    const more = own.length > each ? `\n- … and ${own.length - each} more` : '';
    return `**\`${path}\`** (${own.length})\n\n${bullets(own.slice(0, each).map(lineOf))}${more}`;
  });
  const rest = files.size > maxFiles ? `And in ${plural(files.size - maxFiles, 'more file')}.` : '';
  return paragraphs(...sections, rest);
}

const kinds: readonly (readonly [RegExp, string, string])[] = [
  [/\bclasses\b/i, String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:class|struct)\s+\w+`, 'class'],
  [/\binterfaces\b/i, String.raw`^\s*(?:export\s+)?interface\s+\w+`, 'interface'],
  [/\btypes\b/i, String.raw`^\s*(?:export\s+)?(?:type|interface|enum)\s+\w+.*[={<]`, 'type'],
  [/\benums\b/i, String.raw`^\s*(?:export\s+)?(?:const\s+)?enum\s+\w+`, 'enum'],
  [
    /\b(functions|methods)\b/i,
    String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|def|fn|func)\s+\w+`,
    'function',
  ],
  [
    /\b(routes|endpoints)\b/i,
    String.raw`\.(?:get|post|put|delete|patch|all|route)\(\s*["'\x60]/|@(?:Get|Post|Put|Delete|app\.route)\(`,
    'route',
  ],
  [/\bcommands\b/i, String.raw`\.command\(\s*["'\x60]|add_parser\(|cobra\.Command`, 'command'],
  [/\bconstants\b/i, String.raw`^\s*(?:export\s+)?const\s+[A-Z][A-Z_]+\b`, 'constant'],
  [/\b(exports|modules)\b/i, String.raw`^export\s`, 'export'],
];

export function* answerList(situation: Situation, question: Question): Step<string> {
  const [, pattern, thing] = kinds.find(([form]) => form.test(question.text)) ?? kinds[0]!;
  const scope = yield* scopeOf(
    situation,
    question,
    /^(classes|interfaces|types|enums|functions|methods|routes|endpoints|commands|constants|exports|modules|available|exported|public|defined|there)$/,
  );
  if (scope.missing !== undefined) return missingPlace(scope.missing);
  const found = yield* collect(situation, [pattern], scope.options);
  const all = found.hits.filter((hit) => scope.accepts(hit) && kindOfFile(hit.path) !== 'generated');
  const exported = /\bexport|\bpublic\b/i.test(question.text)
    ? all.filter((hit) => /^\s*(export|pub|public)\b/.test(hit.text))
    : [];
  const hits = exported.length > 0 ? exported : all;
  const many = thing === 'class' ? 'classes' : `${thing}s`;
  if (hits.length === 0)
    return `I searched for ${many}${scope.says === '' ? ' in the source files of the whole project' : scope.says} by the pattern ${code(pattern)}: no line matches.`;
  const files = new Map<string, Hit[]>();
  for (const hit of hits) files.set(hit.path, [...(files.get(hit.path) ?? []), hit]);
  const sections = [...files]
    .toSorted((a, b) => b[1].length - a[1].length)
    .slice(0, 8)
    .map(([path, own]) => {
      const shown = own
        .slice(0, 10)
        .map((hit) => `${code(definedName(hit.text) ?? hit.text.trim().slice(0, 70))} (:${hit.line})`);
      return `**\`${path}:${own[0]!.line}\`** (${own.length}): ${shown.join(', ')}${own.length > 10 ? ', …' : ''}`;
    });
  return paragraphs(
    `I found **${found.isCut ? 'at least ' : ''}${plural(hits.length, thing, many)}**${scope.says}, in ${plural(files.size, 'file')}${found.isCut ? ' (the list was cut)' : ''}.`,
    bullets(sections),
    files.size > 8 && `And in ${plural(files.size - 8, 'more file')}; name a folder or file to see them.`,
  );
}
