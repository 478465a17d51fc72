/** The slim rail: where one can go. At phone width a bar at the bottom. */
import { Link } from '@tanstack/react-router';
import { FolderGit2, House, Inbox, type LucideIcon, Search, Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { Keys } from '../kit/key.tsx';
import { useRead } from '../state/hall.tsx';
import { useIntent } from './intents.tsx';

const row =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-13 text-soft hover:bg-hover hover:text-ink max-phone:h-12 max-phone:flex-col max-phone:justify-center max-phone:gap-0.5 max-phone:text-12';
const current = 'bg-hover text-ink font-medium';

export function Rail() {
  const show = useIntent();
  const projects = useRead('project.list', {});
  return (
    <nav
      aria-label="Hall"
      className="flex flex-col gap-0.5 border-line bg-sunk p-3 max-phone:fixed max-phone:inset-x-0 max-phone:bottom-0 max-phone:z-30 max-phone:flex-row max-phone:justify-around max-phone:border-t max-phone:p-1 phone:sticky phone:top-0 phone:h-dvh phone:w-14 phone:shrink-0 phone:border-r desk:w-52"
    >
      <Link
        to="/"
        aria-label="Guild Hall"
        className="mb-3 flex h-9 items-center gap-2.5 rounded-md px-1.5 max-phone:hidden"
      >
        <img src="/app/mark.svg" alt="" width={22} height={22} />
        <span className="font-serif text-15 font-semibold max-desk:sr-only">Guild Hall</span>
      </Link>
      <Place to="/" icon={House} label="Hall" isExact />
      <Place to="/inbox" icon={Inbox} label="Inbox" />
      <button type="button" onClick={() => show({ kind: 'search' })} className={row}>
        <Search aria-hidden size={16} className="shrink-0" />
        <span className="phone:max-desk:sr-only">Search</span>
        <span className="flex-1 max-desk:hidden" />
        <span className="max-desk:hidden">
          <Keys keys="Ctrl k" />
        </span>
      </button>
      <h2 className="mt-4 px-2 pb-1 text-12 font-medium text-faint max-desk:hidden">Projects</h2>
      <div className="contents max-phone:hidden">
        {projects.data?.projects.map(({ name }) => (
          <Link
            key={name}
            to="/projects/$project"
            params={{ project: name }}
            title={name}
            className={`${row} max-phone:hidden`}
            activeProps={{ className: current }}
          >
            <FolderGit2 aria-hidden size={16} className="shrink-0" />
            <span className="truncate phone:max-desk:sr-only">{name}</span>
          </Link>
        ))}
      </div>
      <span className="flex-1 max-phone:hidden" />
      <Place to="/settings" icon={Settings} label="Settings" />
    </nav>
  );
}

interface PlaceProps {
  readonly to: '/' | '/inbox' | '/settings';
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isExact?: boolean;
  readonly children?: ReactNode;
}

function Place({ to, icon: Icon, label, isExact = false, children }: PlaceProps) {
  return (
    <Link to={to} activeOptions={{ exact: isExact }} className={row} activeProps={{ className: current }}>
      <Icon aria-hidden size={16} className="shrink-0" />
      <span className="phone:max-desk:sr-only">{label}</span>
      {children}
    </Link>
  );
}
