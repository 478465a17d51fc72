/** Sign-ins for a person. */
import type { SignInLink, SignInList, SignInsRevoked } from '../../../features/signins/contract.ts';
import { plainText, type Terminal } from '../terminal.ts';
import { renderTable } from './table.ts';

export function renderSignInList({ signIns }: SignInList, term: Terminal): string {
  if (signIns.length === 0) {
    return `${term.style('dim', term.hint('No browser is signed in. Let one in: guild-hall open'))}\n`;
  }
  // Which browser it is, and when it signed in, is in the id; all of it in `--json`.
  const rows = signIns.map(({ id, origin, lastUsedAt }) => [id, minuteOf(lastUsedAt), plainText(origin)]);
  const head = ['id', 'last used (UTC)', 'address'];
  const next = term.hint('Sign one out: guild-hall signin revoke <id>');
  return `${renderTable(head, rows, term)}\n${term.style('dim', next)}\n`;
}

/** The link stands in a line of its own, whole, so that it can be copied. */
export function renderSignInLink({ url }: Pick<SignInLink, 'url'>, term: Terminal): string {
  return `Sign in with this link, once, within ten minutes:\n\n  ${term.style('bold', url)}\n\n`;
}

export function renderSignInsRevoked({ revoked, spentLinks }: SignInsRevoked, term: Terminal): string {
  const lines = revoked.map(({ id, browser }) => `✓ Signed out: ${term.style('bold', id)}, ${plainText(browser)}\n`);
  const none = revoked.length === 0 ? 'No browser was signed in.\n' : '';
  const links =
    spentLinks === 0 ? '' : `Links that nobody had opened are worthless now: ${spentLinks}. New: guild-hall open\n`;
  return `${lines.join('')}${none}${term.style('dim', term.hint(links))}`;
}

function minuteOf(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
