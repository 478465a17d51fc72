/** Work that nobody waits for still has an owner: what goes wrong in it reaches the browser's console and its fault event. */
export function inBackground(work: Promise<unknown>): void {
  work.catch((error: unknown) => reportError(error));
}
