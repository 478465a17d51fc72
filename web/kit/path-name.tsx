/** Paths of a project, and links to its artifacts, as lines. */
import { Link } from '@tanstack/react-router';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';

/** The last part of a path is what one reads. */
export function PathName({ path }: { readonly path: string }): ReactNode {
  const parts = path.split('/');
  const name = parts.pop() ?? path;
  return (
    <span className="flex min-w-0 items-baseline gap-1.5">
      <span className="truncate">{name}</span>
      <span className="min-w-0 shrink-[3] truncate text-12 text-faint">{parts.join('/')}</span>
    </span>
  );
}

/** Classes of a link that is one line of a narrow list. */
export const lineClass = '-mx-2 flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-13 text-ink hover:bg-hover';

export interface ArtifactLinkProps {
  readonly project: string;
  readonly path: string;
  readonly title?: string;
}

/** To the page of an artifact that is in the project. */
export function ArtifactLink({ project, path, title }: ArtifactLinkProps) {
  return (
    <Link to="/projects/$project/artifacts/$" params={{ project, _splat: path }} title={path} className={lineClass}>
      <FileText aria-hidden size={14} className="shrink-0 text-faint" />
      {title === undefined ? <PathName path={path} /> : <span className="min-w-0 truncate">{title}</span>}
    </Link>
  );
}
