/** A link to whatever a thing of the hall is about, by its kind. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface Subject {
  readonly kind: string;
  readonly id: string;
}

export interface SubjectLinkProps {
  readonly project: string | null;
  readonly subject: Subject;
  readonly className?: string;
  /** Takes its place in the rows that j and k go through. */
  readonly isRow?: boolean;
  readonly children: ReactNode;
}

/** Something without a page of its own leads to the project, or to what is known of the hall. */
export function SubjectLink({ project, subject, className, isRow = false, children }: SubjectLinkProps) {
  const rest = { className, ...(isRow && { 'data-row': true }), children };
  if (subject.kind === 'terminal') return <Link to="/terminals/$id" params={{ id: subject.id }} {...rest} />;
  if (subject.kind === 'conversation') return <Link to="/conversations/$id" params={{ id: subject.id }} {...rest} />;
  if (subject.kind === 'gathering') return <Link to="/gatherings/$id" params={{ id: subject.id }} {...rest} />;
  if (project === null) return <Link to="/settings" {...rest} />;
  if (subject.kind === 'meeting') {
    return <Link to="/projects/$project/meetings/$id" params={{ project, id: subject.id }} {...rest} />;
  }
  if (subject.kind === 'commission') {
    return <Link to="/projects/$project/commissions/$id" params={{ project, id: subject.id }} {...rest} />;
  }
  if (subject.kind === 'session') {
    return <Link to="/projects/$project/sessions/$id" params={{ project, id: subject.id }} search={{}} {...rest} />;
  }
  if (subject.kind === 'artifact') {
    return <Link to="/projects/$project/artifacts/$" params={{ project, _splat: subject.id }} {...rest} />;
  }
  if (subject.kind === 'delivery') {
    const path = `.lore/deliveries/${subject.id}.md`;
    return <Link to="/projects/$project/artifacts/$" params={{ project, _splat: path }} {...rest} />;
  }
  return <Link to="/projects/$project" params={{ project }} {...rest} />;
}
