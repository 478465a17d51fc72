/** Programs in terminals outlive the hall, and know the gateway by its port: the next hall takes the same one. */
import { z } from 'zod';
import { readTextIfExists, writeAtomically } from '../../artifacts/write.ts';
import { HallError } from '../../pure/errors.ts';
import type { GatewayContext } from './calls.ts';
import { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';

const portSchema = z.coerce.number().int().min(1).max(65_535);

/**
 * Starts the gateway at the port that the file tells, or at any free one where that is taken or none is told.
 * @param file absolute; holds the port as a number
 */
export async function startGatewayAgain(
  ctx: GatewayContext,
  file: string,
  options: Omit<GatewayOptions, 'port'>,
): Promise<Gateway> {
  const kept = portSchema.safeParse((await readTextIfExists(file))?.trim()).data;
  const gateway = await startAt(ctx, kept, options);
  const { port } = new URL(gateway.baseUrl);
  if (Number(port) !== kept) await writeAtomically(file, `${port}\n`, { mode: 0o600 });
  return gateway;
}

async function startAt(
  ctx: GatewayContext,
  port: number | undefined,
  options: Omit<GatewayOptions, 'port'>,
): Promise<Gateway> {
  if (port === undefined) return startGateway(ctx, options);
  try {
    return await startGateway(ctx, { ...options, port });
  } catch (error) {
    if (!(error instanceof HallError)) throw error;
    ctx.log.warn({ port }, 'the port of the model endpoint is taken: programs of an earlier hall cannot reach it');
    return startGateway(ctx, options);
  }
}
