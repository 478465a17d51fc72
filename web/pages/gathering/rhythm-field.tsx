/** Which rhythm it has: what it is for, its rounds and the time of a turn. */
import { RadioGroup } from 'radix-ui';
import { useId } from 'react';
import { structureText } from '../../kit/gathering-words.ts';
import { sayDuration } from '../../kit/time.tsx';
import type { RhythmView } from './start-form.ts';

export interface RhythmFieldProps {
  readonly rhythms: readonly RhythmView[];
  readonly value: string;
  readonly onChange: (name: string) => void;
}

export function RhythmField({ rhythms, value, onChange }: RhythmFieldProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <span id={id} className="text-13 font-medium text-soft">
        Rhythm
      </span>
      <RadioGroup.Root
        aria-labelledby={id}
        value={value}
        onValueChange={onChange}
        className="grid gap-2 phone:grid-cols-3"
      >
        {rhythms.map(({ name, title, about, structure, beatsPerTurn, beatIntervalSeconds }) => (
          <RadioGroup.Item
            key={name}
            value={name}
            aria-label={title}
            className="flex flex-col gap-0.5 rounded-md border border-line px-3 py-2 text-left hover:bg-hover data-[state=checked]:border-ember data-[state=checked]:bg-ember-wash"
          >
            <span className="text-13 font-semibold text-ink">{title}</span>
            {about !== '' && <span className="line-clamp-3 text-12 text-soft">{about}</span>}
            <span className="mt-auto pt-1 text-12 text-faint">
              {structureText(structure)}, {sayDuration(beatsPerTurn * beatIntervalSeconds * 1000).replace(/ 00 s$/, '')}{' '}
              a turn
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
    </div>
  );
}
