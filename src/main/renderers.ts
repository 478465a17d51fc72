/** How answers are shown to a person, by operation; what is not named here is shown in the general form. */
import { deliveryRenderers } from '../interfaces/cli/render/deliveries.ts';
import { renderArtifactEdited, renderArtifactList, renderArtifactShown } from '../interfaces/cli/render/artifacts.ts';
import { renderConfigChecked, renderConfigShown, renderDoctor } from '../interfaces/cli/render/doctor.ts';
import { commissionRenderers } from '../interfaces/cli/render/commission-answers.ts';
import { councilRenderers } from '../interfaces/cli/render/councils.ts';
import { contextRenderers } from '../interfaces/cli/render/contexts.ts';
import { conversationRenderers } from '../interfaces/cli/render/conversations.ts';
import { briefingRenderers } from '../interfaces/cli/render/briefing.ts';
import { gatheringRenderers } from '../interfaces/cli/render/gatherings.ts';
import { forecastRenderers } from '../interfaces/cli/render/forecast.ts';
import { inboxRenderers } from '../interfaces/cli/render/inbox.ts';
import { meetingAnswerRenderers } from '../interfaces/cli/render/meeting-answers.ts';
import { meetingRenderers } from '../interfaces/cli/render/meetings.ts';
import { renderOverview } from '../interfaces/cli/render/overview.ts';
import {
  renderProjectAdded,
  renderProjectList,
  renderProjectRemoved,
  renderProjectShown,
  renderProjectSynced,
} from '../interfaces/cli/render/projects.ts';
import { searchRenderers } from '../interfaces/cli/render/search.ts';
import { renderSignInLink, renderSignInList, renderSignInsRevoked } from '../interfaces/cli/render/signins.ts';
import { sessionRenderers } from '../interfaces/cli/render/sessions.ts';
import { terminalRenderers } from '../interfaces/cli/render/terminals.ts';
import { renderWorkerList, renderWorkerMade, renderWorkerShown } from '../interfaces/cli/render/workers.ts';
import type { Renderer } from '../interfaces/cli/parts.ts';
import { plainText, type Terminal } from '../interfaces/cli/terminal.ts';
import type { HallStatus } from '../features/hall/contract.ts';

export const renderers: Readonly<Record<string, Renderer>> = {
  ...meetingRenderers,
  ...meetingAnswerRenderers,
  ...commissionRenderers,
  ...councilRenderers,
  ...conversationRenderers,
  ...gatheringRenderers,
  ...terminalRenderers,
  ...sessionRenderers,
  ...contextRenderers,
  ...inboxRenderers,
  ...briefingRenderers,
  ...deliveryRenderers,
  ...searchRenderers,
  overview: renderOverview,
  status: renderStatus,
  'project.add': renderProjectAdded,
  'project.sample': renderProjectAdded,
  'project.list': renderProjectList,
  'project.show': renderProjectShown,
  'project.remove': renderProjectRemoved,
  'project.sync': renderProjectSynced,
  ...forecastRenderers,
  'worker.list': renderWorkerList,
  'worker.show': renderWorkerShown,
  'worker.new': renderWorkerMade,
  'artifact.list': renderArtifactList,
  'artifact.show': renderArtifactShown,
  'artifact.edit': renderArtifactEdited,
  doctor: renderDoctor,
  'config.show': renderConfigShown,
  'config.check': renderConfigChecked,
  'signin.list': renderSignInList,
  'signin.link': renderSignInLink,
  'signin.revoke': renderSignInsRevoked,
};

function renderStatus(status: HallStatus, term: Terminal): string {
  const rows: [string, string][] = [
    ['address', status.url],
    ['pid', String(status.pid)],
    ['version', status.version],
    ['home', status.home],
    ['up for', durationOf(status.uptimeSeconds)],
    ['model', status.model.label],
    ['agents', agentsOf(status, term)],
    ['projects', status.projects.join(', ') || term.hint('none yet: guild-hall project add <path>')],
    ...(status.running.length === 0 ? ['nothing'] : status.running).map((what, index): [string, string] => [
      index === 0 ? 'open' : '',
      what,
    ]),
  ];
  const lines = rows.map(([name, value]) => `${term.style('dim', name.padEnd(8))}  ${plainText(value)}\n`);
  const problems = status.problems.map((problem) => `${term.style('red', '▲')} ${plainText(problem)}\n`);
  return `${term.style('green', '●')} The hall is running.\n${lines.join('')}${problems.join('')}`;
}

function agentsOf({ sandbox: { kind, reason, hint } }: HallStatus, term: Terminal): string {
  return kind === 'none' ? `not sandboxed. ${reason}${term.hint(` Next: ${hint}`)}` : `in a sandbox (${kind})`;
}

function durationOf(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ] as const;
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return `${Math.floor(seconds)} seconds`;
}
