/** Councils as a person holds them from scripts: the built program, a hall of its own, the rehearsal with a scenario. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CouncilView } from '../../src/features/councils/contract.ts';
import { freshHome, type Home, type Ran, runProgram, type Up } from './programs.ts';
import { type FileContent, makeRepository, type TestRepository } from './repositories.ts';

export interface CouncilHome extends Home {
  readonly repository: TestRepository;
  /** The checkout of the integration branch. */
  readonly worktree: string;
  /** A command of `council`, in the repository. */
  readonly council: (...words: string[]) => Promise<Ran>;
  /** The same with something on standard input. */
  readonly councilWith: (input: string, ...words: string[]) => Promise<Ran>;
  readonly show: (id: string) => Promise<CouncilView>;
}

const parser = 'export function parse(text: string): string[] {\n  return text.split(",");\n}\n';

/** @param scenario YAML of what agents say; a charter of its own keeps the cases apart */
export async function councilHome(
  scenario: string,
  files: Readonly<Record<string, FileContent>> = {},
): Promise<CouncilHome> {
  const home = await freshHome();
  mkdirSync(home.path, { mode: 0o700 });
  writeFileSync(join(home.path, 'scenario.yaml'), scenario);
  writeFileSync(join(home.path, 'config.yaml'), `rehearsal:\n  scenario: ${home.path}/scenario.yaml\n`);
  await home.json<Up>('up', '--detach', '--port', '0');
  const repository = await makeRepository({ files: { 'src/parser.ts': parser, 'README.md': '# Shop\n', ...files } });
  await home.json('project', 'add', repository.path, '--name', 'shop');
  const council = async (...words: string[]): Promise<Ran> =>
    await runProgram(home.env, repository.path, ['council', ...words], '');
  return {
    ...home,
    repository,
    worktree: join(home.path, 'projects', 'shop'),
    council,
    councilWith: async (input, ...words) => await runProgram(home.env, repository.path, ['council', ...words], input),
    show: async (id) => await home.json<CouncilView>('council', 'show', id),
  };
}

/** The id that `council run` says first. */
export function idOf({ out, err }: Ran): string {
  const id = /^council (\S+)$/m.exec(out)?.[1];
  if (id === undefined) throw new Error(`no council: ${out}${err}`);
  return id;
}

/** Header lines, in order. */
export function headersOf(text: string): string[] {
  return text.split('\n').filter((line) => line.startsWith('[round '));
}

/** The values of a header line. */
export function parseHeader(line: string) {
  const form =
    /^\[round (\d+) \/ turn (\d+) \/ (.+) \((.+)\) \/ per-turn-cost (\d+) tokens \/ running-total (\d+) tokens\]$/;
  const [, round, turn, speaker = '', role = '', cost, total] = form.exec(line) ?? [];
  return { round: Number(round), turn: Number(turn), speaker, role, cost: Number(cost), total: Number(total) };
}

/** Every file below, relative, in order; nothing where there is no folder. */
export function filesBelow(folder: string, under = ''): string[] {
  try {
    return readdirSync(join(folder, under), { withFileTypes: true })
      .flatMap((entry) =>
        entry.isDirectory()
          ? filesBelow(folder, join(under, entry.name))
          : entry.isFile()
            ? [join(under, entry.name)]
            : [],
      )
      .toSorted();
  } catch {
    // There is none.
    return [];
  }
}

export function readAll(folder: string): string {
  return filesBelow(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
}
