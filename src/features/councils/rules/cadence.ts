/** The two beats of a council, which know nothing of one another: when the person is asked, and when costs are told. Pure. */

const defaultCadence = 4;
const [leastCadence, mostCadence] = [1, 10];
export const costCheckEvery = 10;

/**
 * After how many DISCUSS turns the person is asked.
 * @param value `meeting.checkpoint_every_n_turns`, whatever a file of the repository has there; undefined: nothing
 */
export function settleCadence(value: unknown): { readonly cadence: number; readonly warning?: string } {
  if (value === undefined || value === null) return { cadence: defaultCadence };
  const number = integerOf(value);
  if (number === undefined) return { cadence: defaultCadence, warning: warningOf(value, defaultCadence) };
  const cadence = Math.min(Math.max(number, leastCadence), mostCadence);
  return cadence === number ? { cadence } : { cadence, warning: warningOf(value, cadence) };
}

function integerOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  return typeof value === 'string' && /^[+-]?\d{1,15}$/.test(value.trim()) ? Number(value.trim()) : undefined;
}

function warningOf(value: unknown, cadence: number): string {
  const given = JSON.stringify(value)?.slice(0, 60) ?? 'something else';
  return `[gaia-meeting] WARNING: meeting.checkpoint_every_n_turns is ${given}; expected a whole number from ${leastCadence} to ${mostCadence}, taken as ${cadence}`;
}

/** @param counter emitted turns of every kind, over the whole council */
export function isCostCheck(counter: number, every = costCheckEvery): boolean {
  return counter > 0 && counter % every === 0;
}

/** @param speakers tokens by name; who has spent none, above all the person, is left out */
export function printCostCheck(counter: number, total: number, speakers: Readonly<Record<string, number>>): string {
  const each = Object.entries(speakers).flatMap(([name, tokens]) => (tokens === 0 ? [] : [`${name} ${tokens}`]));
  return `[cost-check after turn ${counter}: ${total} tokens${each.length === 0 ? '' : ` (${each.join(', ')})`}]`;
}
