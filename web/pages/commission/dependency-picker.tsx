/** What has to be there first: commissions, artifacts, or files that nobody has written yet. */
import { CircleDashed, FileText, type LucideIcon, Workflow, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { TextField } from '../../kit/field.tsx';
import { PathName } from '../../kit/path-name.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { useRead } from '../../state/hall.tsx';
import { type Dependable, offersFor } from './dependables.ts';

export interface DependencyPickerProps {
  readonly project: string;
  /** The commission that is changed: it cannot wait for itself. */
  readonly id?: string | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const icons: Readonly<Record<Dependable['kind'], LucideIcon>> = {
  commission: Workflow,
  artifact: FileText,
  path: CircleDashed,
};

export function DependencyPicker({ project, id, chosen, onChange }: DependencyPickerProps) {
  const [words, setWords] = useState('');
  const isAsked = words.trim() !== '' || chosen.length > 0;
  const artifacts = useRead('artifact.list', { project }, { enabled: isAsked }).data?.artifacts ?? [];
  const commissions = useRead('commission.list', { project }, { enabled: isAsked }).data?.commissions ?? [];
  const others = commissions.filter((commission) => commission.id !== id);
  const offers = offersFor(words, { artifacts, commissions: others }, chosen);
  const take = (on: string) => {
    onChange([...chosen, on]);
    setWords('');
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const [first] = offers;
    if (first !== undefined) take(first.on);
  };
  const named = new Map(commissions.map((commission) => [commission.id as string, commission.title]));
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Has to be there first"
        hint="It waits until each of these is there, and begins by itself then, when it is dispatched."
        placeholder="Words of a commission or an artifact, or a path"
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={press}
      />
      {offers.length > 0 && (
        <ul aria-label="Found" ref={comeIntoSight} className="flex scroll-mb-24 flex-col">
          {offers.map((offer) => (
            <Offer key={offer.on} offer={offer} onTake={() => take(offer.on)} />
          ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <ul aria-label="Chosen" className="flex flex-wrap gap-2">
          {chosen.map((on) => (
            <li key={on} className="max-w-full">
              <button
                type="button"
                aria-label={`Leave out ${named.get(on) ?? on}`}
                title={on}
                onClick={() => onChange(chosen.filter((each) => each !== on))}
                className="flex h-8 max-w-full items-center gap-2 rounded-md border border-line bg-sunk px-2 text-13 hover:border-line-strong"
              >
                <Chosen on={on} title={named.get(on)} />
                <X aria-hidden size={14} className="shrink-0 text-faint" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The line of buttons at the end of the dialog lies over what is below. */
function comeIntoSight(list: HTMLElement | null): void {
  list?.scrollIntoView({ block: 'nearest' });
}

function Offer({ offer, onTake }: { readonly offer: Dependable; readonly onTake: () => void }) {
  const Icon = icons[offer.kind];
  return (
    <li>
      <button
        type="button"
        onClick={onTake}
        className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left text-13 hover:bg-hover"
      >
        <Icon aria-hidden size={14} className="shrink-0 text-faint" />
        <span className="truncate text-ink">{plainTitle(offer.title)}</span>
        <span className="truncate text-12 text-faint">{offer.detail}</span>
      </button>
    </li>
  );
}

function Chosen({ on, title }: { readonly on: string; readonly title: string | undefined }) {
  const Icon = title === undefined ? FileText : Workflow;
  return (
    <>
      <Icon aria-hidden size={14} className="shrink-0 text-faint" />
      {title === undefined ? <PathName path={on} /> : <span className="truncate">{plainTitle(title)}</span>}
    </>
  );
}
