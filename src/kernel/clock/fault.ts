/**
 * Fault points, for the torture runs: a place where the program may be made to die as `kill -9` would make it die.
 * With `GUILD_HALL_FAULT_AT=<n>` in the environment the n-th point that is passed ends the process at once;
 * without it a point costs one comparison. `GUILD_HALL_FAULT_MATCH=<text>` counts only points whose name contains it.
 */
const dieAt = Number(process.env['GUILD_HALL_FAULT_AT'] ?? 0);
const match = process.env['GUILD_HALL_FAULT_MATCH'] ?? '';
let passed = 0;

/** @param name where: `write:before:<file name>`, `git:after:commit-tree` … */
export function faultPoint(name: string): void {
  if (dieAt === 0 || !name.includes(match)) return;
  passed += 1;
  if (passed === dieAt) process.kill(process.pid, 'SIGKILL');
}
