/** Questions that one well-known pattern answers: errors, settings, open work, definitions of a kind. */
import type { Situation } from '../situation.ts';
import { definedName, isComment } from './code.ts';
import { type Hit, hitsOf, kindOfFile } from './evidence.ts';
import { at, bullets, code, codeLine, listed, paragraphs, plural } from './markdown.ts';
import type { Question } from './question.ts';
import { lookUpNames } from './names.ts';
import { grep, grepCount, grepSources, type Step } from './search.ts';
import { rootOf, unique } from './words.ts';

interface Collection {
  readonly pattern: string;
  /** What a match is called. */
  readonly thing: string;
  readonly things: string;
}

const errors: Collection = {
  pattern: String.raw`\bthrow\b|\braise\s+\w|\bpanic!?\(|errors\.New\(|fmt\.Errorf|\breject\(|class\s+\w*(?:Error|Exception)\b`,
  thing: 'line that throws, raises or defines an error',
  things: 'lines that throw, raise or define an error',
};
const settings: Collection = {
  pattern: String.raw`process\.env\b|import\.meta\.env|Deno\.env|os\.environ|os\.getenv|\bgetenv\(|env::var|ENV\[|System\.getenv`,
  thing: 'line that reads the environment',
  things: 'lines that read the environment',
};
const openWork: Collection = {
  pattern: String.raw`\b(?:TODO|FIXME|HACK|XXX)\b|@deprecated`,
  thing: 'note of open work (`TODO`, `FIXME`, `HACK`, `XXX`, `@deprecated`)',
  things: 'notes of open work (`TODO`, `FIXME`, `HACK`, `XXX`, `@deprecated`)',
};

export function* answerErrors(situation: Situation, question: Question): Step<string> {
  const scope = yield* scopeOf(
    situation,
    question,
    /^(errors?|exceptions?|throws?|thrown|raised?|fails?|wrong|kinds?|types?|possible|reported)$/,
  );
  const [call] = yield [grepSources(errors.pattern, { head_limit: 150, ...scope.options })];
  const hits = hitsOf(situation, call).filter((hit) => kindOfFile(hit.path) === 'source' && !isComment(hit.text));
  const classes = hits.filter((hit) => /class\s+\w*(Error|Exception)\b/.test(hit.text));
  const thrown = hits.filter((hit) => !classes.includes(hit) && scope.accepts(hit));
  const kinds = unique(thrown.flatMap((hit) => /(?:throw new|raise)\s+([\w.$]+)/.exec(hit.text)?.[1] ?? []));
  return paragraphs(
    collectedLead(errors, thrown, scope.says),
    classes.length > 0 && `**Its own kinds of error**\n\n${bullets(classes.slice(0, 8).map(lineOf))}`,
    kinds.length > 0 && `**Thrown kinds:** ${listed(kinds.slice(0, 12).map((kind) => code(kind)))}.`,
    byFile(thrown, 4, 5),
  );
}

export function* answerSettings(situation: Situation): Step<string> {
  const [call] = yield [grepSources(settings.pattern, { head_limit: 150 })];
  const hits = hitsOf(situation, call).filter((hit) => kindOfFile(hit.path) === 'source');
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
    collectedLead(settings, hits, ''),
    names.length > 0 && `**Variables:** ${listed(names.slice(0, 30).map((name) => code(name)))}.`,
    byFile(hits, 4, 6),
    'Options that come in as arguments or from a file are not among these; ask for them by name.',
  );
}

export function* answerOpenWork(situation: Situation, question: Question): Step<string> {
  const [notes, sizes] = yield [
    grep(openWork.pattern, { head_limit: 120, glob: '!{**/node_modules/**,**/dist/**,**/*.min.*,**/*.lock}' }),
    grepCount(''),
  ];
  const hits = hitsOf(situation, notes);
  const large = (sizes?.result?.text ?? '')
    .split('\n')
    .flatMap((row): [string, number][] => {
      const match = /^(.+):(\d+)$/.exec(row);
      return match === null || kindOfFile(match[1]!) !== 'source' ? [] : [[match[1]!, Number(match[2])]];
    })
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 5);
  const asksOpinion = /\b(risks?|improve(ments?)?|debt)\b/i.test(question.text);
  const order = (hit: Hit): number => (/FIXME|HACK|XXX/.test(hit.text) ? 0 : /TODO/.test(hit.text) ? 1 : 2);
  return paragraphs(
    asksOpinion && 'A rehearsal has no judgement. These are facts that often point to work:',
    collectedLead(openWork, hits, ''),
    byFile(
      hits.toSorted((a, b) => order(a) - order(b)),
      3,
      8,
    ),
    large.length > 0 &&
      `**Longest source files:** ${large.map(([path, lines]) => `\`${path}\` (${lines} lines)`).join(', ')}.`,
  );
}

interface Scope {
  readonly options: Record<string, unknown>;
  readonly says: string;
  accepts(hit: Hit): boolean;
}

/** What part of the project is meant: the file or folder named, the file that defines a name, or paths and lines with a word. */
function* scopeOf(situation: Situation, question: Question, notScope: RegExp): Step<Scope> {
  const { files, names, words } = question.terms;
  if (files[0] !== undefined) {
    const glob = files[0].endsWith('/') ? `**/${files[0]}**` : `**/${files[0].replace(/^\.?\//, '')}`;
    return { options: { glob }, says: ` in \`${files[0]}\``, accepts: () => true };
  }
  const own = names.filter((name) => !notScope.test(name));
  const [finding] = yield* lookUpNames(situation, own.slice(0, 1));
  const home = finding?.definitions[0];
  if (home !== undefined)
    return {
      options: { path: home.path },
      says: ` in \`${home.path}\`, where \`${finding!.name}\` is defined`,
      accepts: () => true,
    };
  const word = words.find((candidate) => !notScope.test(candidate));
  if (word === undefined) return { options: {}, says: '', accepts: () => true };
  const root = rootOf(word);
  return {
    options: {},
    says: ` that have to do with *${word}* by path or text`,
    accepts: (hit) => `${hit.path} ${hit.text}`.toLowerCase().includes(root),
  };
}

function collectedLead(collection: Collection, hits: readonly Hit[], where: string): string {
  if (hits.length === 0)
    return `I searched the sources for ${collection.things}${where} and found none. (The pattern was ${code(collection.pattern)}.)`;
  const files = new Set(hits.map((hit) => hit.path)).size;
  return `I found **${plural(hits.length, collection.thing, collection.things)}**${where}, in ${plural(files, 'file')}.`;
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
  const [call] = yield [grepSources(pattern, { head_limit: 200, ...scope.options })];
  const all = hitsOf(situation, call).filter((hit) => scope.accepts(hit) && kindOfFile(hit.path) !== 'generated');
  const exported = /\bexport|\bpublic\b/i.test(question.text)
    ? all.filter((hit) => /^\s*(export|pub|public)\b/.test(hit.text))
    : [];
  const hits = exported.length > 0 ? exported : all;
  const many = thing === 'class' ? 'classes' : `${thing}s`;
  if (hits.length === 0) return `I searched for ${many}${scope.says} (pattern ${code(pattern)}) and found none.`;
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
    `I found **${plural(hits.length, thing, many)}**${hits.length >= 200 ? ' (the search stops at 200)' : ''}${scope.says}, in ${plural(files.size, 'file')}.`,
    bullets(sections),
    files.size > 8 && `And in ${plural(files.size - 8, 'more file')}; name a folder or file to see them.`,
  );
}
