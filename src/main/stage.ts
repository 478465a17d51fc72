/** What was opened, to be closed in the opposite order, whatever goes wrong on the way. */
import type { Log } from '../kernel/log/log.ts';

export interface Stage {
  /** Remembers how to close what was just opened. */
  opened(name: string, close: () => Promise<void>): void;
  /** Closes everything, the last first. A part that cannot be closed is logged, and the rest goes on. */
  closeAll(log: Log): Promise<void>;
}

export function createStage(): Stage {
  const parts: { name: string; close: () => Promise<void> }[] = [];
  return {
    opened: (name, close) => void parts.push({ name, close }),
    closeAll: async (log) => {
      for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
        try {
          await part.close();
        } catch (error) {
          log.error({ err: error, part: part.name }, 'a part of the hall could not be closed');
        }
      }
    },
  };
}
