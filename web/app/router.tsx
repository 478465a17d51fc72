/** Every page with an address of its own; all but the frame are loaded when they are first shown. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Lost, PageFault } from './faults.tsx';
import { pages } from './pages.ts';
import { readCommissionSearch } from '../pages/commission/search.ts';
import { readCommissionsSearch } from '../pages/commissions/search.ts';
import { readConversationSearch } from '../pages/conversation/search.ts';
import { readGatheringSearch } from '../pages/gathering/search.ts';
import { readSessionSearch, readSessionsSearch } from '../pages/sessions/search.ts';
import { readTerminalsSearch } from '../pages/terminals/search.ts';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: Lost, errorComponent: PageFault });

const hall = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(pages.hall, 'HallPage'),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  /** The item that is opened: its id. */
  validateSearch: ({ item }: Record<string, unknown>): { item?: string } => (typeof item === 'string' ? { item } : {}),
  component: lazyRouteComponent(pages.inbox, 'InboxPage'),
});

const project = createRoute({
  getParentRoute: () => root,
  path: '/projects/$project',
  component: lazyRouteComponent(pages.project, 'ProjectPage'),
});

const meeting = createRoute({
  getParentRoute: () => root,
  path: '/projects/$project/meetings/$id',
  // What lies over the talk has an address too: an artifact that is not merged yet, the changes (of one file).
  validateSearch: (search: Record<string, unknown>): { artifact?: string; changes?: string } => ({
    ...(typeof search['artifact'] === 'string' && { artifact: search['artifact'] }),
    ...(typeof search['changes'] === 'string' && { changes: search['changes'] }),
  }),
  component: lazyRouteComponent(pages.meeting, 'MeetingPage'),
});

const commissions = createRoute({
  getParentRoute: () => root,
  path: '/commissions',
  validateSearch: readCommissionsSearch,
  component: lazyRouteComponent(pages.commissions, 'AllCommissionsPage'),
});

const projectCommissions = createRoute({
  getParentRoute: () => root,
  path: '/projects/$project/commissions',
  validateSearch: readCommissionsSearch,
  component: lazyRouteComponent(pages.commissions, 'ProjectCommissionsPage'),
});

const commission = createRoute({
  getParentRoute: () => root,
  path: '/projects/$project/commissions/$id',
  validateSearch: readCommissionSearch,
  component: lazyRouteComponent(pages.commission, 'CommissionPage'),
});

const terminals = createRoute({
  getParentRoute: () => root,
  path: '/terminals',
  validateSearch: readTerminalsSearch,
  component: lazyRouteComponent(pages.terminals, 'TerminalsPage'),
});

const terminal = createRoute({
  getParentRoute: () => root,
  path: '/terminals/$id',
  component: lazyRouteComponent(pages.terminal, 'TerminalPage'),
});

const conversation = createRoute({
  getParentRoute: () => root,
  path: '/conversations/$id',
  validateSearch: readConversationSearch,
  component: lazyRouteComponent(pages.conversation, 'ConversationPage'),
});

const gathering = createRoute({
  getParentRoute: () => root,
  path: '/gatherings/$id',
  validateSearch: readGatheringSearch,
  component: lazyRouteComponent(pages.gathering, 'GatheringPage'),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/projects/$project/sessions',
  validateSearch: readSessionsSearch,
  component: lazyRouteComponent(pages.sessions, 'SessionsPage'),
});

const session = createRoute({
  getParentRoute: () => root,
  path: '/projects/$project/sessions/$id',
  validateSearch: readSessionSearch,
  component: lazyRouteComponent(pages.session, 'SessionPage'),
});

/** The rest of the address is the artifact's path below the project: `.lore/…`. */
const artifact = createRoute({
  getParentRoute: () => root,
  path: '/projects/$project/artifacts/$',
  component: lazyRouteComponent(pages.artifact, 'ArtifactPage'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(pages.settings, 'SettingsPage'),
});

/** Where a one-time link leads; the shell takes the secret from the address. */
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: () => null });

export const router = createRouter({
  routeTree: root.addChildren([
    hall,
    inbox,
    project,
    meeting,
    commissions,
    projectCommissions,
    commission,
    terminals,
    terminal,
    conversation,
    gathering,
    sessions,
    session,
    artifact,
    settings,
    signIn,
  ]),
  basepath: '/app',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
