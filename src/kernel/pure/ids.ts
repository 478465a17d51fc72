/**
 * Ids. Each kind of id is a type of its own, so that the hall's, the agent SDK's, ACP's and tmux's ids can
 * never stand for one another. Every id that the hall makes is safe as a file name, a branch part and a URL part.
 */
import { z } from 'zod';

/** Longest id the hall makes or takes. Leaves room for `claude/<kind>/` in a ref and for `.md` in a file name. */
export const maxIdLength = 100;

const idPattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** A schema for ids of one kind: lower-case letters, digits and single hyphens; nothing a path could be made of. */
export function idSchema<Kind extends string>(kind: Kind) {
  return z
    .string()
    .max(maxIdLength, `a ${kind} has at most ${maxIdLength} characters`)
    .regex(idPattern, `a ${kind} has only lower-case letters, digits and hyphens, like researcher-20260214-093000-k3f9`)
    .brand<Kind>();
}

export const projectNameSchema = idSchema('project name');
export type ProjectName = z.infer<typeof projectNameSchema>;

export const workerNameSchema = idSchema('worker name');
export type WorkerName = z.infer<typeof workerNameSchema>;

/**
 * Id of an activity (whatever feature it belongs to) as the hall knows it: the name of its record's file without
 * `.md`. People and workers name such files by hand, so capitals and underscores are taken here as well.
 */
export const activityIdSchema = z
  .string()
  .max(maxIdLength, `an activity id has at most ${maxIdLength} characters`)
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/,
    'an activity id has only letters, digits, hyphens and underscores, like researcher-20260214-093000-k3f9',
  )
  .brand<'activity id'>();
export type ActivityId = z.infer<typeof activityIdSchema>;

/** The id under which an agent's own program keeps a session. Opaque; never shown as an address, never made into a path. */
export const agentSessionIdSchema = z.string().min(1).max(200).brand<'AgentSessionId'>();
export type AgentSessionId = z.infer<typeof agentSessionIdSchema>;

/** One browser that was let in. Shown in lists, so it is no secret. */
export const signInIdSchema = idSchema('sign-in');
export type SignInId = z.infer<typeof signInIdSchema>;

/** Which activity something is done for. `kind` is the feature's word for it; the kernel gives it no meaning. */
export interface ActivityRef {
  readonly project: ProjectName;
  readonly kind: string;
  readonly id: ActivityId;
}

/** One word for an activity, for file names and logs: `<kind>-<id>`. */
export function activityKey(ref: Pick<ActivityRef, 'kind' | 'id'>): string {
  return `${ref.kind}-${ref.id}`;
}

/**
 * Composes an id that is unique within one second: what it is about, when (UTC, to the second), and a random tail.
 * @param stem any text; made safe and cut to 40 characters
 * @param isoTime ISO 8601 in UTC
 * @param random at least four characters of [a-z0-9], fresh for each id
 */
export function composeId(stem: string, isoTime: string, random: string): string {
  const time = isoTime.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${slugOf(stem) || 'item'}-${time}-${random}`;
}

/** A lower-case, hyphenated form of any text; empty when nothing of it can be kept. At most `max` characters. */
export function slugOf(text: string, max = 40): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, max)
    .replace(/-+$/, '');
}
