/**
 * Tools that an agent's own program brings along, and that a worker may declare. The list is closed: a name that the
 * hall does not know is a tool whose reach nobody has looked at.
 */
const builtIns = {
  Read: 'read a file of the checkout',
  Grep: 'search the contents of files by regular expression',
  Glob: 'find files by name pattern',
  Write: 'write a file',
  Edit: 'change a part of a file',
  NotebookEdit: 'change a cell of a notebook',
  Bash: 'run a command in the checkout',
  TodoWrite: 'keep a list of the steps at hand',
  WebSearch: 'search the web',
  WebFetch: 'read a page of the web',
} as const;

export type BuiltInToolName = keyof typeof builtIns;

export const builtInToolNames = Object.keys(builtIns) as readonly BuiltInToolName[];

/** A few words of what the tool does, for the system prompt; undefined for an unknown name. */
export function describeBuiltIn(name: string): string | undefined {
  return Object.hasOwn(builtIns, name) ? builtIns[name as BuiltInToolName] : undefined;
}
