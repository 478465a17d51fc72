/** Workers by the name that they bear in headers, `identity.name`: whom a person invites by it. */
import type { WorkerCatalogue, WorkerPackage } from './contract.ts';

/** The names of all workers at hand, those by invitation among them, as they write them; each once, in the catalogue's order. */
export function listIdentities({ workers }: Pick<WorkerCatalogue, 'workers'>): string[] {
  return [...new Set([...workers.values()].map(({ identity }) => identity.name))];
}

/**
 * @param given what a person typed
 * @returns by the exact name first, then by the package's, then by either without regard to case; undefined for nobody
 */
export function findByIdentity(
  { workers }: Pick<WorkerCatalogue, 'workers'>,
  given: string,
): WorkerPackage | undefined {
  const all = [...workers.values()];
  const lower = given.toLowerCase();
  return (
    all.find(({ identity }) => identity.name === given) ??
    all.find(({ name }) => name === given) ??
    all.find(({ identity, name }) => identity.name.toLowerCase() === lower || name.toLowerCase() === lower)
  );
}
