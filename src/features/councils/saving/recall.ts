/** Memory that comes back: what an agent decided in earlier councils, found again by what is spoken about now. */

/**
 * Decisions of the agent that match the charter by tag, source meeting or words, newest first, as Markdown; '' for none.
 * Bounded; nothing of it is an instruction to the hall.
 * @param agent name in headers or name of the worker: either finds its folder
 */
export async function matchingDecisions(_root: string, _agent: string, _charter: string): Promise<string> {
  return '';
}
