/** Where the files of contexts are. */
import { join } from 'node:path';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import type { SessionId } from '../../sessions/contract/words.ts';

/** In the project's folder. */
export const stateFolder = '.conclave/state';
export const registryName = 'meta-contexts.json';
export const specsFolder = '.conclave/specs';

export function registryFile(project: { readonly path: string }): string {
  return join(project.path, stateFolder, registryName);
}

/** Clicks that are being carried out, a file each. */
export function clicksFolder({ home }: Pick<ConfigContext, 'home'>): string {
  return join(home.state, 'clicks');
}

export function clickFile(ctx: Pick<ConfigContext, 'home'>, id: SessionId): string {
  return join(clicksFolder(ctx), `${id}.json`);
}
