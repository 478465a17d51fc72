/** Whether what the person has set up can work: models with their credentials, workers with what they name. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../../kernel/artifacts/write.ts';
import type { HallConfig } from '../../kernel/projects/config.ts';
import type { HomePaths } from '../../kernel/projects/home.ts';
import type { WorkerCatalogue } from '../../kernel/workers/contract.ts';
import { stewardName } from '../steward/contract.ts';
import type { DoctorCheck } from './contract.ts';

type Model = HallConfig['models'][number];

/** Only what is wrong: one check for each model that cannot be called. */
export async function checkModels(home: HomePaths, { models }: HallConfig): Promise<DoctorCheck[]> {
  const found = models.map(async (model) => [
    checkAddress(home, model),
    model.auth.kind === 'none' || model.auth.secret === undefined
      ? undefined
      : await checkSecret(model, join(home.secrets, model.auth.secret)),
  ]);
  return (await Promise.all(found)).flat().filter((check) => check !== undefined);
}

function checkAddress(home: HomePaths, { name, baseUrl }: Model): DoctorCheck | undefined {
  const { pathname, search, hash } = new URL(baseUrl);
  if (!/\/messages\/*$/.test(pathname) && search === '' && hash === '') return undefined;
  return bad(
    `model ${name}`,
    `Its baseUrl is ${baseUrl}; expected the server's address without what follows it, like https://api.anthropic.com.`,
    `Correct baseUrl of "${name}" in ${home.config}.`,
  );
}

async function checkSecret({ name }: Model, path: string): Promise<DoctorCheck | undefined> {
  const write = `Write the credential into it with an editor, then: chmod 600 '${path}'`;
  const label = `model ${name}`;
  try {
    const facts = await stat(path);
    if (!facts.isFile()) return bad(label, `Its secret is no file: ${path}`, `ls -ld '${path}'`);
    const mode = facts.mode & 0o777;
    if ((mode & 0o077) !== 0) {
      return bad(label, `Its secret can be read by others (mode ${mode.toString(8)}): ${path}`, `chmod 600 '${path}'`);
    }
    const value = (await readFile(path, 'utf8')).trim();
    if (value === '') return bad(label, `Its secret is empty: ${path}`, write);
    return /[\s\p{Cc}]/u.test(value) ? bad(label, `Its secret is more than one word: ${path}`, write) : undefined;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return bad(label, `Its secret is not there: ${path}`, write);
    return bad(label, `Its secret cannot be read: ${(error as Error).message}`, `ls -ld '${path}'`);
  }
}

export function checkWorkers({ workers, toolboxes, problems }: WorkerCatalogue, config: HallConfig): DoctorCheck[] {
  const broken = problems.map(({ file, line, column, message }) =>
    bad('workers', `${file}:${line}:${column}: ${message}`, 'Mend that file, then see: guild-hall worker list'),
  );
  const known = ['rehearsal', ...config.models.flatMap(({ name, modelId }) => [name, modelId])];
  const lacking = [...workers.values()].flatMap((worker) => [
    ...worker.toolboxes
      // One is the hall's own, for that worker alone.
      .filter((name) => !toolboxes.has(name) && !(name === stewardName && worker.name === stewardName))
      .map((name) =>
        bad(
          'workers',
          `The worker "${worker.name}" needs the toolbox "${name}", which is not there.`,
          `Put its package there, or take the name out of ${join(worker.source, 'package.json')}.`,
        ),
      ),
    ...(worker.model === undefined || known.includes(worker.model)
      ? []
      : [unknownModel(worker.name, worker.model, worker.source)]),
  ]);
  const found = [...broken, ...lacking];
  if (found.length > 0) return found;
  return [{ name: 'workers', state: 'good', found: `${workers.size} can be met.`, hint: '' }];
}

/** It works, with another model than was meant. */
function unknownModel(worker: string, model: string, source: string): DoctorCheck {
  return {
    name: 'workers',
    state: 'note',
    found: `The worker "${worker}" names the model "${model}", which is none of \`models\`; the default answers in its place.`,
    hint: `Add it to \`models\` in config.yaml, or correct ${join(source, 'package.json')}.`,
  };
}

function bad(name: string, found: string, hint: string): DoctorCheck {
  return { name, state: 'bad', found, hint };
}
