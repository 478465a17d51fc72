/** Where the program git is: looked for once, and not by the system at every call, folder of `PATH` after folder. */
import { findProgram } from '../processes/find-program.ts';

const name = 'git';

let known: { readonly path: string | undefined; readonly file: string } | undefined;

/** Its whole path; the bare name where it was not found, which the call then tells. */
export async function gitProgram(): Promise<string> {
  const path = process.env['PATH'];
  if (known === undefined || known.path !== path) {
    known = { path, file: (await findProgram(name, { cwd: '/', path })) ?? name };
  }
  return known.file;
}

/** It is not where it was: an upgrade may have put it elsewhere. */
export function forgetProgram(): void {
  known = undefined;
}
