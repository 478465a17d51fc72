/** Where the files of sessions are. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigContext } from '../../../kernel/projects/config.ts';
import type { ActivityRef, ProjectName } from '../../../kernel/pure/ids.ts';
import { activityIdSchema } from '../../../kernel/pure/ids.ts';
import { sessionKind, type SessionId } from '../contract.ts';
import { sessionIdSchema } from '../contract/words.ts';

type HomeContext = Pick<ConfigContext, 'home'>;

export function sessionsFolder({ home }: HomeContext): string {
  return join(home.state, 'sessions');
}

export function logFile(ctx: HomeContext, id: SessionId): string {
  return join(sessionsFolder(ctx), `${id}.jsonl`);
}

/** Images, and words that are not in the log as they were said. */
export function sessionFolder(ctx: HomeContext, id: SessionId): string {
  return join(sessionsFolder(ctx), id);
}

/** A copy of what the heads and ends of the logs tell, so that a start need not read them. */
export function indexFile(ctx: HomeContext): string {
  return join(sessionsFolder(ctx), 'index.json');
}

/** The agent program's own files of this session. */
export function agentFolder({ home }: HomeContext, project: ProjectName, id: SessionId): string {
  return join(home.state, 'agents', `${project}.${sessionKind}-${id}`);
}

/** All of them, of whatever project. */
export async function agentFolders({
  home,
}: HomeContext): Promise<{ readonly path: string; readonly id: SessionId }[]> {
  const folder = join(home.state, 'agents');
  // Nothing there: no agent was ever begun.
  const names = await readdir(folder).catch(() => []);
  return names.flatMap((name) => {
    const id = sessionIdSchema.safeParse(name.split(`.${sessionKind}-`)[1]);
    return id.success ? [{ path: join(folder, name), id: id.data }] : [];
  });
}

export function activityOf(project: ProjectName, id: SessionId): ActivityRef {
  return { project, kind: sessionKind, id: activityIdSchema.parse(id) };
}
