/**
 * Search over 100,000 messages (30 MB) and 10,000 artifacts, beside a plain scan of the same files (`rg`, else `grep`).
 *
 *   npx tsx bench/search.ts [seed]
 *
 * Prints a table, then JSON. `extra memory`: what the process holds more than before the first question.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askSearch, closeSearch, createSearchThread } from '../src/kernel/artifacts/search/ask.ts';
import { parseQuery } from '../src/kernel/artifacts/search/query.ts';
import type { Found } from '../src/kernel/artifacts/search/shapes.ts';
import { createBackground } from '../src/kernel/background/background.ts';
import { systemClock } from '../src/kernel/clock/clock.ts';
import { silentLog } from '../src/kernel/log/log.ts';
import { searchProgram } from '../src/main/search.ts';
import { shelvesOf } from '../src/main/search-shelves.ts';

const seed = Number(process.argv[2] ?? 7);
let state = seed;
const random = (): number => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};

/** Words as often as they stand in this repository's own pages, and now and then one that hardly ever does. */
const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.md'));
const words = pages.flatMap((path) => readFileSync(join('docs', path), 'utf8').match(/[\p{L}\p{N}'-]+/gu) ?? []);
const wordAt = (): string =>
  random() < 0.02 ? `ticket${Math.floor(random() ** 2 * 60_000)}` : words[Math.floor(random() * words.length)]!;
const textOf = (length: number): string => {
  let text = '';
  while (text.length < length) text += `${wordAt()} `;
  return text.trim();
};

const root = mkdtempSync(join(tmpdir(), 'gh-bench-search-'));
const home = { root, state: join(root, 'state') };
const project = { name: 'big' as never, integrationWorktree: join(root, 'projects/big') };
const talks = new Map<string, string>();
for (let talk = 0; talk < 200; talk += 1) {
  const id = `talk-${talk}`;
  talks.set(id, `Talk ${talk}`);
  mkdirSync(join(home.state, 'conversations', id), { recursive: true });
  const lines = Array.from({ length: 500 }, (_each, n) => {
    const text =
      talk === 57 && n === 123 ? 'The Zürich ledger disagrees with the marmalade.' : textOf(200 + random() * 200);
    const at = new Date(1.76e12 + talk * 4e7 + n * 6e4).toISOString();
    return `${JSON.stringify({ did: 'said', message: { id: `m${n}`, number: n, from: 1, text, at } })}\n`;
  });
  writeFileSync(join(home.state, 'conversations', id, 'messages.jsonl'), lines.join(''));
}
const withArtifacts = (count: number): void => {
  for (let n = 0; n < count; n += 1) {
    const folder = join(project.integrationWorktree, '.lore', `area-${n % 100}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${n}.md`), `---\ntitle: ${textOf(30)}\n---\n\n${textOf(600)}\n`);
  }
};

const background = createBackground(silentLog);
const ctx = { clock: systemClock, spawn: background.spawn };
let thread = createSearchThread(searchProgram);
const ask = async (question: string): Promise<Found> =>
  await askSearch(ctx, thread, {
    home: join(home.state, 'search'),
    projects: [{ name: project.name, shelves: shelvesOf(home, project, talks) }],
    terms: parseQuery(question),
    kinds: [],
    limit: 10,
    readBytes: Number.MAX_SAFE_INTEGER,
    nowMs: systemClock.nowMs(),
  });
const timed = async (work: () => unknown): Promise<number> => {
  const began = systemClock.monotonicMs();
  await work();
  return systemClock.monotonicMs() - began;
};
const rss = (): number => process.memoryUsage().rss / 2 ** 20;

const [scanner, flags] = spawnSync('rg', ['--version']).error === undefined ? ['rg', ['-ic']] : ['grep', ['-ric']];
const plainScan = (question: string): void => {
  const patterns = question
    .replaceAll('"', '')
    .split(' ')
    .flatMap((word) => ['-e', word]);
  spawnSync(scanner, [...flags, ...patterns, join(home.state, 'conversations')], { maxBuffer: 1e8 });
};

const rounds = 15;
const middle = (times: readonly number[], part: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(part * (times.length - 1))]!;
const rows: object[] = [];
const measure = async (what: string, questions: readonly string[]): Promise<void> => {
  for (const question of questions) {
    const own: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      own.push(await timed(async () => await ask(question)));
      plain.push(await timed(() => plainScan(question)));
    }
    const { total } = await ask(question);
    const row = {
      what,
      question: question.slice(0, 44),
      'median ms': middle(own, 0.5).toFixed(1),
      'p95 ms': middle(own, 0.95).toFixed(1),
      [`${scanner} median ms`]: middle(plain, 0.5).toFixed(1),
      'of it': (middle(own, 0.5) / middle(plain, 0.5)).toFixed(2),
      sources: total,
    };
    rows.push(row);
  }
};

const questions = [
  'marmalade',
  'zürich ledger',
  '"ledger disagrees"',
  'ticket4711',
  'council',
  'worktree branch',
  'which commission touched the merge conflict',
  'nowhereatall',
];
try {
  const bytes = Number(
    execFileSync('du', ['-sb', join(home.state, 'conversations')], { encoding: 'utf8' }).split('\t')[0],
  );
  // What the bundler of this run holds is no part of the search.
  await searchProgram();
  const before = rss();
  const build = await timed(async () => await ask(''));
  const built = rss() - before;
  await closeSearch(thread);
  thread = createSearchThread(searchProgram);
  const idle = rss();
  const first = await timed(async () => await ask('marmalade'));
  await measure('messages', questions);
  const extra = rss() - idle;
  withArtifacts(10_000);
  await ask('');
  await measure('and 10,000 artifacts', questions.slice(0, 6));
  console.table(rows);
  const facts = {
    seed,
    'bytes of messages': bytes,
    'read anew, ms': Math.round(build),
    'first question of a thread, ms': Math.round(first),
    'extra memory, MB': Math.round(extra),
    'extra memory while reading anew, MB': Math.round(built),
    scanner,
  };
  console.table([facts]);
  console.log(JSON.stringify({ facts, rows }));
} finally {
  await closeSearch(thread);
  await background.stop(1_000);
  rmSync(root, { recursive: true, force: true });
}
