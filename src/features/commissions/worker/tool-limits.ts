/** How long a call of a tool may take before it no longer counts as life. Pure. */

const minuteMs = 60_000;
/** The agent's program ends a command after two minutes unless it asks for more, at most ten. */
const commandMs = 2 * minuteMs;
const longestCommandMs = 10 * minuteMs;
/** Looks at files and the like answer at once; a large search takes a while. */
const quickMs = 3 * minuteMs;
/** Tools of a package may build and test. */
const packageToolMs = 30 * minuteMs;

const quick: ReadonlySet<string> = new Set(
  (
    'Read Grep Glob Write Edit NotebookEdit TodoWrite WebSearch WebFetch list_artifacts read_artifact write_artifact ' +
    'record_decision list_memory read_memory write_memory report_progress log_question submit_result'
  ).split(' '),
);

/** Milliseconds. @param name as it is shown: the hall's own tools without a prefix */
export function toolLimitMs(name: string, input: unknown): number {
  if (quick.has(name)) return quickMs;
  if (name !== 'Bash') return packageToolMs;
  const asked = (input as { timeout?: unknown } | null)?.timeout;
  const timeoutMs = typeof asked === 'number' && asked > 0 ? Math.min(asked, longestCommandMs) : commandMs;
  // It is ended by then, and its end takes a moment.
  return timeoutMs + minuteMs / 2;
}
