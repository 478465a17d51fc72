/**
 * The check of a turn before it lands: its statements, each with a verdict. See `README.md` in this folder for what is a
 * claim and what is not.
 */
import type { Claim } from '../contract.ts';
import type { Evidence } from './evidence.ts';
import { type Source, spansIn } from './inline.ts';
import { isAlike, type SourceWords, sourceWords } from './likeness.ts';
import { type JudgedStatement, readStatements } from './statements.ts';

export type { Evidence } from './evidence.ts';

/** What a turn is held for: claims with neither a source that is there nor `[inference]`. */
export const offenders = (claims: readonly Claim[]): Claim[] => claims.filter(({ verdict }) => verdict === 'unflagged');

/** No honest turn names so many. What is beyond counts as not there. */
const maxSources = 1000;
const maxTexts = 100;

/**
 * Statements of fact and the others, in their order. Code blocks, headings and the names of columns have none.
 * `citations` names the sources that are there, and no others.
 */
export async function checkStatements(body: string, evidence: Evidence): Promise<Claim[]> {
  const looking: Looking = { evidence, states: new Map(), texts: new Map() };
  const covered = await coveredSources(looking, evidence.covered ?? []);
  const claims: Claim[] = [];
  for (const statement of await readStatements(body)) claims.push(await judge(looking, statement, covered));
  return claims;
}

interface Looking {
  readonly evidence: Evidence;
  readonly states: Map<string, Promise<boolean>>;
  readonly texts: Map<string, Promise<SourceWords | undefined>>;
}

async function judge(looking: Looking, statement: JudgedStatement, covered: readonly Source[]): Promise<Claim> {
  const own = await thoseThere(looking, statement.sources);
  const isCovered = own.length === 0 && !statement.isMarked && statement.isListed && statement.isClaim;
  const sources = isCovered ? covered : own;
  const { line, text } = statement;
  const claim = { line, text: text.slice(0, maxText), citations: [...new Set(sources.map(printSource))] };
  if (sources.length > 0) {
    const isFound = !statement.isClaim || (await standsInOne(looking, text, sources));
    return { ...claim, verdict: isFound ? 'cited' : 'not-found' };
  }
  if (statement.isMarked) return { ...claim, verdict: 'inference' };
  return { ...claim, verdict: statement.isClaim ? 'unflagged' : 'opinion' };
}

/** Of a statement so much is kept. Characters. */
const maxText = 1000;

const printSource = ({ target, line }: Source): string => (line === undefined ? target : `${target}:${line}`);

async function coveredSources(looking: Looking, covered: readonly string[]): Promise<Source[]> {
  const named = covered.slice(0, maxSources).flatMap((entry) => spansIn(entry)[0]?.source ?? []);
  return await thoseThere(looking, named);
}

async function thoseThere(looking: Looking, sources: readonly Source[]): Promise<Source[]> {
  const there: Source[] = [];
  for (const source of sources) if (await isThere(looking, source)) there.push(source);
  return there;
}

async function isThere({ evidence, states }: Looking, source: Source): Promise<boolean> {
  const key = printSource(source);
  const known = states.get(key);
  if (known) return await known;
  if (states.size >= maxSources) return false;
  const asked = askFor(evidence, source);
  states.set(key, asked);
  return await asked;
}

async function askFor(evidence: Evidence, { kind, target, line }: Source): Promise<boolean> {
  if (kind === 'memory') return await evidence.memoryExists(target);
  if (kind === 'path') return (await evidence.pathState(target, line)) === 'there';
  const page = target.replace(/#.*$/su, '');
  return [target, page, page.replace(/\/$/u, ''), `${page}/`].some((address) => evidence.isFetched(address));
}

/** What has no text to look into (a page, a picture) is believed; a folder says nothing by itself. */
async function standsInOne(looking: Looking, text: string, sources: readonly Source[]): Promise<boolean> {
  const said = withoutSources(text);
  for (const source of sources) {
    if (source.kind === 'address') return true;
    const words = await wordsOf(looking, source.target);
    if (words === undefined ? source.kind === 'memory' || isFile(source.target) : isAlike(said, words, source.line))
      return true;
  }
  return false;
}

const isFile = (path: string): boolean => /\.[^./]+$/u.test(path);

function withoutSources(text: string): string {
  let said = '';
  let at = 0;
  for (const { from, to, source } of spansIn(text)) {
    said += text.slice(at, source ? from : to);
    at = to;
  }
  return said + text.slice(at);
}

async function wordsOf({ evidence, texts }: Looking, path: string): Promise<SourceWords | undefined> {
  const known = texts.get(path);
  if (known) return await known;
  if (texts.size >= maxTexts) return undefined;
  const read = evidence.textOf(path).then((text) => (text === undefined ? undefined : sourceWords(path, text)));
  texts.set(path, read);
  return await read;
}
