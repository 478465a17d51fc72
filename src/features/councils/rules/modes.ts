/** The modes of councils: what the registry `knowledge/modes.yaml` says, and how one is found in it. Pure. */
import { fail } from '../../../kernel/pure/errors.ts';

export interface Mode {
  readonly name: string;
  readonly aliases: readonly string[];
  /** In the order in which they join. */
  readonly defaultInvitees: readonly string[];
  /** What the closing artifact leans to: `decision-record`, … One a mode. */
  readonly bias: string;
  /** File beside the registry. */
  readonly templateRef: string;
}

export const defaultMode = 'decide';

/** Exact, case included; names go before aliases. */
export function findMode(modes: readonly Mode[], given: string): Mode | undefined {
  return modes.find(({ name }) => name === given) ?? modes.find(({ aliases }) => aliases.includes(given));
}

/**
 * What the registry's YAML holds, as values.
 * @throws internal: the registry ships with the program
 */
export function parseModes(value: unknown): Mode[] {
  const listed = (value as { readonly modes?: unknown } | null)?.modes;
  if (!Array.isArray(listed)) throw broken('has no list `modes`');
  return listed.map((entry: unknown) => {
    const fields = (entry ?? {}) as Readonly<Record<string, unknown>>;
    return {
      name: textOf(fields, 'name'),
      aliases: namesOf(fields, 'aliases'),
      defaultInvitees: namesOf(fields, 'default_invitees'),
      bias: textOf(fields, 'closing_artifact_bias'),
      templateRef: textOf(fields, 'notes_template_ref'),
    };
  });
}

function textOf(fields: Readonly<Record<string, unknown>>, key: string): string {
  const value = fields[key];
  if (typeof value !== 'string' || value === '') throw broken(`has a mode without \`${key}\``);
  return value;
}

function namesOf(fields: Readonly<Record<string, unknown>>, key: string): string[] {
  const value = fields[key] ?? [];
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string')) {
    throw broken(`has a \`${key}\` that is no list of names`);
  }
  return value;
}

function broken(what: string): Error {
  return fail('internal', `The registry of council modes ${what}.`, 'Install Guild Hall again.');
}
