/** Who sits in a council: the person's own names, then those that the mode brings. Pure. */
import type { Mode } from './modes.ts';
import { isUserToken } from './user-name.ts';

export interface InviteeWish {
  readonly mode: Mode;
  /** As the person gave them, in order. */
  readonly given: readonly string[];
  /** Names that are there to be invited; null: no list, so none of the mode's own is. */
  readonly installed: readonly string[] | null;
  /** The person's list is final. */
  readonly override: boolean;
  readonly userName: string | null;
  /** Whether the council can ask the person, who then may have a seat. */
  readonly canAsk: boolean;
}

export interface ResolvedInvitees {
  readonly resolved: readonly string[];
  /** Defaults of the mode that are not installed. */
  readonly missing: readonly string[];
  /** Defaults of the mode that joined. */
  readonly defaultsResolved: readonly string[];
  readonly bias: string;
  /** Canonical name. */
  readonly mode: string;
  readonly override: boolean;
  /** The person has a seat. */
  readonly attendance: boolean;
  /** Whole lines. */
  readonly warnings: readonly string[];
}

/** The names of a comma-separated list: trimmed, empty ones dropped, case and order kept. */
export function parseNames(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

export function resolveInvitees(wish: InviteeWish): ResolvedInvitees {
  const { mode, override } = wish;
  const seated = seatPerson(wish);
  const wanted = override ? [] : mode.defaultInvitees.filter((name) => !seated.names.includes(name));
  const isInstalled = (name: string): boolean => wish.installed?.includes(name) ?? false;
  const defaultsResolved = wanted.filter(isInstalled);
  const missing = wanted.filter((name) => !isInstalled(name));
  const warnings = [...seated.warnings];
  if (missing.length > 0) {
    const subset = defaultsResolved.length === 0 ? 'none' : defaultsResolved.join(', ');
    warnings.push(
      `[gaia-meeting] WARNING: missing default invitee(s) for mode ${mode.name}: ${missing.join(', ')} (resolved subset: ${subset})`,
    );
  }
  return {
    resolved: [...seated.names, ...defaultsResolved],
    missing,
    defaultsResolved,
    bias: mode.bias,
    mode: mode.name,
    override,
    attendance: seated.attendance,
    warnings,
  };
}

/** The person gets one seat, at the first of their names; where they cannot be asked each such name is dropped, aloud. */
function seatPerson({ given, userName, canAsk }: InviteeWish): {
  readonly names: readonly string[];
  readonly warnings: readonly string[];
  readonly attendance: boolean;
} {
  const all = given.map((name) => name.trim()).filter((name) => name !== '');
  const tokens = all.filter((name) => isUserToken(name, userName));
  if (!canAsk)
    return { names: all.filter((name) => !tokens.includes(name)), warnings: tokens.map(warningOf), attendance: false };
  const seat = all.findIndex((name) => isUserToken(name, userName));
  const names = all.filter((name, index) => index === seat || !isUserToken(name, userName));
  return { names, warnings: [], attendance: seat !== -1 };
}

function warningOf(token: string): string {
  return `[gaia-meeting] WARNING: invitee token "${token}" resolves to the user — the user is not an agent and is not auto-included; user authoring uses --charter / [i]nterject only`;
}
