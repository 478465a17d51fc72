/**
 * The process of one attempt of a commission: `run-commission <folder of the attempt>`. It is started by the hall and
 * needs it no more. It ends with 0 when it came to an end in order, whatever that was; with 1 when it met a fault of its
 * own; with 2 when there was nothing for it to do.
 */
import { beginAttempt } from '../features/commissions/worker/begin.ts';
import { errorFactsOf } from '../kernel/pure/errors.ts';

const [folder = ''] = process.argv.slice(2);

/** From the first moment on: who asks it to end need not know how far it has come. */
const asked = new AbortController();
process.on('SIGTERM', () => asked.abort());
// It belongs to no terminal, and what closes or interrupts one is not meant for it.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) process.on(signal, () => undefined);

try {
  const order = await beginAttempt(folder, process.env);
  const { workOn } = await import('./worker-process.ts');
  process.exit(await workOn(folder, order, asked.signal));
} catch (error) {
  const { message, hint } = errorFactsOf(error);
  process.stderr.write(`${message}\n${hint}\n`);
  process.exit(2);
}
