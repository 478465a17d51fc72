/** An edit that is not written yet, with the revision that it began with. It outlives a reload. */
import { readDraft, useDraft } from '../../state/drafts.ts';

export interface Held {
  readonly raw: string;
  readonly baseRevision: string;
}

export interface ArtifactDraft {
  /** Null: nobody edits. */
  readonly held: Held | null;
  readonly begin: (raw: string, baseRevision: string) => void;
  readonly change: (held: Held) => void;
  readonly end: () => void;
  /** `raw` was written and is `revision` now: the edit ends, or goes on from there with what was typed meanwhile. */
  readonly saved: (raw: string, revision: string) => void;
}

export function useArtifactDraft(project: string, path: string): ArtifactDraft {
  const key = `artifact.${project}.${path}`;
  const [text, setText] = useDraft(key);
  const held = parse(text);
  const change = (next: Held) => setText(JSON.stringify(next));
  return {
    held,
    begin: (raw, baseRevision) => {
      if (held === null) change({ raw, baseRevision });
    },
    change,
    end: () => setText(''),
    saved: (raw, revision) => {
      // What stands there now, not what stood there when it was sent.
      const now = parse(readDraft(key));
      if (now === null || now.raw === raw) setText('');
      else change({ raw: now.raw, baseRevision: revision });
    },
  };
}

function parse(text: string): Held | null {
  if (text === '') return null;
  try {
    const { raw, baseRevision } = JSON.parse(text) as Partial<Held>;
    return typeof raw === 'string' && typeof baseRevision === 'string' ? { raw, baseRevision } : null;
  } catch {
    // Only a part of it was kept: no text can be had from it, and the page goes on without.
    return null;
  }
}
