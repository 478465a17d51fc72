/** Raised hands. One of the protected helpers: its output changes only on purpose. */
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { oneLine } from '../rules/header.ts';
import { parseNames } from '../rules/invitees.ts';
import * as hands from '../rules/raise-hand.ts';
import { countOf, hasFlag, missingOf, readFlags, valueOf, type RuleArgs } from './args.ts';
import type { RuleIo } from './io.ts';
import { printAll, complain } from './saying.ts';
import { changeState, pathOf, readState } from './state.ts';

const name = 'raise-hand-arbiter';

type Action = (read: RuleArgs, io: RuleIo) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  '--detect': detect,
  '--plan-insertion': planInsertion,
  '--record-raise-hand': record,
  '--pending-deferred': listPending,
  '--log-line': printLine,
};

/** 0; 1 no raised hand; 2 who is not invited; 3 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, {
    values: ['--detect', '--invitees', '--requesting', '--target', '--cycle', '--status', '--state', '--session-id'],
    switches: ['--plan-insertion', '--record-raise-hand', '--pending-deferred', '--log-line'],
  });
  if (read.problem !== null) return complain(io, name, read.problem, 3);
  const chosen = Object.keys(actions).filter((flag) => hasFlag(read, flag));
  if (chosen.length !== 1) return complain(io, name, `expected one of ${Object.keys(actions).join(', ')}`, 3);
  const given = valueOf(read, '--cycle');
  if (given !== undefined && countOf(given) === undefined)
    return complain(io, name, '--cycle is a whole number from 0 on', 3);
  return await actions[chosen[0]!]!(read, io);
}

async function detect(read: RuleArgs, io: RuleIo): Promise<number> {
  const target = hands.detectRaiseHand(valueOf(read, '--detect') ?? '');
  return await Promise.resolve(target === undefined ? 1 : printAll(io, [target]));
}

async function planInsertion(read: RuleArgs, io: RuleIo): Promise<number> {
  const problem = missingOf(read, ['--invitees', '--requesting', '--target', '--cycle']);
  if (problem !== null) return complain(io, name, problem, 3);
  const hand = handOf(read);
  const planned = hands.planInsertion(parseNames(valueOf(read, '--invitees') ?? ''), hand);
  if (planned === undefined) return complain(io, name, `${hand.requesting} or ${hand.target} is not invited`, 2);
  return await Promise.resolve(printAll(io, planned.map(oneLine)));
}

async function record(read: RuleArgs, io: RuleIo): Promise<number> {
  const problem = missingOf(read, ['--cycle', '--requesting', '--target']);
  if (problem !== null) return complain(io, name, problem, 3);
  const path = ledgerPath(read, io);
  if (path === undefined) return complain(io, name, unnamed, 3);
  const status = await changeState(path, (text) => {
    const recorded = hands.recordRaiseHand(hands.parseLedger(text ?? ''), handOf(read));
    return { text: hands.printLedger(recorded.ledger), answer: recorded.status };
  });
  return printAll(io, [status]);
}

async function listPending(read: RuleArgs, io: RuleIo): Promise<number> {
  const problem = missingOf(read, ['--cycle']);
  if (problem !== null) return complain(io, name, problem, 3);
  const path = ledgerPath(read, io);
  if (path === undefined) return complain(io, name, unnamed, 3);
  const ledger = hands.parseLedger((await readState(path)) ?? '');
  const waiting = hands.pendingHands(ledger, handOf(read).cycle);
  return printAll(
    io,
    waiting.map(({ requesting, target }) => oneLine(`${requesting}->${target}`)),
  );
}

async function printLine(read: RuleArgs, io: RuleIo): Promise<number> {
  const problem = missingOf(read, ['--cycle', '--requesting', '--target', '--status']);
  if (problem !== null) return complain(io, name, problem, 3);
  const status = valueOf(read, '--status') ?? '';
  if (!/^[a-z][a-z0-9-]{0,80}$/.test(status))
    return complain(io, name, '--status is honored or deferred-to-next-cycle', 3);
  return await Promise.resolve(printAll(io, [hands.printArbitration(handOf(read), status)]));
}

function handOf(read: RuleArgs): hands.WaitingSince {
  return {
    cycle: countOf(valueOf(read, '--cycle')) ?? 0,
    requesting: valueOf(read, '--requesting')?.trim() ?? '',
    target: valueOf(read, '--target')?.trim() ?? '',
  };
}

const unnamed =
  'name the council whose hands these are: RAISE_HAND_STATE=<file>, --state <file>, --session-id <id> or GAIA_MEETING_SESSION_FILE=<file>';

/** A file of one council alone; undefined where nothing says which council it is. */
function ledgerPath(read: RuleArgs, io: RuleIo): string | undefined {
  const file = valueOf(read, '--state') || io.env['RAISE_HAND_STATE'];
  if (file) return pathOf(io, file);
  const sessionFile = io.env['GAIA_MEETING_SESSION_FILE'];
  const session = valueOf(read, '--session-id') || (sessionFile ? pathOf(io, sessionFile) : undefined);
  if (!session) return undefined;
  // Of its folder too: two projects may have councils of one name.
  const mark = createHash('sha256').update(`${io.cwd}\0${session}`).digest('hex').slice(0, 16);
  const readable = basename(session)
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 80);
  return join(io.env['TMPDIR'] || tmpdir(), `gaia-meeting-${readable}-${mark}.raise-hand`);
}
