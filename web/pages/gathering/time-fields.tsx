/** How many rounds it has, and how long a turn is; what is left empty is as the rhythm has it. */
import { TextField } from '../../kit/field.tsx';
import { structureText } from '../../kit/gathering-words.ts';
import { sayDuration } from '../../kit/time.tsx';
import { type FieldProblems, type GatheringDraft, longestMs, type RhythmView } from './start-form.ts';

export interface TimeFieldsProps {
  readonly draft: GatheringDraft;
  readonly rhythm: RhythmView | undefined;
  readonly problems: FieldProblems;
  readonly onChange: (part: Partial<GatheringDraft>) => void;
}

export function TimeFields({ draft, rhythm, problems, onChange }: TimeFieldsProps) {
  const longest = longestMs(draft, rhythm);
  const hasNew = [...draft.participants, draft.harvester].some((seat) => seat?.kind === 'entry');
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-5 phone:grid-cols-3">
        <TextField
          label="Rounds: inhale-hold-exhale"
          placeholder={rhythm && structureText(rhythm.structure)}
          value={draft.structure}
          error={problems.structure}
          onChange={(event) => onChange({ structure: event.target.value })}
        />
        <TextField
          label="Beats of a turn"
          inputMode="numeric"
          placeholder={rhythm && String(rhythm.beatsPerTurn)}
          value={draft.beats}
          error={problems.beatsPerTurn}
          onChange={(event) => onChange({ beats: event.target.value })}
        />
        <TextField
          label="Seconds between beats"
          inputMode="numeric"
          placeholder={rhythm && String(rhythm.beatIntervalSeconds)}
          value={draft.interval}
          error={problems.beatIntervalSeconds}
          onChange={(event) => onChange({ interval: event.target.value })}
        />
      </div>
      <p className="text-12 text-faint">
        What is left empty is as the rhythm has it.
        {longest !== undefined && ` At most ${sayDuration(longest)} in all; who passes makes it shorter.`}
      </p>
      {hasNew && (
        <label className="flex items-center gap-2.5 text-13 text-soft">
          <input
            type="checkbox"
            checked={draft.keepTerminals}
            onChange={(event) => onChange({ keepTerminals: event.target.checked })}
            className="size-4 shrink-0 accent-ember"
          />
          Leave the new terminals running when it is over
        </label>
      )}
    </div>
  );
}
