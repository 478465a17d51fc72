/** The thread's side: answers one question after the other. Loaded by the thread's program alone. */
import { parentPort } from 'node:worker_threads';
import { createEngine, find, keepOnly } from './engine.ts';
import type { FindRequest, Found } from './shapes.ts';

export type Question =
  | { readonly find: FindRequest }
  /** Forget what is kept of other projects. */
  | { readonly keepOnly: { readonly home: string; readonly names: readonly string[] } };

export interface Asked {
  readonly n: number;
  readonly question: Question;
}

export type Told = { readonly n: number } & ({ readonly found: Found | undefined } | { readonly reason: string });

export function answerQuestions(): void {
  const engine = createEngine();
  parentPort?.on('message', ({ n, question }: Asked) => {
    let told: Told;
    try {
      if ('find' in question) told = { n, found: find(engine, question.find) };
      else {
        keepOnly(engine, question.keepOnly.home, question.keepOnly.names);
        told = { n, found: undefined };
      }
    } catch (error) {
      // What it holds may not be what is on the disk any more.
      engine.known.clear();
      told = { n, reason: error instanceof Error ? error.message : String(error) };
    }
    parentPort?.postMessage(told);
  });
}
