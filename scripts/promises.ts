/**
 * `npm run promises`: the table by part. `-- proved`: planned ones that a live test already cites.
 * `-- keep <id>…`: marks them (a bare id: its dotted parts too) as kept. `-- count`: puts the README's line right.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countSentence, covers, promisesFile, readCitations, readPromises, withCount } from './checks/promises.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [verb = 'table', ...ids] = process.argv.slice(2);
const verbs: Record<string, () => Promise<void> | void> = {
  table: printTable,
  proved: printProved,
  keep: keepThem,
  count: writeCount,
};
const run = verbs[verb];
if (run === undefined) {
  console.error(`No "${verb}": use one of ${Object.keys(verbs).join(', ')}.`);
  process.exitCode = 2;
} else await run();

function printTable(): void {
  const promises = readPromises(root);
  const parts = [...new Set(promises.map(({ part }) => part))];
  console.log(`${'part'.padEnd(14)}${'kept'.padStart(6)}${'planned'.padStart(9)}${'all'.padStart(6)}`);
  for (const part of parts) {
    const own = promises.filter((promise) => promise.part === part);
    const kept = own.filter(({ status }) => status === 'kept').length;
    const numbers = [String(kept).padStart(6), String(own.length - kept).padStart(9), String(own.length).padStart(6)];
    console.log(`${part.padEnd(14)}${numbers.join('')}`);
  }
  console.log(countSentence(promises));
}

async function printProved(): Promise<void> {
  const citations = await readCitations(root);
  for (const { id, status, promise } of readPromises(root)) {
    const files = citations.filter((citation) => covers(citation.id, id)).map(({ file }) => file);
    if (status === 'planned' && files.length > 0)
      console.log(`${id}: ${promise}\n    ${[...new Set(files)].join(', ')}`);
  }
}

function keepThem(): void {
  const path = join(root, promisesFile);
  const chosen = new Set(
    readPromises(root)
      .filter(({ id }) => ids.some((given) => covers(given, id)))
      .map(({ id }) => id),
  );
  const unknown = ids.filter((given) => ![...chosen].some((id) => covers(given, id)));
  if (ids.length === 0 || unknown.length > 0) {
    console.error(`Give ids of ${promisesFile}${unknown.length > 0 ? `; not in it: ${unknown.join(', ')}` : ''}.`);
    process.exitCode = 2;
    return;
  }
  let id = '';
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => {
      id = /^ *- id: (\S+)/.exec(line)?.[1] ?? id;
      return chosen.has(id) ? line.replace(/^( *status: )planned$/, '$1kept') : line;
    });
  writeFileSync(path, lines.join('\n'));
  writeCount();
}

function writeCount(): void {
  const path = join(root, 'README.md');
  const right = withCount(readFileSync(path, 'utf8'), readPromises(root));
  if (right === undefined) {
    console.error('README.md has no line <!-- promises -->…<!-- /promises -->.');
    process.exitCode = 1;
    return;
  }
  writeFileSync(path, right);
  console.log(countSentence(readPromises(root)));
}
