/** What may be chosen for a session, as small menus: its mode, its model, and whatever else the agent offers. */
import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { Choice } from '../../../../src/features/sessions/contract.ts';
import { inBackground } from '../../../state/background.ts';
import { useAct, useAwayReason } from '../../../state/hall.tsx';

export interface ChoicesProps {
  readonly project: string;
  readonly id: string;
  readonly choices: readonly Choice[];
}

export function Choices({ choices, ...rest }: ChoicesProps) {
  return choices.flatMap((choice) =>
    choice.options.length === 0 ? [] : [<ChoiceMenu key={choice.id} choice={choice} {...rest} />],
  );
}

interface ChoiceMenuProps extends Omit<ChoicesProps, 'choices'> {
  readonly choice: Choice;
}

function ChoiceMenu({ project, id, choice }: ChoiceMenuProps) {
  const away = useAwayReason();
  const choosing = useAct('session.choose');
  const current = choice.options.find((option) => option.id === choice.current);
  const name = current?.name ?? choice.current;
  const choose = (option: string) => {
    if (option !== choice.current) inBackground(choosing.act({ project, id, choice: choice.id, option }));
  };
  return (
    <>
      {choosing.problem && (
        <p role="alert" className="order-first w-full px-1.5 pb-1 text-12 text-failed">
          ▲ {choice.name}: {choosing.problem.message} {choosing.problem.hint}
        </p>
      )}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          aria-label={`${choice.name}: ${name}`}
          title={`${choice.name}: ${name}`}
          disabled={away !== undefined}
          className={`inline-flex h-8 min-w-0 max-w-44 shrink items-center gap-1 rounded-md px-2 text-13 hover:bg-hover hover:text-ink disabled:opacity-55 max-phone:h-10 text-soft ${choosing.isBusy ? 'animate-breathe' : ''}`}
        >
          <span className="truncate">{choice.kind === 'other' ? `${choice.name}: ${name}` : name}</span>
          <ChevronDown aria-hidden size={13} className="shrink-0" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="start"
            side="top"
            sideOffset={4}
            collisionPadding={12}
            className="z-50 max-h-[60vh] w-72 animate-arrive overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-float"
          >
            <DropdownMenu.Label className="px-2.5 pt-1 pb-1.5 text-12 text-faint">{choice.name}</DropdownMenu.Label>
            <DropdownMenu.RadioGroup value={choice.current} onValueChange={choose}>
              {choice.options.map((option) => (
                <DropdownMenu.RadioItem
                  key={option.id}
                  value={option.id}
                  className="flex cursor-pointer gap-2 rounded-sm px-2.5 py-1.5 text-13 text-ink outline-none max-phone:min-h-10 data-highlighted:bg-hover"
                >
                  <span className="flex w-4 shrink-0 pt-0.5">
                    <DropdownMenu.ItemIndicator>
                      <Check aria-hidden size={14} className="text-ember-strong" />
                    </DropdownMenu.ItemIndicator>
                  </span>
                  <span className="flex min-w-0 flex-col">
                    <span>{option.name}</span>
                    {option.description !== '' && <span className="text-12 text-soft">{option.description}</span>}
                  </span>
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  );
}
