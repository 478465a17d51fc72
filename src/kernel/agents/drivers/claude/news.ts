/** What a reader of a turn is told of its session beyond the turn: once, and again when it is another. */
import type { AgentChoice, AgentEvent, OpenOptions } from '../../contract.ts';
import { type Chosen, choicesOf } from './modes.ts';
import { readSkills } from './skills.ts';

export async function newsOf(open: OpenOptions, chosen: Chosen): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  if (open.ask !== undefined && isNews(chosen, 'choices', choicesOf(chosen)))
    events.push({ type: 'choices', choices: choicesOf(chosen) });
  if (open.plugins === undefined) return events;
  const commands = (await readSkills(open.plugins)).map(({ command }) => command);
  if (isNews(chosen, 'commands', commands)) events.push({ type: 'commands', commands });
  return events;
}

/** For whoever is told in another way than by a turn. */
export function tellChoices(open: OpenOptions, chosen: Chosen): readonly AgentChoice[] {
  if (open.ask === undefined) return [];
  const choices = choicesOf(chosen);
  isNews(chosen, 'choices', choices);
  return choices;
}

function isNews(chosen: Chosen, what: 'choices' | 'commands', value: unknown): boolean {
  const text = JSON.stringify(value);
  if (chosen.told.get(what) === text) return false;
  chosen.told.set(what, text);
  return true;
}
