/** The frame around every page: rail, banners, what lies over the page; and the sign-in where nobody is known. */
import { Outlet, useNavigate, useParams, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useFocusBack } from '../kit/focus.ts';
import { BelowHead } from '../kit/layout.tsx';
import { inBackground } from '../state/background.ts';
import { useLinkState, useRead } from '../state/hall.tsx';
import { AwayNotice, Banners } from './banners.tsx';
import { type Intent, IntentContext } from './intents.tsx';
import { KeyboardProvider, useRowKeys, useShortcut } from './keyboard.tsx';
import { Later } from './later.tsx';
import { loadRest, pages } from './pages.ts';
import { Rail } from './rail.tsx';
import { SignIn } from './sign-in.tsx';

export function Shell() {
  const { kind } = useLinkState();
  const isLink = useRouterState({ select: ({ location }) => location.pathname === '/sign-in' });
  if (kind === 'signed-out' || isLink) return <SignIn />;
  return (
    <KeyboardProvider>
      <Frame />
    </KeyboardProvider>
  );
}

/** The same for every drawing, so that no page is drawn again for it. */
const awayNotice = <AwayNotice />;

function Frame() {
  const [intent, setIntent] = useState<Intent | null>(null);
  const close = () => setIntent(null);
  useFocusOfPage();
  useFocusBack(intent?.kind === 'search');
  const isLive = useLinkState().kind === 'live';
  useEffect(() => {
    if (isLive) inBackground(loadRest());
  }, [isLive]);
  return (
    <IntentContext value={setIntent}>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-raised px-3 py-2 text-13 shadow-float focus:translate-y-0"
      >
        To the page
      </a>
      <GlobalKeys show={setIntent} />
      <div className="flex min-h-dvh max-phone:flex-col">
        <Rail />
        <div className="flex min-w-0 flex-1 flex-col max-phone:pb-14">
          <Banners />
          <main id="main" tabIndex={-1} className="flex flex-1 flex-col outline-none">
            <BelowHead value={awayNotice}>
              <Outlet />
            </BelowHead>
          </main>
        </div>
      </div>
      {intent?.kind === 'search' && (
        <Later load={pages.search} onClose={close}>
          {({ SearchDialog }) => <SearchDialog onClose={close} />}
        </Later>
      )}
      {intent?.kind === 'keys' && (
        <Later load={pages.keys} onClose={close}>
          {({ KeysDialog }) => <KeysDialog onClose={close} />}
        </Later>
      )}
      {intent?.kind === 'project' && (
        <Later load={pages.addProject} onClose={close}>
          {({ AddProjectDialog }) => <AddProjectDialog onClose={close} />}
        </Later>
      )}
      {intent?.kind === 'meeting' && (
        <Later load={pages.openMeeting} onClose={close}>
          {({ OpenMeetingDialog }) => <OpenMeetingDialog {...intent} onClose={close} />}
        </Later>
      )}
      {intent?.kind === 'commission' && (
        <Later load={pages.newCommission} onClose={close}>
          {({ NewCommissionDialog }) => <NewCommissionDialog {...intent} onClose={close} />}
        </Later>
      )}
      {intent?.kind === 'terminal' && (
        <Later load={pages.startTerminal} onClose={close}>
          {({ StartTerminalDialog }) => <StartTerminalDialog {...intent} onClose={close} />}
        </Later>
      )}
      {intent?.kind === 'conversation' && (
        <Later load={pages.startConversation} onClose={close}>
          {({ StartConversationDialog }) => <StartConversationDialog {...intent} onClose={close} />}
        </Later>
      )}
      {intent?.kind === 'gathering' && (
        <Later load={pages.startGathering} onClose={close}>
          {({ StartGatheringDialog }) => <StartGatheringDialog {...intent} onClose={close} />}
        </Later>
      )}
    </IntentContext>
  );
}

/** A page that is left takes the focus with it; the next one gets it, so that keys and screen readers go on from there. */
function useFocusOfPage(): void {
  const shown = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    if (shown !== undefined && document.activeElement === document.body) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }, [shown]);
}

function GlobalKeys({ show }: { readonly show: (intent: Intent) => void }) {
  const navigate = useNavigate();
  const { history } = useRouter();
  useRowKeys();
  useShortcut('g h', 'To the hall', () => inBackground(navigate({ to: '/' })), 'Anywhere');
  useShortcut('g i', 'To the inbox', () => inBackground(navigate({ to: '/inbox' })), 'Anywhere');
  useShortcut('g c', 'To the commissions', () => inBackground(navigate({ to: '/commissions' })), 'Anywhere');
  useShortcut('g t', 'To the terminals', () => inBackground(navigate({ to: '/terminals' })), 'Anywhere');
  useShortcut('g s', 'To the settings', () => inBackground(navigate({ to: '/settings' })), 'Anywhere');
  const { project } = useParams({ strict: false });
  const first = useRead('status', {}).data?.projects[0];
  const toSessions = (of: string) =>
    navigate({ to: '/projects/$project/sessions', params: { project: of }, search: {} });
  useShortcut(
    'g a',
    'To the sessions with agents',
    () => {
      const shown = project ?? first;
      if (shown !== undefined) inBackground(toSessions(shown));
    },
    'Anywhere',
  );
  useShortcut('n', 'Open a meeting', () => show({ kind: 'meeting', project }), 'Anywhere');
  useShortcut('c', 'Write a commission', () => show({ kind: 'commission', project }), 'Anywhere');
  useShortcut('b', 'Begin a gathering', () => show({ kind: 'gathering', project }), 'Anywhere');
  useShortcut('Ctrl k', 'Search', () => show({ kind: 'search' }), 'Anywhere');
  useShortcut('/', 'Search', () => show({ kind: 'search' }), 'Anywhere');
  useShortcut('?', 'This map', () => show({ kind: 'keys' }), 'Anywhere');
  // Not out of the hall: from the first page of the window there is nowhere to go back to.
  useShortcut('Escape', 'Back', () => history.canGoBack() && history.back(), 'Anywhere');
  return null;
}
