/**
 * Runs in the page: notes when each numbered word of an answer was announced by the hall (the event's own time), when
 * it came over the socket, and when the first frame that shows it was drawn; and how far apart frames were.
 */
export const pageClock = `(() => {
  const now = () => performance.timeOrigin + performance.now();
  const seen = { announced: [], came: [], drawn: [], frames: [], work: [] };
  globalThis.seen = seen;
  let text = '';
  let turn = -1;
  const Native = WebSocket;
  globalThis.WebSocket = class extends Native {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        const at = now();
        if (!data.includes('"text_delta"') || !location.pathname.includes('/meetings/')) return;
        const { event } = JSON.parse(data);
        if (!event || !location.pathname.endsWith(event.subject.split(':')[1])) return;
        if (event.data.turn !== turn) { turn = event.data.turn; text = ''; }
        text = (text + event.data.event.text).slice(-400);
        const newest = Number(/.*\\bw(\\d+)\\b(?=\\D)/s.exec(text)?.[1] ?? -1);
        for (let nth = seen.came.length; nth <= newest; nth += 1) {
          seen.announced[nth] = Date.parse(event.at);
          seen.came[nth] = at;
        }
      });
    }
  };
  const after = new MessageChannel();
  let shown = -1;
  let begun = 0;
  // Runs after the frame: what stands in the document now was drawn, since pages change it when a frame begins.
  after.port1.onmessage = () => {
    const at = now();
    seen.work.push(performance.now() - begun);
    const last = document.querySelector('.prose-growing')?.lastElementChild;
    const words = ((last?.previousElementSibling?.textContent ?? '') + ' ' + (last?.textContent ?? '')).slice(-800);
    const newest = /.*\\bw(\\d+)\\b/s.exec(words);
    if (newest) shown = Math.max(shown, Number(newest[1]));
    for (let nth = seen.drawn.length; nth <= shown; nth += 1) seen.drawn[nth] = at;
  };
  let before = 0;
  const frame = (time) => {
    if (before > 0) seen.frames.push(time - before);
    before = time;
    begun = performance.now();
    after.port2.postMessage(0);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})()`;

/** What the page noted. Times are milliseconds since 1970, by the number of the word; the rest milliseconds. */
export interface Seen {
  readonly announced: readonly number[];
  readonly came: readonly number[];
  readonly drawn: readonly number[];
  /** From one frame to the next. */
  readonly frames: readonly number[];
  /** From the beginning of a frame until it was drawn. */
  readonly work: readonly number[];
}
