/** The registry's file as text: what the hall knows of it, and what it carries along without knowing it. Pure. */
import { z } from 'zod';
import { maxMetaContextName, type MetaContext, metaContextIdSchema } from '../contract.ts';

/** A context with the fields that the hall does not know. */
export interface RegistryEntry extends MetaContext {
  readonly rest: Readonly<Record<string, unknown>>;
}

export interface RegistryDocument {
  readonly entries: readonly RegistryEntry[];
  readonly rest: Readonly<Record<string, unknown>>;
}

export const emptyDocument: RegistryDocument = { entries: [], rest: {} };

const entrySchema = z.object({
  id: metaContextIdSchema,
  name: z
    .string()
    .max(maxMetaContextName)
    .refine((name) => name.trim() !== '', 'is blank'),
  sessionIds: z.array(z.string().min(1).max(200)),
});
const documentSchema = z.object({ contexts: z.array(entrySchema) });

/** @returns why it cannot be understood, in words */
export function parseDocument(text: string): RegistryDocument | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'it is no JSON';
  }
  const checked = documentSchema.safeParse(value);
  if (!checked.success) {
    const issue = checked.error.issues[0]!;
    return `${issue.path.join('.') || 'its content'}: ${issue.message}`;
  }
  const { contexts, ...rest } = value as { contexts: (MetaContext & Record<string, unknown>)[] };
  const entries = contexts.map(({ id, name, sessionIds, ...others }) => ({
    id,
    name: name.trim(),
    sessionIds: [...new Set(sessionIds)],
    rest: others,
  }));
  for (const word of ['id', 'name'] as const) {
    const seen = new Set<string>();
    for (const entry of entries) {
      if (seen.has(entry[word])) return `the ${word} ${JSON.stringify(entry[word])} is given twice`;
      seen.add(entry[word]);
    }
  }
  return { entries, rest };
}

export function printDocument({ entries, rest }: RegistryDocument): string {
  const contexts = entries.map(({ rest: others, ...known }) => ({ ...others, ...known }));
  return `${JSON.stringify({ ...rest, contexts }, null, 2)}\n`;
}
