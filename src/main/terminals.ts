/** Joins the terminals: the hall's own tmux server, opened when it is needed, and who runs in it. */
import { existsSync } from 'node:fs';
import type {
  Conversing,
  Desk,
  HallTerminals,
  Programs,
  TerminalsFeatureContext,
} from '../features/terminals/context.ts';
import { terminalKind } from '../features/terminals/contract.ts';
import { bindTerminals } from '../features/terminals/operations.ts';
import { bearerOf } from '../features/terminals/operations/bearers.ts';
import { livingIn, runningTerminals, waitingTerminals } from '../features/terminals/operations/waiting.ts';
import { followTerminals } from '../features/terminals/reactions/following.ts';
import { recoverTerminals } from '../features/terminals/reactions/recovery.ts';
import { terminalsFolder } from '../features/terminals/store.ts';
import type { Listener } from '../kernel/terminals/shapes.ts';
import { closeTerminals, listenToTerminals, openTerminals, type Terminals } from '../kernel/terminals/terminals.ts';
import { isTmuxUp, killServer } from '../kernel/terminals/tmux/server.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';
import { tmuxSocketOf } from './tmux-socket.ts';

/** Of the hall's environment, what the tmux server and so every program begins with. */
const passedOn = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'] as const;

export interface TerminalsJoin {
  readonly desk: Desk;
  readonly terminals: HallTerminals;
  readonly conversing: Conversing;
  readonly programs: Programs;
  /** Address of the MCP door. */
  readonly mcpUrl: () => string;
}

export function terminalsContext(hall: HallContext, joined: TerminalsJoin): TerminalsFeatureContext {
  return { ...hall, ...joined };
}

/** @param beforeJoining runs before those of an earlier hall are joined: from then on nothing is missed */
export function joinTerminals(ctx: TerminalsFeatureContext, beforeJoining: () => Promise<void>): HallFeature {
  const { terminals } = ctx;
  followTerminals(ctx);
  return {
    name: 'terminals',
    operations: bindTerminals(ctx),
    recover: async () => {
      await beforeJoining();
      await recoverTerminals(ctx);
    },
    stop: async () => await terminals.close(livingIn(ctx).length > 0),
    running: async (project) => livingIn(ctx, project).map(({ id }) => `${terminalKind} ${id}`),
    activityKind: terminalKind,
    endCommand: (id) => `guild-hall terminal end ${id}`,
    terminalOf: (token) => bearerOf(ctx, token),
    activities: async (project) => runningTerminals(ctx, project),
    waiting: async () => await waitingTerminals(ctx),
  };
}

export function hallTerminals(hall: HallContext): HallTerminals {
  const socket = tmuxSocketOf(hall.home);
  /** With what ends it, once there is somebody to listen to. */
  const waiting = new Map<Listener, (() => void) | undefined>();
  let open: Terminals | undefined;
  let opening: Promise<Terminals> | undefined;
  const env = environment();
  const openOnce = async (): Promise<Terminals> => {
    const opened = await openTerminals(hall, { socket, folder: terminalsFolder(hall), env });
    for (const listener of waiting.keys()) waiting.set(listener, listenToTerminals(opened, listener));
    return (open = opened);
  };
  return {
    socket,
    now: () => open,
    open: async () =>
      await (opening ??= openOnce().catch((error: unknown) => {
        // It may be there at the next try.
        opening = undefined;
        throw error;
      })),
    isUp: async () => existsSync(socket) && (await isTmuxUp(hall, { socket, env })),
    listen: (listener) => {
      waiting.set(listener, open === undefined ? undefined : listenToTerminals(open, listener));
      return () => {
        waiting.get(listener)?.();
        waiting.delete(listener);
      };
    },
    close: async (hasLiving) => {
      if (open === undefined) return;
      await closeTerminals(open);
      if (!hasLiving) await killServer(open.tmux);
    },
  };
}

function environment(): Record<string, string> {
  const kept = passedOn.flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  const env = Object.fromEntries(kept);
  return env['LANG'] === undefined && env['LC_ALL'] === undefined ? { ...env, LANG: 'C.UTF-8' } : env;
}
