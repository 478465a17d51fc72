/** What an agent asks of the person, and what came of it, in words. Pure. */
import type { PermissionPart } from '../../../../src/features/sessions/contract.ts';

const answers = {
  allow_once: 'you allowed it',
  allow_always: 'you allowed it from now on',
  reject_once: 'you refused it',
  reject_always: 'you refused it from now on',
} as const;

/** Of one that is settled: `you allowed it`. */
export function sayAnswer({ outcome, options }: PermissionPart): string {
  if (outcome === null) return 'waits for your answer';
  if (outcome === 'cancelled') return 'not answered';
  const option = options.find(({ id }) => id === outcome.optionId);
  return option === undefined ? 'answered' : answers[option.kind];
}

/** The person said no: that its call came to nothing is no failure. */
export function isRefused(part: PermissionPart | undefined): boolean {
  const { outcome = null, options = [] } = part ?? {};
  if (outcome === null || outcome === 'cancelled') return false;
  return options.some(({ id, kind }) => id === outcome.optionId && kind.startsWith('reject'));
}

export type PermissionOption = PermissionPart['options'][number];

/** What allows once stands first, what is for good behind what is for now: in the order of their weight. */
export function inOrder(options: readonly PermissionOption[]): readonly PermissionOption[] {
  const weight = ['allow_once', 'reject_once', 'allow_always', 'reject_always'];
  return options.toSorted((one, other) => weight.indexOf(one.kind) - weight.indexOf(other.kind));
}
