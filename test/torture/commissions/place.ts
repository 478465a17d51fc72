/** A home with two projects, and the built program on it, whose workers are real or small and fast, by their prompt. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gitIn, makeTortureHome, packageRoot, type TortureHome } from '../parts/hall-process.ts';

export const projectNames = ['alder', 'birch'] as const;
export type ProjectOfPlace = (typeof projectNames)[number];

export interface Place extends TortureHome {
  readonly repos: Readonly<Record<ProjectOfPlace, string>>;
  /** The person's commit of each project, before anything was done. */
  readonly mains: Readonly<Record<ProjectOfPlace, string>>;
  /** The built program. */
  readonly program: string;
  /** One line a start of a worker's process: `<token> <pid>`. */
  readonly starts: string;
  readonly scenario: string;
}

const files = {
  'README.md': '# Tally\n\nCounts words in files.\n',
  'src/count.ts':
    'export function countWords(text: string): number {\n  return text.split(/\\s+/).filter(Boolean).length;\n}\n',
};

/** Silence after which a worker counts as hung; short, because one of each round hangs. Seconds. */
export const heartbeatSeconds = 10;

export async function makePlace(): Promise<Place> {
  const first = makeTortureHome(files, writeFileSync);
  const second = join(first.root, 'repository-2');
  gitIn(first.root, 'clone', '--quiet', first.repo, second);
  gitIn(second, 'config', 'user.name', 'Torture');
  gitIn(second, 'config', 'user.email', 'torture@example.invalid');
  gitIn(second, 'remote', 'remove', 'origin');
  const starts = join(first.root, 'starts');
  const scenario = join(first.root, 'scenario.yaml');
  writeFileSync(starts, '');
  writeFileSync(scenario, '[]\n');
  mkdirSync(first.home, { recursive: true, mode: 0o700 });
  const config = [
    'commissions:',
    '  perProject: 3',
    '  global: 5',
    `  heartbeatSeconds: ${heartbeatSeconds}`,
    '  graceSeconds: 2',
    'rehearsal:',
    `  scenario: ${scenario}`,
    '',
  ].join('\n');
  writeFileSync(join(first.home, 'config.yaml'), config);
  const repos = { alder: first.repo, birch: second };
  const mains = { alder: gitIn(first.repo, 'rev-parse', 'main'), birch: gitIn(second, 'rev-parse', 'main') };
  return { ...first, repos, mains, program: await buildInto(starts), starts, scenario };
}

/** Built for this run alone: a build that somebody makes meanwhile changes nothing. */
async function buildInto(starts: string): Promise<string> {
  const cache = join(packageRoot, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'guild-hall-torture-'));
  const { buildProgram } = (await import(pathToFileURL(join(packageRoot, 'scripts/build.mjs')).href)) as {
    buildProgram: (outdir: string) => Promise<void>;
  };
  await buildProgram(folder);
  renameSync(join(folder, 'run-commission.js'), join(folder, 'real-commission.js'));
  writeFileSync(join(folder, 'run-commission.js'), crossing(starts));
  return join(folder, 'cli.js');
}

/** What the hall starts as a worker: notes that it was started, then is the real one, or the small one where its prompt is a list of steps. */
function crossing(starts: string): string {
  const small = pathToFileURL(join(packageRoot, 'test/fixtures/fake-worker.mjs')).href;
  return `import { appendFileSync, readFileSync } from 'node:fs';
const order = JSON.parse(readFileSync(process.argv[2] + '/order.json', 'utf8'));
appendFileSync(${JSON.stringify(starts)}, order.token + ' ' + process.pid + '\\n');
await import(order.prompt.startsWith('[[') ? ${JSON.stringify(small)} : './real-commission.js');
`;
}

/** @param isKept for a look, when something was found */
export function removePlace(place: Place, isKept: boolean): void {
  rmSync(join(place.program, '..'), { recursive: true, force: true });
  if (!isKept) rmSync(place.root, { recursive: true, force: true });
}

/** What the rehearsal plays in the real worker of each round: work that takes some seconds, with a file and a result. */
export function writeScenario(place: Place, word: string, path: string): void {
  const entry = `- match: ${word}
  activity: commission
  do:
    - call: { tool: report_progress, input: { summary: Began with ${word} } }
    - wait: 700
    - call: { tool: write_artifact, input: { path: ${path}, content: "# Made of ${word}\\n" } }
    - wait: 700
    - call: { tool: submit_result, input: { summary: Made of ${word}, artifacts: [${path}] } }
    - wait: 300
    - say: The result is handed over.
`;
  writeFileSync(place.scenario, entry);
}
