/** What is stored right before a question is put: where the council stands, then when it was asked. Prints nothing. */
import { existsSync } from 'node:fs';
import { yieldNames } from '../contract/terms.ts';
import { sessionPath } from '../store/place.ts';
import { isSessionId, updateSessionField } from '../store/session-fields.ts';
import { missingOf, readFlags, valueOf } from './args.ts';
import type { RuleIo } from './io.ts';
import { complain } from './saying.ts';
import { inTurn, reasonOf } from './session-state.ts';
import { pathOf } from './state.ts';

const name = 'yield-gate';

/** 0; 1 it could not be stored; 2 malformed. */
export async function run(args: readonly string[], io: RuleIo): Promise<number> {
  const read = readFlags(args, { values: ['--phase', '--session-id'], switches: ['--side-effect-only'] });
  const problem = read.problem ?? missingOf(read, ['--phase', '--session-id']);
  if (problem !== null) return complain(io, name, problem, 2);
  const phase = valueOf(read, '--phase')!;
  const id = valueOf(read, '--session-id')!;
  if (!(yieldNames as readonly string[]).includes(phase))
    return complain(io, name, `--phase is one of ${yieldNames.join(', ')}`, 2);
  if (!isSessionId(id)) return complain(io, name, `${JSON.stringify(id.slice(0, 100))} is no session id`, 2);
  const own = io.env['GAIA_MEETING_SESSION_FILE'];
  const path = pathOf(io, own === undefined || own === '' ? sessionPath(id) : own);
  if (!existsSync(path)) return complain(io, name, `there is no session file ${path}`, 1);
  try {
    await inTurn(path, async () => {
      await updateSessionField(path, 'last_checkpoint_phase', phase);
      await updateSessionField(path, 'last_yield_emitted_at', io.now());
    });
    return 0;
  } catch (error) {
    return complain(io, name, reasonOf(error), 1);
  }
}
