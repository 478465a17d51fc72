/** The projects behind one button, for the bar of a phone. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Menu } from '../kit/overlay.tsx';
import { inBackground } from '../state/background.ts';
import { useIntent } from './intents.tsx';

interface ProjectsMenuProps {
  readonly names: readonly string[];
  readonly className: string;
  readonly children: ReactNode;
}

export function ProjectsMenu({ names, className, children }: ProjectsMenuProps) {
  const navigate = useNavigate();
  const go = (project: string) => inBackground(navigate({ to: '/projects/$project', params: { project } }));
  const show = useIntent();
  const items = [
    ...names.map((name) => ({ label: name, onSelect: () => go(name) })),
    { label: 'All commissions', onSelect: () => inBackground(navigate({ to: '/commissions' })) },
    { label: 'Terminals', onSelect: () => inBackground(navigate({ to: '/terminals' })) },
    { label: 'Register a repository…', onSelect: () => show({ kind: 'project' }) },
  ];
  return (
    <Menu
      items={items}
      trigger={
        <button type="button" className={className}>
          {children}
        </button>
      }
    />
  );
}
