/** The words of a question that are worth searching for. */

const stopWords = new Set(
  `a about above actually after again all also although always am an and another any anybody anyone anything are
  as at away be because been before being below best better between both but by can cannot could did do does
  doing don done down during each either else enough even ever every everything explain few find first for found
  from further get give given gives go goes going got had has have having he hello help her here hey hi him his
  how however i if in inside into is isn it its itself just keep kind know last least less let like list little
  look looking made main make makes many may maybe me mean means might more most much must my name named need
  needs never new next no nobody none nor not nothing now of off often ok okay on once one only onto or other
  others our out over own part parts people perhaps place places please possible put quite rather read really
  right said same say says second see seem several shall she should show shows simple since so some somebody
  something somewhere soon still such sure take takes tell than thank thanks that the their them then there
  these they thing things think third this those though three through thus to today together too tour toward try
  two under until up upon us use used uses using very want wants was way ways we well were what whatever when
  where whether which while who whole whom whose why will with within without work working works would write
  wrote yes yet you your yours code codebase project repo repository file files folder directory source sources
  function functions method methods class classes called calls call caller callers happen happens exactly
  defined define definition implemented implementation handled handle handles located live lives kept involved
  difference compare versus vs there's what's it's i'm i'd let's don't doesn't isn't aren't can't won't many
  often describe description overview summary summarize summarise draft mention mentioned detail details
  purpose support supports supported reason reasons important interesting understand learn walk quickly briefly
  short long good bad big small large biggest largest different similar`.split(/\s+/),
);

/** Words that are worth a search only where a question has no better ones. */
const weakWords = new Set(
  'report record question answer artifact artifacts note notes document section example examples line lines start begin step steps decision change break'.split(
    ' ',
  ),
);

/** Search roots of words whose forms differ more than by an ending. */
const roots: Readonly<Record<string, string>> = {
  authentication: 'auth',
  authenticate: 'auth',
  authorization: 'authoriz',
  configuration: 'config',
  configured: 'config',
  configure: 'config',
  initialization: 'init',
  initialize: 'init',
  directories: 'dir',
  environment: 'env',
  parameters: 'param',
  arguments: 'arg',
  dependencies: 'dependenc',
  asynchronous: 'async',
  synchronous: 'sync',
};

/** Groups of words of which one often stands where a question says another. */
const groups: readonly (readonly string[])[] = [
  ['malformed', 'invalid', 'illegal', 'broken', 'cannot be read', 'unexpected', 'corrupt'],
  ['error', 'exception', 'failure', 'problem', 'fault'],
  ['delete', 'remove', 'destroy', 'unlink', 'drop'],
  ['create', 'construct', 'build', 'generate'],
  ['launch', 'start', 'boot', 'startup', 'init'],
  ['shutdown', 'stop', 'close', 'terminate', 'exit'],
  ['print', 'output', 'display', 'render', 'stdout'],
  ['save', 'store', 'persist', 'write'],
  ['load', 'read', 'fetch', 'open'],
  ['login', 'signin', 'auth', 'credential', 'session'],
  ['permission', 'access', 'allow', 'role', 'authoriz'],
  ['settings', 'config', 'option', 'preference'],
  ['validation', 'check', 'verif', 'schema', 'assert'],
  ['convert', 'transform', 'translate', 'encode', 'serialize'],
  ['cache', 'memo', 'store'],
  ['timeout', 'deadline', 'expire', 'abort'],
  ['retry', 'attempt', 'backoff', 'again'],
  ['search', 'find', 'query', 'lookup', 'match'],
  ['amount', 'total', 'sum', 'quantity', 'number'],
  ['send', 'emit', 'publish', 'dispatch', 'post'],
  ['receive', 'listen', 'subscribe', 'handler'],
  ['folder', 'directory', 'path'],
  ['concurrency', 'parallel', 'thread', 'lock', 'mutex', 'race'],
  ['database', 'sql', 'query', 'repository', 'storage'],
  ['logging', 'logger', 'log('],
  ['speed', 'performance', 'fast', 'optimi', 'benchmark'],
  ['cli', 'argv', 'command', 'usage'],
];

