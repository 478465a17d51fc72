/** The slim rail: where one can go. At phone width a bar at the bottom. */
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import {
  FolderGit2,
  House,
  Inbox,
  type LucideIcon,
  MessageSquareCode,
  Plus,
  Search,
  Settings,
  SquareTerminal,
  Workflow,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../kit/button.tsx';
import { Keys } from '../kit/key.tsx';
import { useRead } from '../state/hall.tsx';
import { useIntent } from './intents.tsx';
import { ProjectsMenu } from './projects-menu.tsx';

const row =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-13 text-soft transition-colors duration-120 hover:bg-hover hover:text-ink max-phone:h-12 max-phone:min-w-0 max-phone:flex-1 max-phone:flex-col max-phone:justify-center max-phone:gap-0.5 max-phone:px-0 max-phone:text-12 phone:max-desk:justify-center phone:max-desk:px-0';
const current = 'bg-hover font-medium text-ink max-phone:bg-transparent max-phone:text-ember-strong';

export function Rail() {
  const show = useIntent();
  const inbox = useRead('inbox.list', {});
  const waiting = inbox.data?.waiting ?? 0;
  return (
    <nav
      aria-label="Guild Hall"
      className="flex flex-col gap-0.5 border-line bg-sunk p-3 max-phone:fixed max-phone:inset-x-0 max-phone:bottom-0 max-phone:z-30 max-phone:flex-row max-phone:border-t max-phone:p-1 max-phone:pb-[max(0.25rem,env(safe-area-inset-bottom))] phone:sticky phone:top-0 phone:h-dvh phone:w-14 phone:shrink-0 phone:overflow-y-auto phone:border-r desk:w-52"
    >
      <Link
        to="/"
        aria-label="Guild Hall"
        activeProps={{ 'aria-current': undefined }}
        className="mb-3 flex h-9 shrink-0 items-center gap-2.5 rounded-md px-1.5 max-phone:hidden phone:max-desk:justify-center phone:max-desk:px-0"
      >
        <img src="/app/mark.svg" alt="" width={22} height={22} />
        <span aria-hidden className="font-serif text-15 font-semibold max-desk:hidden">
          Guild Hall
        </span>
      </Link>
      <Place to="/" icon={House} label="Hall" isExact />
      <Place to="/inbox" icon={Inbox} label="Inbox" count={waiting} />
      <Place to="/commissions" icon={Workflow} label="Commissions" isWideOnly />
      <Place to="/terminals" icon={SquareTerminal} label="Terminals" isWideOnly />
      <Sessions />
      <button type="button" onClick={() => show({ kind: 'search' })} className={row} title="Search: Ctrl K">
        <Search aria-hidden size={16} className="shrink-0" />
        <Name>Search</Name>
        <span className="ml-auto max-desk:hidden">
          <Keys keys="Ctrl k" />
        </span>
      </button>
      <Projects />
      <span className="flex-1 max-phone:hidden" />
      <Place to="/settings" icon={Settings} label="Settings" />
    </nav>
  );
}

/** Of the project that one is in, else of the first; on a phone they are behind their project. */
function Sessions() {
  const { project } = useParams({ strict: false });
  const names = useRead('status', {}).data?.projects ?? [];
  const shown = project ?? names[0];
  if (shown === undefined) return null;
  return (
    <Link
      to="/projects/$project/sessions"
      params={{ project: shown }}
      search={{}}
      title={`Sessions of ${shown}`}
      className={`${row} shrink-0 max-phone:hidden`}
      activeProps={{ className: current }}
    >
      <MessageSquareCode aria-hidden size={16} className="shrink-0" />
      <Name>Sessions</Name>
    </Link>
  );
}

/** Each by its name where there is room; on a phone one place that lists them. */
function Projects() {
  const show = useIntent();
  // Their names alone are known at once; what stands in their way takes git a while.
  const names = useRead('status', {}).data?.projects ?? [];
  const inProject = useRouterState({ select: ({ location }) => location.pathname.startsWith('/projects/') });
  return (
    <>
      <ProjectsMenu names={names} className={`${row} ${inProject ? current : ''} phone:hidden`}>
        <FolderGit2 aria-hidden size={16} className="shrink-0" />
        <span>Projects</span>
      </ProjectsMenu>
      <div className="mt-4 flex shrink-0 items-center pb-1 pl-2 max-phone:hidden phone:max-desk:justify-center phone:max-desk:pl-0">
        <h2 className="flex-1 text-12 font-medium text-faint max-desk:sr-only">Projects</h2>
        <IconButton
          icon={Plus}
          label="Register a repository"
          className="size-7"
          onClick={() => show({ kind: 'project' })}
        />
      </div>
      {names.map((name) => (
        <Link
          key={name}
          to="/projects/$project"
          params={{ project: name }}
          title={name}
          className={`${row} shrink-0 max-phone:hidden`}
          activeProps={{ className: current }}
        >
          <span
            aria-hidden
            className="flex size-4.5 shrink-0 items-center justify-center rounded-sm border border-line-strong font-mono text-12 leading-none uppercase"
          >
            {name.charAt(0)}
          </span>
          <Name>{name}</Name>
        </Link>
      ))}
    </>
  );
}

interface PlaceProps {
  readonly to: '/' | '/inbox' | '/commissions' | '/terminals' | '/settings';
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isExact?: boolean;
  /** On a phone it is behind another place: the bar has room for five. */
  readonly isWideOnly?: boolean;
  /** How many things wait there. */
  readonly count?: number;
}

function Place({ to, icon: Icon, label, isExact = false, isWideOnly = false, count = 0 }: PlaceProps) {
  return (
    <Link
      to={to}
      title={label}
      activeOptions={{ exact: isExact }}
      className={`${row} relative shrink-0 ${isWideOnly ? 'max-phone:hidden' : ''}`}
      activeProps={{ className: current }}
    >
      <Icon aria-hidden size={16} className="shrink-0" />
      <Name>{label}</Name>
      {count > 0 && (
        <span className="ml-auto text-12 font-medium text-waiting max-desk:absolute max-desk:top-0.5 max-desk:right-1 max-phone:right-[calc(50%-1.25rem)]">
          <span aria-hidden>{count > 99 ? '99+' : count}</span>
          <span className="sr-only">{count} waiting</span>
        </span>
      )}
    </Link>
  );
}

function Name({ children }: { readonly children: ReactNode }) {
  return <span className="truncate phone:max-desk:sr-only">{children}</span>;
}
