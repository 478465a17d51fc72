/** Whom to meet: each worker with mark, title and one line about them. Arrow keys choose. */
import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { WorkerGlyph } from './glyph.tsx';
import { Problem, Skeleton } from './states.tsx';
import { useRead } from '../state/hall.tsx';

export interface WorkerPickerProps {
  /** Name of the worker; empty: none yet. */
  readonly value: string;
  readonly onChange: (name: string) => void;
}

export function WorkerPicker({ value, onChange }: WorkerPickerProps) {
  const id = useId();
  const { data, problem } = useRead('worker.list', {});
  if (problem) return <Problem facts={problem} />;
  if (data === undefined) return <Skeleton lines={3} label="Reading the workers" />;
  const known = data.workers.some(({ name }) => name === value);
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="text-13 font-medium text-soft">
        Worker
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={known ? value : null}
        onValueChange={onChange}
        className="grid gap-x-2 phone:grid-cols-2"
      >
        {data.workers.map(({ name, displayName, displayTitle, description }) => (
          <RadioGroup.Item
            key={name}
            value={name}
            aria-label={`${displayName}, ${displayTitle}`}
            className="group flex items-start gap-3 rounded-md border border-transparent px-2.5 py-2 phone:py-2.5 text-left hover:bg-hover data-[state=checked]:border-ember data-[state=checked]:bg-ember-wash"
          >
            <WorkerGlyph name={name} size={26} />
            <span className="flex min-w-0 flex-col gap-0.5">
              <span className="flex flex-wrap items-baseline gap-x-2 text-13">
                <span className="font-semibold text-ink">{displayName}</span>
                <span className="text-12 text-soft">{displayTitle}</span>
              </span>
              <span className="line-clamp-2 text-12 text-soft max-phone:hidden max-phone:group-data-[state=checked]:block">
                {description}
              </span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
