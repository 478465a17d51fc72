/** What the person is called in a council: the project's settings, then git. Never the name of the machine's account. */
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import { systemClock } from '../../../kernel/clock/clock.ts';
import type { LogContext } from '../../../kernel/log/log.ts';
import { silentLog } from '../../../kernel/log/log.ts';
import { chooseUserName } from '../rules/user-name.ts';
import { readMeetingSettings, readSettingsFile } from './settings.ts';

/**
 * @param root folder whose settings and git settings count
 * @param settingsFile absolute; in place of the project's own settings
 */
export async function resolveUserName(
  root: string,
  settingsFile?: string,
): Promise<{ readonly userName: string | undefined; readonly warnings: readonly string[] }> {
  const settings = settingsFile === undefined ? await readMeetingSettings(root) : await readSettingsFile(settingsFile);
  const said = chooseUserName(settings.userName, undefined);
  const userName = said ?? chooseUserName(undefined, await gitUserName({ clock: systemClock, log: silentLog }, root));
  return { userName, warnings: settings.warnings };
}

async function gitUserName(ctx: ClockContext & LogContext, root: string): Promise<string | undefined> {
  const { readUserName } = await import('../../../kernel/git/repository.ts');
  return await readUserName(ctx, root);
}
