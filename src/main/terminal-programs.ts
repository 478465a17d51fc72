/** The programs that terminals run: the ready entries, and any command of the person. */
import { z } from 'zod';
import type { ProgramAsked, ProgramReady, Programs } from '../features/terminals/context.ts';
import { isShellCommand } from '../features/terminals/rules.ts';
import type { EntrySettings, KeptAgent } from '../kernel/agents/drivers/terminal/shapes.ts';
import { type ChosenEntry, entryOf, terminalEntries } from '../kernel/agents/drivers/terminal/entries.ts';
import {
  prepareTerminalAgent,
  rejoinTerminalAgent,
  type TerminalAgentParts,
} from '../kernel/agents/drivers/terminal/prepare.ts';
import { type ProjectName, projectNameSchema } from '../kernel/pure/ids.ts';
import type { HallContext } from './context.ts';

/** Stands for a project where there is none: of no repository, and in no list. */
const noProject: ProjectName = projectNameSchema.parse('no-project');

const keptSchema = z.object({
  entry: z.string(),
  modelToken: z.string().optional(),
  modelName: z.string().optional(),
  ports: z.array(z.number()),
});

export function terminalPrograms(hall: HallContext): Programs {
  const parts: TerminalAgentParts = {
    gateway: hall.gateway,
    sandbox: hall.sandbox,
    maxRetries: () => hall.config().agents.maxRetries,
    environment: process.env,
  };
  const own = (): Readonly<Record<string, EntrySettings>> => hall.config().terminals.agents;
  return {
    entries: () =>
      terminalEntries(own()).map(({ entry: { name, title: about, isAgent, manner }, settings: { command = [] } }) => ({
        name,
        about,
        isAgent,
        isShell: manner.name === 'shell' || isShellCommand(command),
      })),
    prepare: async (asked) => await prepare(hall, parts, entryOf(own(), asked.entry), asked),
    rejoin: async ({ id, entry, project, kept }, folder) =>
      await rejoinTerminalAgent(hall, parts, entryOf(own(), entry).entry, {
        id,
        project: project ?? noProject,
        folder,
        kept: keptSchema.parse(kept) as KeptAgent,
      }),
  };
}

async function prepare(
  hall: HallContext,
  parts: TerminalAgentParts,
  chosen: ChosenEntry,
  asked: ProgramAsked,
): Promise<ProgramReady> {
  const { id, project, folder, cwd, mark, mcp, cols, rows, wantsSandbox, isByAgent, mayWrite } = asked;
  const command = commandOf(chosen, asked);
  return await prepareTerminalAgent(hall, parts, chosen, {
    id,
    project: project ?? noProject,
    folder,
    cwd,
    write: mayWrite,
    unsandboxed: !wantsSandbox,
    isAttended: !isByAgent,
    ...(command === undefined ? {} : { command }),
    ...(mcp === null ? {} : { mcp }),
    mark,
    cols,
    rows,
  });
}

/** Words of the person for an entry come behind its program, before the entry's own. */
function commandOf(
  { entry, settings }: ChosenEntry,
  { entry: name, words }: ProgramAsked,
): [string, ...string[]] | undefined {
  if (name === null) return [words[0] ?? '', ...words.slice(1)];
  const [file, ...own] = settings.command ?? [entry.program()];
  return words.length === 0 || file === undefined ? undefined : [file, ...own, ...words];
}
