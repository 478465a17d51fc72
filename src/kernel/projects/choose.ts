/** Which project is meant where it may be left unsaid. */
import { fail } from '../pure/errors.ts';
import type { ConfigContext } from './config.ts';
import { listProjects, type Project, requireProject } from './projects.ts';

/**
 * The project that was named, else the only one there is.
 * @throws HallError `not_found` for an unknown name or no project at all; `invalid` when it has to be said which
 */
export function chooseProject(ctx: ConfigContext, name: string | undefined): Project {
  if (name !== undefined) return requireProject(ctx, name);
  const [only, ...others] = listProjects(ctx);
  if (only === undefined) {
    throw fail(
      'not_found',
      'No project is registered yet.',
      'Register one: guild-hall project add <path>, or try: guild-hall project sample',
    );
  }
  if (others.length === 0) return only;
  const choices = [only, ...others].map((project) => project.name);
  throw fail('invalid', `It is not said which project is meant: ${choices.join(', ')}.`, 'Name one: --project <name>', {
    field: 'project',
    choices,
  });
}
