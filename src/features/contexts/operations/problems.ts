/** What is wrong with the registry of a project: for the doctor, and so for the inbox. From the files alone. */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { registryFile } from '../store/place.ts';
import { asideOf, readRegistry } from '../store/registry-file.ts';

export interface RegistryProblem {
  readonly found: string;
  /** The next thing to do. */
  readonly hint: string;
}

export async function registryProblems(project: { readonly path: string }): Promise<RegistryProblem[]> {
  try {
    const read = await readRegistry(project);
    const told: RegistryProblem[] = (await asideOf(project)).map((path) => ({
      found: `A registry of contexts could not be read and was kept aside as ${path}; it was made again from the sessions.`,
      hint: 'Take out of it what you miss, then delete it.',
    }));
    // That a folder is not there is told of the project.
    if (read.kind === 'refused' && read.refusal.code !== 'not_found') told.push(asProblem(read.refusal));
    if (read.kind === 'corrupt')
      told.push({
        found: `The registry of contexts ${registryFile(project)} cannot be read: ${read.why}.`,
        hint: 'Mend it, or leave it: the hall keeps it aside and makes it again from the sessions when it looks there next.',
      });
    return told;
  } catch (error) {
    return [asProblem(error)];
  }
}

function asProblem(error: unknown): RegistryProblem {
  const { message, hint } = errorFactsOf(error);
  return { found: message, hint };
}
