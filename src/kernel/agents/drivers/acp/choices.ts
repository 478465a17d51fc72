/** What may be chosen for a session, from the two ways in which agents offer it: modes, and options of a configuration. */
import type { AgentChoice, AgentCommand } from '../../contract.ts';
import type { ConfigOptionWire, ModesWire, UpdateWire } from './shapes.ts';

/** Id of the choice that stands for an agent's modes. */
export const modeChoice = 'mode';

/** What an agent offered last. */
export interface Offer {
  modes: ModesWire | undefined;
  config: readonly ConfigOptionWire[];
}

/**
 * @param isModelFixed the model is the hall's matter: an agent whose calls go through the gateway gets the configured one
 *   whatever it asks for, so it offers none
 */
export function choicesOf({ modes, config }: Offer, isModelFixed: boolean): AgentChoice[] {
  const given = config.flatMap((option): AgentChoice[] => {
    const kind = kindOf(option.category);
    if (option.type !== 'select' || typeof option.currentValue !== 'string') return [];
    if (isModelFixed && kind === 'model') return [];
    return [{ id: option.id, name: option.name, kind, current: option.currentValue, options: optionsOf(option) }];
  });
  if (modes === undefined || modes.availableModes.length === 0 || given.some(({ kind }) => kind === 'mode'))
    return given;
  const options = modes.availableModes.map(({ id, name, description }) => ({
    id,
    name,
    description: description ?? '',
  }));
  return [{ id: modeChoice, name: 'Mode', kind: 'mode', current: modes.currentModeId, options }, ...given];
}

/** Whether the choice is one of the agent's modes, which have a request of their own. */
export function isModeChoice({ config }: Offer, choice: string): boolean {
  return choice === modeChoice && !config.some(({ id }) => id === modeChoice);
}

function kindOf(category: string | null | undefined): AgentChoice['kind'] {
  return category === 'mode' || category === 'model' ? category : 'other';
}

function optionsOf({ options }: ConfigOptionWire): AgentChoice['options'] {
  return (options ?? []).map(({ value, name, description }) => ({ id: value, name, description: description ?? '' }));
}

/** Whoever chose it. @returns false where it is that mode already */
export function setMode(offer: Offer, mode: string): boolean {
  const isOther = ({ category, type, currentValue }: ConfigOptionWire): boolean =>
    category === 'mode' && type === 'select' && currentValue !== mode;
  const isNew = offer.modes !== undefined && offer.modes.currentModeId !== mode;
  if (!isNew && !offer.config.some(isOther)) return false;
  if (offer.modes !== undefined) offer.modes = { ...offer.modes, currentModeId: mode };
  offer.config = offer.config.map((option) => (isOther(option) ? { ...option, currentValue: mode } : option));
  return true;
}

export function commandsOf(
  update: Extract<UpdateWire, { sessionUpdate: 'available_commands_update' }>,
): AgentCommand[] {
  return update.availableCommands.map(({ name, description, input }) => ({
    name,
    description,
    hint: input?.hint ?? '',
  }));
}
