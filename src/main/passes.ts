/**
 * Passes: what the process of an attempt shows at the hall's door for its own tools. A pass names the attempt and is
 * signed with the hall's token, so that nothing has to be kept; it counts only while that attempt runs.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { stewardName } from '../features/steward/contract.ts';
import type { Admission } from '../interfaces/http/admission.ts';
import { activityIdSchema, projectNameSchema, workerNameSchema } from '../kernel/pure/ids.ts';
import type { AttemptRef, HallFeature } from './feature.ts';

/** Neither ids nor names have a dot. */
const passPattern = /^(attempt\.([a-z0-9-]+)\.([a-z]+)\.([A-Za-z0-9_-]+)\.(\d{1,6}))\.([A-Za-z0-9_-]{43})$/;

/** @param token the hall's own */
export function printPass(token: string, { project, kind, id, attempt }: AttemptRef): string {
  const words = `attempt.${project}.${kind}.${id}.${attempt}`;
  return `${words}.${signatureOf(token, words)}`;
}

/** Who bears the pass; undefined where it is none of this hall, or its attempt does not run. */
export function admissionOfPass(
  features: readonly HallFeature[],
  token: string,
  given: string | undefined,
): Admission | undefined {
  const [, words, project, kind, id, number, signature] = passPattern.exec(given ?? '') ?? [];
  if (words === undefined || !isSame(signature!, signatureOf(token, words))) return undefined;
  const attempt: AttemptRef = { project: project!, kind: kind!, id: id!, attempt: Number(number) };
  const feature = features.find(({ activityKind }) => activityKind === kind);
  if (feature?.isUnderWay?.(attempt) !== true) return undefined;
  const activity = { project: projectNameSchema.parse(project), kind: kind!, id: activityIdSchema.parse(id) };
  return { caller: { kind: 'agent', activity, worker: workerNameSchema.parse(stewardName) } };
}

function signatureOf(token: string, words: string): string {
  return createHmac('sha256', token).update(`guild-hall pass ${words}`).digest('base64url');
}

function isSame(given: string, right: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
