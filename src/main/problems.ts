/** A problem of a file in one line. */
import type { Problem } from '../kernel/artifacts/parse.ts';

/** `<file>:<line>:<column>: <message>`, which editors can follow. */
export function printProblem({ file, line, column, message }: Problem): string {
  return `${file}:${line}:${column}: ${message}`;
}
