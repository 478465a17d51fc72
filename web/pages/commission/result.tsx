/** What came of it: the worker's own summary, set like a document, and the artifacts. */
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import { useMemo } from 'react';
import type { CommissionView } from '../../../src/features/commissions/contract.ts';
import { addressesFrom } from '../../kit/artifact-address.ts';
import { Section } from '../../kit/layout.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { ArtifactLink, lineClass, PathName } from '../../kit/path-name.tsx';

/** Brings it into sight; the keys go on from there. It is there when the end is carried through. */
export function focusResult(): void {
  const result = document.getElementById('result');
  result?.scrollIntoView({ block: 'start' });
  result?.focus({ preventScroll: true });
}

export function Result({ view }: { readonly view: CommissionView }) {
  const { project, result } = view.commission;
  const addressOf = useMemo(() => addressesFrom(project, undefined), [project]);
  if (result === null) return null;
  return (
    <section id="result" tabIndex={-1} aria-label="Result" className="flex scroll-mt-28 flex-col gap-3 outline-none">
      <h2 className="text-13 font-semibold text-soft">Result</h2>
      <Markdown text={result.summary} addressOf={addressOf} />
      {result.artifacts.length > 0 && (
        <ul aria-label="Artifacts" className="flex flex-col">
          {result.artifacts.map((path) => (
            <li key={path}>
              <Made view={view} path={path} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What the worker linked, and what it named with its result. */
export function Artifacts({ view }: { readonly view: CommissionView }) {
  const { linkedArtifacts, result } = view.commission;
  const paths = [...new Set([...(result?.artifacts ?? []), ...linkedArtifacts])];
  if (paths.length === 0) return null;
  return (
    <Section title="Artifacts" count={paths.length}>
      <ul className="flex flex-col">
        {paths.map((path) => (
          <li key={path}>
            <Made view={view} path={path} isNarrow />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface MadeProps {
  readonly view: CommissionView;
  readonly path: string;
  /** There is room for the name alone. */
  readonly isNarrow?: boolean;
}

/** To its page where it is in the project; before, to the change that makes it. */
function Made({ view, path, isNarrow = false }: MadeProps) {
  const { project, id, merge } = view.commission;
  if (merge.state === 'merged') {
    if (path.startsWith('.lore/') && path.endsWith('.md')) return <ArtifactLink project={project} path={path} />;
    return (
      <span title={path} className="flex min-h-8 items-center gap-2 py-1 text-13 text-ink">
        <FileText aria-hidden size={14} className="shrink-0 text-faint" />
        <PathName path={path} />
      </span>
    );
  }
  return (
    <Link
      to="/projects/$project/commissions/$id"
      params={{ project, id }}
      search={{ view: 'changes', file: path }}
      title={path}
      className={lineClass}
    >
      <FileText aria-hidden size={14} className="shrink-0 text-note" />
      {isNarrow ? <span className="truncate">{path.split('/').at(-1)}</span> : <PathName path={path} />}
      <span className="ml-auto shrink-0 text-12 text-note">not merged</span>
    </Link>
  );
}
