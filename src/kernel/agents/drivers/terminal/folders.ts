/** The folders of one terminal's program, and what is written into them before it starts. */
import { chmod, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeAtomically } from '../../../artifacts/write.ts';
import type { LogContext } from '../../../log/log.ts';
import type { EntryFile } from './shapes.ts';
import { tellPath, tellScript } from './tell-script.ts';

export interface Folders {
  /** Of the terminal: nothing in it is shown to the program but what follows. Absolute. */
  readonly own: string;
  readonly config: string;
  readonly tmp: string;
  /** Rests of messages that were too long. */
  readonly rest: string;
  readonly signals: string;
  /** Sockets that lead out of its sandbox. */
  readonly ways: string;
}

export function foldersOf(own: string): Folders {
  const tmp = join(own, 'tmp');
  return {
    own,
    config: join(own, 'config'),
    tmp,
    rest: join(tmp, 'rest'),
    signals: join(own, 'signals'),
    ways: join(own, 'ways'),
  };
}

/** Makes them, for the person alone, and writes the files with the script that every hook calls. */
export async function fillFolders(folders: Folders, files: readonly EntryFile[]): Promise<void> {
  const { own, config, tmp, rest, signals } = folders;
  for (const path of [own, config, tmp, rest, signals]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
  }
  for (const { path, text } of [...files, { path: tellPath, text: tellScript }]) {
    const file = join(config, path);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeAtomically(file, text, { mode: 0o600 });
  }
}

/** What the program had to itself. What it told stays until it is read. */
export async function removeFolders(ctx: LogContext, { config, tmp, ways }: Folders): Promise<void> {
  for (const path of [config, tmp, ways]) {
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
      // Something that it started still writes there; all of it goes with the terminal's folder.
      ctx.log.warn({ err: error, path }, 'a folder of an ended terminal could not be removed');
    });
  }
}
