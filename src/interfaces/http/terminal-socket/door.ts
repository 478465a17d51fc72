/** The terminals' own WebSocket door: one socket shows one terminal to one page, and takes its keys. For the person alone. */
import { errorFactsOf } from '../../../kernel/pure/errors.ts';
import { terminalCloseCodes, terminalMessageBytes, terminalProtocol } from '../../../kernel/pure/wire.ts';
import { deferred } from '../../../kernel/pure/deferred.ts';
import { openDoor, type Arrival, type DoorGuards, type SocketDoor } from '../socket/keeper.ts';
import { defaultSocketSettings, type SocketSettings } from '../socket/session.ts';
import { pathOfUpgrade, terminalPath } from '../socket/upgrade.ts';
import { receive, type AskingContext } from './asking.ts';
import { showOn, tell, type TerminalViews, type Viewing } from './viewing.ts';

export interface TerminalFace extends DoorGuards {
  readonly views: TerminalViews;
}

/** Less waits than for a page's own socket: what is old on a screen is of no use. */
export const terminalSettings: SocketSettings = { ...defaultSocketSettings, maxWaiting: 256 * 1024 };

export function openTerminalDoor(
  ctx: AskingContext,
  face: TerminalFace,
  given: Partial<SocketSettings> = {},
): SocketDoor {
  const settings = { ...terminalSettings, ...given };
  return openDoor(ctx, face, {
    path: terminalPath,
    protocol: terminalProtocol,
    for: 'terminal',
    messageBytes: terminalMessageBytes,
    settings,
    begin: (arrival) => begin(ctx, face.views, settings, arrival),
  });
}

function begin(
  ctx: AskingContext,
  views: TerminalViews,
  settings: SocketSettings,
  { ws, grant, purpose }: Arrival<'terminal'>,
): Viewing {
  const now = ctx.clock.monotonicMs();
  const viewing: Viewing = {
    ws,
    settings,
    readmit: grant.readmit,
    heardMs: now,
    pingedMs: now,
    takenMs: now,
    room: undefined,
    goOn: () => undefined,
    views,
    terminal: purpose.terminal,
    readOnly: purpose.readOnly,
    asked: [],
    isAsking: false,
    useless: deferred(),
  };
  ws.on('message', (data, isBinary) => receive(ctx, viewing, data, isBinary));
  const leave = views.onEnd(({ terminal, exitCode }) => {
    if (terminal !== viewing.terminal) return;
    tell(ctx, viewing, { kind: 'ended', exitCode });
    ws.close(terminalCloseCodes.ended, 'The program has ended.');
  });
  ws.once('close', leave);
  ctx.spawn('a terminal on a page', async () => await show(ctx, viewing));
  return viewing;
}

async function show(ctx: AskingContext, viewing: Viewing): Promise<void> {
  try {
    await showOn(ctx, viewing);
  } catch (error) {
    const problem = errorFactsOf(error);
    if (problem.code === 'internal') ctx.log.error({ err: error }, 'a terminal could not be shown');
    tell(ctx, viewing, { kind: 'refusal', problem });
    viewing.ws.close(terminalCloseCodes.notShown, 'The terminal cannot be shown.');
  }
}

/** Both doors as one: each upgrade comes to the one whose address it asks for, any other to the first. */
export function withTerminals(pages: SocketDoor, terminals: SocketDoor): SocketDoor {
  return {
    upgrade: (request, socket, head) =>
      (pathOfUpgrade(request) === terminalPath ? terminals : pages).upgrade(request, socket, head),
    close: async () => {
      await Promise.all([pages.close(), terminals.close()]);
    },
  };
}
