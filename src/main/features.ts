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
import type { HallContext } from './context.ts';
import { joinBriefing } from './briefing.ts';
import { joinCommissions } from './commissions.ts';
import { joinCouncils } from './councils.ts';
import { joinDeliveries } from './deliveries.ts';
import { doctorContext } from './doctor-context.ts';
import { forecastContext, foreseeBy, joinForecast } from './forecast.ts';
import { joinConversations } from './gatherings.ts';
import { joinMeetings } from './meetings.ts';
import { packageRoot } from './package.ts';
import { joinPages } from './pages.ts';
import { joinSearch } from './search.ts';
import { joinSignIns } from './sign-ins.ts';
import { terminalPrograms } from './terminal-programs.ts';
import { hallTerminals, joinTerminals } from './terminals.ts';
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
  features.push(...joinTalk(ctx, terminals, `${signIns.address}/mcp`));
  features.push(joinDeliveries(ctx));
  features.push(joinSearch(ctx, features));
  features.push(joinBriefing(ctx, features));
  features.push(joinForecast(forecast));
  features.push(joinSignIns(signIns));
  return features;
}

/** Terminals, and the conversations between them. */
function joinTalk(ctx: HallContext, terminals: HallTerminals, mcpUrl: string): HallFeature[] {
  const held = { desk: createDesk(), terminals };
  const { feature, conversing, open } = joinConversations(ctx, held);
  const desk = joinTerminals(ctx, {
    ...held,
    conversing,
    programs: terminalPrograms(ctx),
    mcpUrl: () => mcpUrl,
    beforeJoining: open,
  });
  return [desk, feature];
}
