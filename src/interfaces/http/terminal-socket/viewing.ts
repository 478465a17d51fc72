/**
 * What one page sees of a terminal: all of its screen, then every byte. A page that takes them too slowly is sent no
 * more until it has taken what waits for it, and then the screen as it is by then, however much went over it meanwhile.
 */
import type { ClockContext } from '../../../kernel/clock/clock.ts';
import { deferred, type Deferred } from '../../../kernel/pure/deferred.ts';
import type { TerminalServerMessage } from '../../../kernel/pure/wire.ts';
import type { TerminalId } from '../../../kernel/terminals/contract.ts';
import type { LiveView, TerminalEnd } from '../../../kernel/terminals/shapes.ts';
import { put, type Tended } from '../socket/session.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** The hall's terminals, as far as they are seen from a page. */
export interface TerminalViews {
  /**
   * Every later byte comes after what the view shows. What `onSize` says is meant for the bytes that follow it, which
   * show everything anew. @throws HallError
   */
  readonly watch: (
    id: TerminalId,
    onBytes: (bytes: Uint8Array) => void,
    onSize: (size: Size) => void,
  ) => Promise<LiveView>;
  /** @throws HallError */
  readonly type: (id: TerminalId, bytes: Uint8Array) => Promise<void>;
  /** @throws HallError */
  readonly resize: (id: TerminalId, size: Size) => Promise<void>;
  /** @returns what ends it */
  readonly onEnd: (listener: (end: TerminalEnd) => void) => () => void;
}

/** The socket of one page for one terminal. */
export interface Viewing extends Tended {
  readonly views: TerminalViews;
  readonly terminal: TerminalId;
  readonly readOnly: boolean;
  /** What the page sent and is not worked off, oldest first. Meanwhile nothing more is read from it. */
  readonly asked: (Size | Uint8Array)[];
  isAsking: boolean;
  /** Resolves when the view that is sent now is of no use any more: the page is slow, or gone. */
  useless: Deferred<void>;
}

export function tell(ctx: ClockContext, viewing: Viewing, message: TerminalServerMessage): void {
  hand(ctx, viewing, JSON.stringify(message), false);
}

function hand(ctx: ClockContext, viewing: Viewing, data: string | Uint8Array, binary: boolean): void {
  if (put(ctx, viewing, data, binary)) viewing.useless.resolve();
}

/** Shows it until the socket closes. @throws HallError where the terminal cannot be shown (any more) */
export async function showOn(ctx: ClockContext, viewing: Viewing): Promise<void> {
  const { ws } = viewing;
  ws.once('close', () => viewing.useless.resolve());
  while (ws.readyState === ws.OPEN) {
    viewing.useless = deferred();
    const view = await beginView(ctx, viewing);
    if (ws.readyState === ws.OPEN) await viewing.useless.promise;
    view.stop();
    await viewing.room?.promise;
  }
}

async function beginView(ctx: ClockContext, viewing: Viewing): Promise<LiveView> {
  const { views, terminal, useless } = viewing;
  // Bytes may come before it is known what they come after.
  let early: (() => void)[] | undefined = [];
  const inTurn = (send: () => void): void => {
    if (early) early.push(send);
    else if (viewing.useless === useless && viewing.room === undefined) send();
  };
  const view = await views.watch(
    terminal,
    (bytes) => inTurn(() => hand(ctx, viewing, bytes, true)),
    (size) => inTurn(() => tell(ctx, viewing, { kind: 'screen', ...size })),
  );
  tell(ctx, viewing, { kind: 'screen', cols: view.cols, rows: view.rows });
  hand(ctx, viewing, view.snapshot, true);
  for (const send of early) if (viewing.room === undefined) send();
  early = undefined;
  return view;
}
