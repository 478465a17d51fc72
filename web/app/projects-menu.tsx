/** The projects behind one button, for the bar of a phone. */
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Menu } from '../kit/overlay.tsx';
import { inBackground } from '../state/background.ts';

interface ProjectsMenuProps {
  readonly names: readonly string[];
  readonly className: string;
  readonly children: ReactNode;
}

export function ProjectsMenu({ names, className, children }: ProjectsMenuProps) {
  const navigate = useNavigate();
  const go = (project: string) => inBackground(navigate({ to: '/projects/$project', params: { project } }));
  const items =
    names.length > 0
      ? names.map((name) => ({ label: name, onSelect: () => go(name) }))
      : [{ label: 'No project yet: make one in the hall', onSelect: () => inBackground(navigate({ to: '/' })) }];
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
