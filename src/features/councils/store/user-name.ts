/** What the person is called in a council: the project's settings, then git. Never the name of the machine's account. */
import { systemClock } from '../../../kernel/clock/clock.ts';
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
  const userName = said ?? chooseUserName(undefined, await gitUserName(root));
  return { userName, warnings: settings.warnings };
}

/** Loads what calls git only now: helpers that ask for no name start without it. */
async function gitUserName(root: string): Promise<string | undefined> {
  const { readUserName } = await import('../../../kernel/git/repository.ts');
  const { silentLog } = await import('../../../kernel/log/log.ts');
  return await readUserName({ clock: systemClock, log: silentLog }, root);
}
