/** An answer that may be long in coming, held until it has ended or its reader has gone. */
import type { HeldStream } from './parts.ts';

/** @param ended called once, when nothing more comes of it */
export function heldResponse(response: Response, stream: HeldStream, ended: () => void): Response {
  const end = (): void => {
    stream.leave();
    ended();
  };
  if (!response.body) {
    end();
    return response;
  }
  const reader = response.body.getReader();
  // Cancelled, it reads as ended.
  const cut = (): void => void reader.cancel().catch(end);
  if (stream.signal.aborted) cut();
  stream.signal.addEventListener('abort', cut, { once: true });
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      end();
      return controller.close();
    },
    cancel: async (reason) => {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
