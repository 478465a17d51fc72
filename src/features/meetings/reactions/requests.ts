/**
 * Sees meeting requests that arrive as files: written by hand, or by a merge. Listing reads the files anyway; this
 * only announces them.
 */
import { join } from 'node:path';
import { type FolderWatch, watchFolder } from '../../../kernel/artifacts/watch.ts';
import { listProjects, type Project } from '../../../kernel/projects/projects.ts';
import type { MeetingsContext } from '../context.ts';
import { meetingIdSchema, meetingsFolder } from '../contract.ts';
import { readMeeting, readMeetings } from '../store/files.ts';
import { announceRequest } from './live.ts';

/** Watches the meetings of every project, also of those registered later. Resolves when the first watches are in place. */
export async function watchRequests(ctx: MeetingsContext): Promise<{ close(): Promise<void> }> {
  const watches = new Map<string, FolderWatch>();
  let isClosed = false;
  const follow = async (): Promise<void> => {
    const projects = listProjects(ctx);
    const gone = [...watches.keys()].filter((name) => projects.every((project) => project.name !== name));
    for (const name of gone) {
      await watches.get(name)?.close();
      watches.delete(name);
    }
    for (const project of projects) {
      if (watches.has(project.name) || isClosed) continue;
      const watch = await watchProject(ctx, project);
      watches.set(project.name, watch);
      // The hall stopped meanwhile: an open watch would keep its process from ending.
      if (isClosed) await watch.close();
    }
  };
  await follow();
  const changes = ctx.events.subscribe({
    filter: ({ type }) => type === 'project.added' || type === 'project.removed',
  });
  ctx.spawn('watch meeting requests', async (stopping) => {
    stopping.addEventListener('abort', () => changes.close(), { once: true });
    for await (const _ of changes) await follow();
  });
  return {
    close: async () => {
      changes.close();
      isClosed = true;
      await Promise.all([...watches.values()].map((watch) => watch.close()));
    },
  };
}

async function watchProject(ctx: MeetingsContext, project: Project): Promise<FolderWatch> {
  const { meetings } = await readMeetings(project);
  for (const { id, status } of meetings) if (status === 'requested') ctx.announcedRequests.add(`${project.name}/${id}`);
  return watchFolder(
    ctx,
    join(project.integrationWorktree, meetingsFolder),
    (name) => {
      ctx.spawn(`look at ${name}`, () => lookAtFile(ctx, project, name));
    },
    { above: ctx.home.root },
  );
}

async function lookAtFile(ctx: MeetingsContext, project: Project, name: string): Promise<void> {
  const id = meetingIdSchema.safeParse(name.replace(/\.md$/, ''));
  if (!name.endsWith('.md') || !id.success) return;
  const meeting = await readMeeting(project, id.data);
  if (meeting?.status === 'requested') announceRequest(ctx, { project, id: id.data }, meeting);
  else ctx.announcedRequests.delete(`${project.name}/${id.data}`);
}
