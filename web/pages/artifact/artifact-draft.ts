/** An edit that is not written yet, with the revision that it began with. It outlives a reload. */
import { useDraft } from '../../state/drafts.ts';

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
}

export function useArtifactDraft(project: string, path: string): ArtifactDraft {
  const [text, setText] = useDraft(`artifact.${project}.${path}`);
  const held = parse(text);
  const change = (next: Held) => setText(JSON.stringify(next));
  return {
    held,
    begin: (raw, baseRevision) => {
      if (held === null) change({ raw, baseRevision });
    },
    change,
    end: () => setText(''),
  };
}

function parse(text: string): Held | null {
  if (text === '') return null;
  const { raw, baseRevision } = JSON.parse(text) as Partial<Held>;
  return typeof raw === 'string' && typeof baseRevision === 'string' ? { raw, baseRevision } : null;
}
