/** What happens when whoever read the output went away, as with `| head`. */

interface Breakable {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

/** Calls `leave` when a stream's reader is gone. That is no fault of the program; any other error of a stream is. */
export function leaveWithReader(streams: readonly Breakable[], leave: () => void): void {
  for (const stream of streams) {
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
      leave();
    });
  }
}
