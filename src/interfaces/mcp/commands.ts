/** Commands that a hint of the hall names, by the tool that does the same: an agent has no command line. Pure. */
import type { HallTool } from './tools.ts';

type Tools = ReadonlyMap<string, Pick<HallTool, 'name' | 'operation'>>;

/** @param canUse whether the caller may use it; a command without such a tool stays as it is */
export function withTools(hint: string, tools: Tools, canUse: (tool: Pick<HallTool, 'operation'>) => boolean): string {
  return hint.replaceAll(/\bguild-hall ([a-z]+)( [a-z-]+)?(?![a-z])/g, (command, noun: string, verb: string = '') => {
    const exact = toolOf(tools, `${noun}.${verb.trim()}`);
    if (exact !== undefined) return canUse(exact) ? exact.name : command;
    const alone = toolOf(tools, noun);
    return alone !== undefined && canUse(alone) ? `${alone.name}${verb}` : command;
  });
}

function toolOf(tools: Tools, operation: string) {
  return [...tools.values()].find((tool) => tool.operation.description.name === operation);
}
