/**
 * Runs once around all tests, in vitest's own process, whose home is the person's real one. The run fails when a test
 * touched it. The person's own hall and agents may be at work there meanwhile, so only what they leave alone is
 * compared: settings and registered things of the hall, and agent records that name a temporary folder.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Taken before the tests; gives a function that compares and throws, which vitest calls at the end. */
export function setup(): () => void {
  const home = homedir();
  const before = describeRealHome(home);
  return () => {
    const after = describeRealHome(home);
    const touched = [...new Set([...before, ...after])].filter((line) => before.has(line) !== after.has(line));
    if (touched.length === 0) return;
    process.exitCode = 1;
    throw new Error(
      `Tests touched the real home. Each must use the HOME that test/help/setup.ts gives it:\n${touched.join('\n')}`,
    );
  };
}

/** One line for each thing in the real home that no test may make, change or remove. */
export function describeRealHome(home: string): Set<string> {
  const hall = join(home, '.guild-hall');
  const claude = join(home, '.claude');
  const temporary = [tmpdir(), process.env['UNIT_TMPDIR'] ?? tmpdir()].map((path) =>
    path.replaceAll(/[^a-zA-Z0-9]/g, '-'),
  );
  const stable = ['config.yaml', 'token'].map((name) => join(hall, name)).filter((path) => existsSync(path));
  const named = ['projects', 'packages'].flatMap((folder) => listFolder(join(hall, folder)));
  const sessions = listFolder(join(claude, 'projects')).filter((path) =>
    temporary.some((each) => path.includes(`/projects/${each}-`)),
  );
  return new Set([
    ...[hall, claude].map((path) => `${path} ${existsSync(path) ? 'is there' : 'is not there'}`),
    ...stable.map((path) => `${path} changed ${statSync(path).mtime.toISOString()}`),
    ...named,
    ...sessions.map((path) => `${path} changed ${statSync(path).mtime.toISOString()}`),
  ]);
}

const listFolder = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
