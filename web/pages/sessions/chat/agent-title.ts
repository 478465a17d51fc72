/** What an agent is called. */
import { useRead } from '../../../state/hall.tsx';

/** The agent's title for people; its name until that is known, or where the settings do not have it any more. */
export function useAgentTitle(name: string): string {
  const { data } = useRead('session.agents', {});
  return data?.agents.find((agent) => agent.name === name)?.title ?? name;
}
