/** What the person is called in a council. Never what the operating system calls them. Pure. */

export const userNameAdvice =
  "set `meeting.user_name` in `settings.json` or run `git config --global user.name '<name>'`";

/** `me`, `user` or the person's name, without regard to case. */
export function isUserToken(token: string, userName: string | null): boolean {
  const said = token.trim().toLowerCase();
  if (said === 'me' || said === 'user') return true;
  return userName !== null && userName.trim() !== '' && said === userName.trim().toLowerCase();
}

/**
 * The first of the two that says something, on one line.
 * @param fromSettings `meeting.user_name`, whatever a file of the repository has there
 * @param fromGit `git config user.name`
 */
export function chooseUserName(fromSettings: unknown, fromGit: string | undefined): string | undefined {
  return [fromSettings, fromGit].map(nameOf).find((name) => name !== undefined);
}

const longestName = 100;

function nameOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, longestName);
  return name === '' ? undefined : name;
}
