/** Who listens in silence and writes the harvest: exactly one, and not the person. */
import { SelectField, TextField } from '../../kit/field.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { freeName, type GatheringDraft, type SeatDraft } from './start-form.ts';

type List = OutputOf<'terminal.list'>;

export interface HarvesterFieldProps {
  readonly draft: GatheringDraft;
  readonly free: List['terminals'];
  readonly entries: List['entries'];
  readonly error: string | undefined;
  readonly onChange: (harvester: SeatDraft | null) => void;
}

export function HarvesterField({ draft, free, entries, error, onChange }: HarvesterFieldProps) {
  const { harvester, participants } = draft;
  const rest = free.filter(({ id }) => !participants.some(({ kind, ref }) => kind === 'terminal' && ref === id));
  const choose = (value: string) => {
    const [kind, ref = ''] = value.split(' ');
    if (kind === 'terminal') {
      const row = free.find(({ id }) => id === ref);
      onChange(row === undefined ? null : { kind, ref, name: row.name });
    } else if (kind === 'entry') {
      const taken = [...participants.map(({ name }) => name), ...free.map(({ name }) => name)];
      onChange({ kind, ref, name: freeName('harvester', taken) });
    } else {
      onChange(null);
    }
  };
  return (
    <div className="grid gap-5 phone:grid-cols-2">
      <SelectField
        label="Who harvests"
        value={harvester === null ? '' : `${harvester.kind} ${harvester.ref}`}
        error={error}
        hint="Hears all of it, never speaks, and writes down at the close what came of it."
        onChange={choose}
        options={[
          { value: '', label: 'Choose one' },
          ...rest.map(({ id, name }) => ({ value: `terminal ${id}`, label: `${name}, runs now` })),
          ...entries.map(({ name }) => ({ value: `entry ${name}`, label: `a new ${name}` })),
        ]}
      />
      {harvester?.kind === 'entry' && (
        <TextField
          label="Name of the harvester"
          value={harvester.name}
          onChange={(event) => onChange({ ...harvester, name: event.target.value })}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </div>
  );
}
