/** The programs that terminals run: the ready entries, and any command of the person. */
import { join } from 'node:path';
import type { ProgramKind, Programs } from '../features/terminals/context.ts';
import type { Manner } from '../kernel/terminals/contract.ts';

/** A program of which nothing is known: what it says is what stands there when it is quiet. */
const anyManner: Manner = { name: 'any', speech: 'quiet', hasReceipts: false };

export function terminalPrograms(): Programs {
  return {
    entries: () => [{ name: 'shell', about: 'your shell' }],
    prepare: async ({ entry, words, sandbox, folder, env }) => {
      const [file = '', ...args] = entry === null ? words : [process.env['SHELL'] ?? '/bin/sh', ...words];
      const reason = sandbox === 'unwanted' ? 'It was started without one.' : 'Only agents run in one.';
      return { file, args, env, kind: kindIn(folder), sandbox: { kind: 'none', reason }, leave: async () => {} };
    },
    kindOf: (_record, folder) => kindIn(folder),
    leave: async () => {},
  };
}

function kindIn(folder: string): ProgramKind {
  return { manner: anyManner, restFolder: join(folder, 'rest') };
}
