/** How much script the first page loads. What is needed later (highlighting, dialogs) is loaded later, and not counted. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Check } from './step.ts';

/** One entry of Vite's manifest. */
interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

interface Weight {
  readonly file: string;
  /** Bytes, gzip at its best. */
  readonly bytes: number;
}

const kilobyte = 1000;
const most = 300 * kilobyte;

/** What the page at `/app/` asks for before it is drawn: the entry, and the Hall page. */
const firstPage = 'pages/hall/hall-page.tsx';

export const budgetCheck: Check = {
  name: 'budget',
  holds: `the Hall page loads at most ${most / kilobyte} kB of script (gzip) at first`,
  find: async (root) => {
    if (!existsSync(manifestOf(root))) return ['dist/web is not there: the web app is not built', 'Run: npm run build'];
    const weights = weigh(root);
    const sum = sumOf(weights);
    if (sum <= most) return [];
    return [
      `The Hall page loads ${sayKilobytes(sum)} of script (gzip); at most ${sayKilobytes(most)} are allowed. The largest:`,
      ...weights.slice(0, 10).map(({ file, bytes }) => `${sayKilobytes(bytes).padStart(9)}  ${file}`),
      'Load what the first page does not show with import(), or do without it.',
    ];
  },
  figure: async (root) => `${sayKilobytes(sumOf(weigh(root)))} of ${sayKilobytes(most)}`,
};

const manifestOf = (root: string): string => join(root, 'dist/web/.vite/manifest.json');

/** Every script of the first page, the largest first. */
function weigh(root: string): Weight[] {
  const manifest = JSON.parse(readFileSync(manifestOf(root), 'utf8')) as Readonly<Record<string, Chunk>>;
  const entries = Object.keys(manifest).filter((key) => manifest[key]!.isEntry === true || key === firstPage);
  if (!entries.includes(firstPage)) throw new Error(`${firstPage} is not in the manifest; is it still the first page?`);
  const files = [...withImports(manifest, entries)].map((key) => manifest[key]!.file);
  return files
    .filter((file) => file.endsWith('.js'))
    .map((file) => ({ file, bytes: gzipSync(readFileSync(join(root, 'dist/web', file)), { level: 9 }).length }))
    .sort((a, b) => b.bytes - a.bytes);
}

/** The chunks, and those that they import before they run. */
function withImports(manifest: Readonly<Record<string, Chunk>>, entries: readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...entries];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    waiting.push(...(manifest[key]!.imports ?? []));
  }
  return found;
}

const sumOf = (weights: readonly Weight[]): number => weights.reduce((sum, { bytes }) => sum + bytes, 0);

const sayKilobytes = (bytes: number): string => `${(bytes / kilobyte).toFixed(1)} kB`;
