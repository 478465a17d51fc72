/** The parts of the app that are loaded when they are first shown; and all the rest once there is time for it. */
import { loadAhead } from './later.tsx';

export const pages = {
  hall: () => import('../pages/hall/hall-page.tsx'),
  inbox: () => import('../pages/inbox/inbox-page.tsx'),
  project: () => import('../pages/project/project-page.tsx'),
  meeting: () => import('../pages/meeting/meeting-page.tsx'),
  commissions: () => import('../pages/commissions/commissions-page.tsx'),
  commission: () => import('../pages/commission/commission-page.tsx'),
  terminals: () => import('../pages/terminals/terminals-page.tsx'),
  terminal: () => import('../pages/terminals/terminal-page.tsx'),
  conversation: () => import('../pages/conversation/conversation-page.tsx'),
  gathering: () => import('../pages/gathering/gathering-page.tsx'),
  sessions: () => import('../pages/sessions/sessions-page.tsx'),
  session: () => import('../pages/sessions/session-page.tsx'),
  artifact: () => import('../pages/artifact/artifact-page.tsx'),
  settings: () => import('../pages/settings/settings-page.tsx'),
  search: () => import('../pages/search/search-dialog.tsx'),
  keys: () => import('./keys-dialog.tsx'),
  addProject: () => import('./add-project.tsx'),
  newCommission: () => import('../pages/commission/new-dialog.tsx'),
  startTerminal: () => import('../pages/terminals/start-dialog.tsx'),
  startConversation: () => import('../pages/conversation/start-dialog.tsx'),
  startGathering: () => import('../pages/gathering/start-dialog.tsx'),
  screen: () => import('../kit/terminal/xterm.ts'),
  graph: () => import('../pages/commissions/graph-flow.tsx'),
  openMeeting: () => import('../pages/meeting/open-dialog.tsx'),
  specBlock: () => import('../kit/blocks/spec-block.tsx'),
  eventModel: () => import('../kit/blocks/model-flow.tsx'),
  sessionPicker: () => import('../pages/sessions/picker-select.tsx'),
} as const;

/** What the first page is made of comes before. Milliseconds. */
const firstPageMs = 2000;

/** So that every page opens at once, and also while the hall is away. */
export async function loadRest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, firstPageMs));
  for (const load of Object.values(pages)) {
    try {
      await loadAhead(load);
    } catch {
      // Whoever opens it tries again, and is told when it does not come.
      return;
    }
  }
}
