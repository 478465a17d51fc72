/**
 * What a session of the agent may do without asking the person, as the person chose it. The gate stands before it: what
 * the gate denies is never asked. Kept in memory alone: the agent can write its own folder, so nothing there decides this.
 */
import { fieldsOf } from './calls.ts';
import { fail } from '../../../pure/errors.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import type { AgentChoice } from '../../contract.ts';

const modes = [
  { id: 'ask', name: 'Ask first', description: 'Every change of a file and every shell command is asked for.' },
  { id: 'edits', name: 'Edit freely', description: 'Files of the project are changed; shell commands are asked for.' },
  { id: 'auto', name: 'On its own', description: 'Whatever the sandbox allows is done without asking.' },
  { id: 'plan', name: 'Plan only', description: 'Reads and thinks; changes nothing and runs nothing.' },
] as const;
export type Mode = (typeof modes)[number]['id'];

const modeChoice = 'mode';

/** What was chosen for one session of the agent. */
export interface Chosen {
  mode: Mode;
  /** Tools that the person allowed for the whole session. */
  readonly always: Set<string>;
  /** What a reader of its turns was last told, as text: choices and commands. */
  readonly told: Map<'choices' | 'commands', string>;
}

export type ChosenBySession = Map<AgentSessionId, Chosen>;

export function chosenOf(sessions: ChosenBySession, id: AgentSessionId): Chosen {
  const known = sessions.get(id);
  if (known) return known;
  const chosen: Chosen = { mode: 'ask', always: new Set(), told: new Map() };
  sessions.set(id, chosen);
  return chosen;
}

export function choicesOf(chosen: Chosen): readonly AgentChoice[] {
  return [{ id: modeChoice, name: 'Mode', kind: 'mode', current: chosen.mode, options: modes }];
}

/** @throws HallError `invalid` for what is not offered */
export function chooseMode(chosen: Chosen, choice: string, option: string): void {
  const mode = choice === modeChoice ? modes.find(({ id }) => id === option) : undefined;
  if (mode === undefined) {
    const offered = modes.map(({ id }) => id).join(', ');
    throw fail(
      'invalid',
      `"${choice}: ${option}" cannot be chosen for this agent; it offers "mode" with ${offered}.`,
      'Choose one of those.',
    );
  }
  chosen.mode = mode.id;
}

/** Tools that only look, or keep the agent's own list. */
const looking: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'TodoWrite']);
const editing: ReadonlySet<string> = new Set(['Write', 'Edit', 'NotebookEdit']);
const fetching: ReadonlySet<string> = new Set(['WebFetch', 'WebSearch']);

/** Files that other programs of the person take as settings, and run what stands in them. */
const settingsOfPrograms =
  /(?:^|[\\/])(?:\.claude|\.codex|\.cursor|\.gemini|\.opencode|\.vscode|\.idea|\.husky|\.devcontainer|\.envrc|\.mcp\.json|\.git(?:attributes|modules|config))(?:[\\/]|$)/i;

/** What becomes of a call that the gate allows. The hall's own tools answer for themselves. */
export function decideByMode({ mode, always }: Chosen, tool: string, input?: unknown): 'go' | 'ask' | 'refuse' {
  if (looking.has(tool) || tool.startsWith('mcp__hall__') || mode === 'auto') return 'go';
  if (mode === 'plan') return fetching.has(tool) ? 'ask' : 'refuse';
  if (editing.has(tool) && pathsOf(input).some((path) => settingsOfPrograms.test(path))) return 'ask';
  if (always.has(tool) || (mode === 'edits' && editing.has(tool))) return 'go';
  return 'ask';
}

function pathsOf(input: unknown): string[] {
  const fields = fieldsOf(input);
  return [fields['file_path'], fields['notebook_path']].filter((path) => typeof path === 'string');
}

export const planRefusal =
  'This session is in the mode "Plan only": nothing is changed and nothing is run. Say what you would do instead.';

/** What the model is told with each prompt of that mode. */
export const planNotice =
  'The person has put this session into the mode "Plan only". Read what you need and say what you would do; do not change files and do not run commands.';
