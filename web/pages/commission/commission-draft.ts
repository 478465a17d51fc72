/** A commission that is being written, or changed: kept in the browser until it is saved. */
import { useState } from 'react';
import { readDraft, writeDraft } from '../../state/drafts.ts';

export interface CommissionDraft {
  readonly worker: string;
  readonly title: string;
  readonly prompt: string;
  readonly depends: readonly string[];
  /** As they stand in their fields; empty: the package's own. */
  readonly maxTurns: string;
  readonly maxBudgetUsd: string;
}

export interface KeptDraft {
  readonly draft: CommissionDraft;
  /** Something was written that is not saved. */
  readonly isChanged: boolean;
  readonly change: (part: Partial<CommissionDraft>) => void;
  readonly forget: () => void;
}

/** @param key of the draft in this browser @param initial what stands there before anything was written */
export function useCommissionDraft(key: string, initial: CommissionDraft): KeptDraft {
  const [held, setHeld] = useState(() => ({ key, changed: readChanges(key) }));
  const changed = held.key === key ? held.changed : readChanges(key);
  const put = (next: Partial<CommissionDraft>) => {
    writeDraft(key, Object.keys(next).length === 0 ? '' : JSON.stringify(next));
    setHeld({ key, changed: next });
  };
  return {
    draft: { ...initial, ...changed },
    isChanged: Object.keys(changed).length > 0,
    change: (part) => put({ ...changed, ...part }),
    forget: () => put({}),
  };
}

/** Only the fields that a draft has, each of its kind: what else somebody keeps there is no draft. */
function readChanges(key: string): Partial<CommissionDraft> {
  let kept: unknown;
  try {
    kept = JSON.parse(readDraft(key) || '{}');
  } catch {
    return {};
  }
  if (typeof kept !== 'object' || kept === null) return {};
  const { depends, ...texts } = kept as Readonly<Record<string, unknown>>;
  const fields = ['worker', 'title', 'prompt', 'maxTurns', 'maxBudgetUsd'] as const;
  return {
    ...Object.fromEntries(fields.flatMap((field) => (typeof texts[field] === 'string' ? [[field, texts[field]]] : []))),
    ...(Array.isArray(depends) && { depends: depends.map(String) }),
  };
}

/** Why it cannot be saved yet; undefined: it can. */
export function whyNotYet({ worker, title, prompt, maxTurns, maxBudgetUsd }: CommissionDraft): string | undefined {
  if (worker === '') return 'Choose a worker';
  if (title.trim() === '') return 'Give it a title';
  if (prompt.trim() === '') return 'Say what is to be there in the end';
  return turnsProblem(maxTurns) ?? budgetProblem(maxBudgetUsd);
}

export function turnsProblem(text: string): string | undefined {
  const turns = Number(text);
  return text.trim() === '' || (Number.isInteger(turns) && turns >= 1 && turns <= 10_000)
    ? undefined
    : 'A whole number from 1 to 10,000, or nothing';
}

export function budgetProblem(text: string): string | undefined {
  const dollars = Number(text);
  return text.trim() === '' || (dollars > 0 && dollars <= 10_000) ? undefined : 'Dollars, like 2.50, or nothing';
}
