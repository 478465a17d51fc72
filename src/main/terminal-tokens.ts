/**
 * Tokens of terminals. The program in a terminal is given one of its own, which opens the operations that are open to
 * agents, at the MCP door and elsewhere, and dies with the terminal.
 */
import type { Admission } from '../interfaces/http/admission.ts';
import { activityIdSchema, projectNameSchema } from '../kernel/pure/ids.ts';

/** What an admission knows of a terminal. */
export interface TerminalBearer {
  /** In which it runs. */
  readonly project: string;
  /** Of the terminal. */
  readonly id: string;
}

/** The terminal that lives now and was given this token; undefined for none. Compares digests. */
export type TerminalOf = (token: string) => TerminalBearer | undefined;

/** Who bears the token of a terminal; undefined for nobody. */
export function admissionOfTerminal(terminalOf: TerminalOf, given: string | undefined): Admission | undefined {
  const terminal = given === undefined ? undefined : terminalOf(given);
  const project = projectNameSchema.safeParse(terminal?.project);
  const id = activityIdSchema.safeParse(terminal?.id);
  if (!project.success || !id.success) return undefined;
  return { caller: { kind: 'agent', activity: { project: project.data, kind: 'terminal', id: id.data } } };
}
