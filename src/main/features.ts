/**
 * The features of the hall. To add one: its entry in `joinFeatures`, its descriptions and streams in
 * `descriptions.ts`, its renderers in `renderers.ts`.
 */
import { join } from 'node:path';
import { bindDoctor } from '../features/doctor/operations.ts';
import { problemsFound } from '../features/doctor/waiting.ts';
import { bindProjects, recoverProjects, type ProjectsContext } from '../features/projects/operations.ts';
import type { SignInsContext } from '../features/signins/context.ts';
import { createDesk, type HallTerminals } from '../features/terminals/context.ts';
import { bindWorkerOperations } from '../features/workers/operations.ts';
import type { GatheringsContext } from '../features/gatherings/context.ts';
import { createConversations } from '../features/gatherings/reactions/live.ts';
import type { ProjectName } from '../kernel/pure/ids.ts';
import type { HallContext } from './context.ts';
import { joinBriefing } from './briefing.ts';
import { joinCommissions } from './commissions.ts';
import { joinCouncils } from './councils.ts';
import { joinDeliveries } from './deliveries.ts';
import { doctorContext } from './doctor-context.ts';
import { forecastContext, foreseeBy, joinForecast } from './forecast.ts';
import { joinGatherings } from './gatherings.ts';
import { joinMeetings } from './meetings.ts';
import { packageRoot } from './package.ts';
import { joinPages } from './pages.ts';
import { joinSearch } from './search.ts';
import { joinSignIns } from './sign-ins.ts';
import { terminalPrograms } from './terminal-programs.ts';
import { systemPulse } from './pulse.ts';
import { seatsOf } from './seats.ts';
import { joinSessions } from './sessions.ts';
import { hallTerminals, joinTerminals, terminalsContext } from './terminals.ts';
import { toolboxesOf } from './steward.ts';
import { type HallFeature, runningIn } from './feature.ts';

/** In the order in which they recover; they stop in the opposite order. */
export function joinFeatures(
  ctx: HallContext,
  signIns: SignInsContext,
  terminals: HallTerminals = hallTerminals(ctx),
): HallFeature[] {
  const features: HallFeature[] = [];
  const hallToolboxes = toolboxesOf(features);
  const projects: ProjectsContext = {
    ...ctx,
    runningIn: async (project) => await runningIn(features, project),
    endCommand: (kind, id) => features.find(({ activityKind }) => activityKind === kind)?.endCommand?.(id),
    sampleSource: join(packageRoot(), 'examples', 'sample-project'),
  };
  features.push({ name: 'projects', operations: bindProjects(projects), recover: () => recoverProjects(projects) });
  features.push(...joinPages(ctx, features));
  features.push({ name: 'workers', operations: bindWorkerOperations(ctx) });
  const doctor = doctorContext(ctx);
  features.push({
    name: 'doctor',
    operations: bindDoctor(doctor),
    problems: async () => await problemsFound(doctor),
  });
  const forecast = forecastContext(ctx, features);
  const foresee = foreseeBy(forecast);
  features.push(joinMeetings({ ...ctx, hallToolboxes }, features, foresee));
  features.push(joinCommissions({ ...ctx, hallToolboxes }, features, foresee));
  features.push(joinCouncils({ ...ctx, hallToolboxes }, features));
  const search = joinSearch(ctx, features);
  const asked = {
    findHistory: search.findHistory,
    pulseFacts: async (project: ProjectName) => await systemPulse(ctx, features, project),
  };
  features.push(...joinTalk(ctx, { terminals, mcpUrl: `${signIns.address}/mcp`, ...asked }));
  features.push(...joinSessions(ctx));
  features.push(joinDeliveries(ctx));
  features.push(search);
  features.push(joinBriefing(ctx, features));
  features.push(joinForecast(forecast));
  features.push(joinSignIns(signIns));
  return features;
}

interface Talk extends Pick<GatheringsContext, 'findHistory' | 'pulseFacts'> {
  readonly terminals: HallTerminals;
  readonly mcpUrl: string;
}

/** Terminals, and the conversations and gatherings of those who are in them. */
function joinTalk(hall: HallContext, { terminals, mcpUrl, ...asked }: Talk): HallFeature[] {
  const held = { desk: createDesk(), terminals };
  const conversations = createConversations();
  const ctx = terminalsContext(hall, {
    ...held,
    conversing: {
      of: (terminal) => conversations.byTerminal.get(terminal) ?? null,
      openDirect: async (ask) => await joined.openDirect(ask),
    },
    programs: terminalPrograms(hall),
    mcpUrl: () => mcpUrl,
  });
  const joined = joinGatherings(hall, { ...held, ...asked, conversations, seats: seatsOf(ctx) });
  return [joinTerminals(ctx, joined.open), ...joined.features];
}
