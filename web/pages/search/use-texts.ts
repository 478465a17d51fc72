/** What was written down and said, searched for the words that are typed; the best match first. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { inBackground } from '../../state/background.ts';
import { useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import type { Find } from './finds.ts';

type Hit = OutputOf<'search'>['hits'][number];

export interface Texts {
  readonly finds: readonly Find[];
  /** They are not all there yet for what is typed. */
  readonly isReading: boolean;
}

/** Those that have a page. */
const kinds = ['artifact', 'meeting', 'commission', 'conversation'] as const;
const most = 7;
/** Fewer letters and digits are in every text. */
const fewest = 3;
/** Nobody reads what comes between two keys. Milliseconds. */
const restMs = 200;

export function useTexts(text: string, onClose: () => void): Texts {
  const typed = text.trim();
  const words = useRested(typed);
  const isEnough = (said: string) => (said.match(/[\p{L}\p{N}]/gu) ?? []).length >= fewest;
  const isAsked = isEnough(words);
  const { data, problem } = useRead('search', { words, kind: [...kinds], limit: most }, { enabled: isAsked });
  const open = useOpen(onClose);
  const several = (data?.searched.projects.length ?? 0) > 1;
  const hits = isAsked && isEnough(typed) ? (data?.hits ?? []) : [];
  return {
    finds: hits.flatMap((hit) => findOf(hit, several, open) ?? []),
    isReading: isEnough(typed) && problem === undefined && (words !== typed || data === undefined),
  };
}

/** What was typed last, once it rests. */
function useRested(typed: string): string {
  const [rested, setRested] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), restMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return rested;
}

function findOf(hit: Hit, several: boolean, open: (hit: Hit) => (() => void) | undefined): Find | undefined {
  const { project, kind, id, path, title, snippet } = hit;
  const run = open(hit);
  if (run === undefined || kind === 'council' || kind === 'gathering') return undefined;
  const detail = several ? `${project} · ${kind}` : kind;
  return { key: `text:${project}:${kind}:${path ?? id}`, kind, title, detail, snippet, run };
}

/** What leads to its page; undefined where it has none. */
function useOpen(onClose: () => void): (hit: Hit) => (() => void) | undefined {
  const navigate = useNavigate();
  const go = (leave: () => Promise<void>) => () => {
    onClose();
    inBackground(leave());
  };
  return ({ project, kind, id, path }) => {
    if (kind === 'artifact' && path !== null) {
      const params = { project, _splat: path };
      return go(() => navigate({ to: '/projects/$project/artifacts/$', params }));
    }
    if (id === null) return undefined;
    const params = { project, id };
    if (kind === 'meeting') return go(() => navigate({ to: '/projects/$project/meetings/$id', params }));
    if (kind === 'commission') return go(() => navigate({ to: '/projects/$project/commissions/$id', params }));
    if (kind === 'session') return go(() => navigate({ to: '/projects/$project/sessions/$id', params, search: {} }));
    return kind === 'conversation' ? go(() => navigate({ to: '/conversations/$id', params: { id } })) : undefined;
  };
}