/** Roots of other words for this one; empty when none are known. */
export function synonymsOf(word: string): readonly string[] {
  const root = rootOf(word);
  const group = groups.find((words) => words.some((other) => other === word || rootOf(other) === root)) ?? [];
  return group.map((other) => (/^[a-z]+$/.test(other) ? rootOf(other) : other)).filter((other) => other !== root);
}

export interface Terms {
  /** Names as the code would write them, most telling first: quoted, CamelCase, snake_case, dotted. */
  readonly names: readonly string[];
  /** Paths and file names. */
  readonly files: readonly string[];
  /** Ordinary words, in the order of the question. */
  readonly words: readonly string[];
}

const fileName =
  /(?:[\w.@-]+\/)*[\w.@-]*\w\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs?|h|hpp|cpp|swift|scala|sh|sql|md|mdx|json|ya?ml|toml|css|html|vue|svelte|txt)\b/g;
const directory = /(?<![\w:/])(?:[\w.@-]+\/)+[\w.@-]*/g;
const quoted = /`([^`\n]{2,80})`|"([^"\n]{2,80})"|“([^”\n]{2,80})”|(?<!\w)'([^'\n]{2,80})'(?!\w)/g;
const identifier = /[$]?[A-Za-z_][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?/g;

/** Reads the search terms out of what a person wrote. Nothing is guessed: every term is in the text. */
export function readTerms(text: string): Terms {
  const plain = text.replaceAll(/https?:\/\/\S+/g, ' ');
  const files = unique([...(plain.match(fileName) ?? []), ...(plain.match(directory) ?? [])]);
  const names: string[] = [];
  let rest = files.reduce((left, file) => left.replaceAll(file, ' '), plain);
  for (const match of rest.matchAll(quoted)) {
    const inner = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').trim();
    if (inner !== '' && !files.includes(inner)) names.push(inner.replace(/\(.*\)$/, ''));
  }
  rest = rest.replaceAll(quoted, ' ');
  const words: string[] = [];
  for (const match of rest.matchAll(identifier)) {
    const [raw] = match;
    const word = raw.replace(/\(\)$/, '');
    // A capital within a sentence is a name; German nouns and sentence beginnings are searched as one word more.
    const isProper =
      /^[A-Z][a-z]{2,}$/.test(word) &&
      /[a-z,;:]\s+$/.test(rest.slice(0, match.index)) &&
      !stopWords.has(word.toLowerCase());
    if (isProper || isCodeName(word, raw)) names.push(word);
    else if (word.length > 2 && !stopWords.has(word.toLowerCase())) words.push(word.toLowerCase());
  }
  const strong = words.filter((word) => !weakWords.has(word));
  return {
    names: unique(names),
    files,
    words: unique(strong.length + names.length + files.length < 2 ? words : strong),
  };
}

/** True for what no ordinary word looks like: `parseAsync`, `HTTP_PORT`, `z.string`, `compose()`. */
function isCodeName(word: string, raw: string): boolean {
  if (raw.endsWith('()') || word.startsWith('$')) return true;
  if (/^(?:e\.g|i\.e)$/.test(word)) return false;
  return /[a-z][A-Z]|[A-Z]{2,}[a-z]|[A-Za-z]_[A-Za-z]|[A-Za-z]\.[A-Za-z]|^_\w|^[A-Z]{3,}$/.test(word);
}

/** The part of a word that its other forms share, safe in a regular expression: `routes`, `routing` → `rout`. */
export function rootOf(word: string): string {
  const known = roots[word];
  if (known !== undefined) return known;
  const cut = word
    .replace(/(?:ations?|ating|ated)$/, 'at')
    .replace(/(?:ies|ied)$/, '')
    .replace(/(?:ings?|ers?|ors?|ments?|ed|es|s|e)$/, '');
  return cut.length >= 4 ? cut : word.replace(/s$/, '');
}

/** A pattern for the forms of a word in text and in names, not for its letters within another word: `turn`, not `return`. */
export function stemPattern(root: string): string {
  if (!/^[a-z]+$/.test(root)) return escapePattern(root);
  const capital = root.charAt(0).toUpperCase() + root.slice(1);
  return `(\\b|_)${root}|${capital}|(\\b|[_a-z0-9])${root.toUpperCase()}`;
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

export function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
