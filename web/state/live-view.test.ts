import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HallEvent, parseCursor, printCursor } from '../../src/kernel/pure/events.ts';
import { createLiveStore, followLive, type LiveSource, type LiveStore } from './live-view.ts';
import { factsOf } from './session.ts';

/** Everything that was told so far, by its numbers. */
interface Numbers {
  readonly told: readonly number[];
  readonly cursor: string;
}

interface Play {
  readonly store: LiveStore<Numbers>;
  readonly source: LiveSource<Numbers>;
  epoch: number;
  told: number[];
  seq: number;
  /** Reads under way: each answers with what was told when it looked. */
  readonly reads: (() => void)[];
  frame: (() => void) | undefined;
}

const epochOf = (play: Play): string => `e${play.epoch}`;

function fold(view: Numbers, event: HallEvent): Numbers {
  const seen = parseCursor(view.cursor)!;
  if (seen.epoch === event.epoch && event.seq <= seen.seq) return view;
  return { told: [...view.told, event.data as number], cursor: printCursor(event) };
}

function begin(): Play {
  const play = { epoch: 1, told: [], seq: 0, reads: [], frame: undefined } as unknown as Play;
  const source: LiveSource<Numbers> = {
    eventListeners: new Set(),
    resetListeners: new Set(),
    read: () =>
      new Promise((resolve) => {
        const view = { told: [...play.told], cursor: `${epochOf(play)}.${play.seq}` };
        play.reads.push(() => resolve(view));
      }),
    fold,
    isAbout: ({ subject }) => subject === 'it',
    tellsMore: ({ data }) => (data as number) % 7 === 0,
    factsOf,
    onFrame: (run) => {
      play.frame = run;
      return () => {
        play.frame = undefined;
      };
    },
  };
  Object.assign(play, { source, store: createLiveStore(source) });
  followLive(play.store);
  return play;
}

/** One turn of the loop: whatever was promised has come. */
const settled = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

function tell(play: Play, isHeard: boolean): void {
  play.seq += 1;
  const data = play.told.length + 1;
  play.told.push(data);
  const event = { epoch: epochOf(play), seq: play.seq, at: '', type: 'x', project: null, subject: 'it', data };
  if (isHeard) for (const listener of play.source.eventListeners) listener(event);
}

/** The hall begins to count anew, or events were missed: the page is told to read everything. */
function miss(play: Play): void {
  tell(play, false);
  play.epoch += 1;
  play.seq = 0;
  for (const listener of play.source.resetListeners) listener();
}

function drawFrame(play: Play): void {
  const run = play.frame;
  play.frame = undefined;
  run?.();
}

async function step(play: Play, what: string): Promise<void> {
  if (what === 'tell') tell(play, true);
  if (what === 'miss') miss(play);
  if (what === 'frame') drawFrame(play);
  if (what === 'answer') play.reads.shift()?.();
  await settled();
}

test('However reads, events and frames fall together, nothing is lost or doubled [WEB-COMMISSION]', async () => {
  const steps = fc.array(fc.constantFrom('tell', 'tell', 'tell', 'frame', 'answer', 'miss'), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const play = begin();
      for (const what of all) {
        await step(play, what);
        const shown = play.store.state.view?.told ?? [];
        // At every moment what is shown is what was told, up to some point.
        expect(shown).toEqual(play.told.slice(0, shown.length));
      }
      while (play.reads.length > 0 || play.frame !== undefined) {
        await step(play, 'answer');
        await step(play, 'frame');
      }
      expect(play.store.state.view?.told).toEqual(play.told);
      play.store.stop?.();
      expect(play.source.eventListeners.size + play.source.resetListeners.size).toBe(0);
    }),
    { numRuns: 150 },
  );
});
