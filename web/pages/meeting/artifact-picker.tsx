/** Artifacts that the meeting is about: found by their words, taken by Enter, dropped by a press. */
import { FileText, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { TextField } from '../../kit/field.tsx';
import { PathName } from '../../kit/path-name.tsx';
import { useRead } from '../../state/hall.tsx';

/** So many finds are offered; more words make fewer. */
const offeredAtOnce = 5;

export interface ArtifactPickerProps {
  readonly project: string;
  readonly chosen: readonly string[];
  readonly onChange: (paths: readonly string[]) => void;
}

export function ArtifactPicker({ project, chosen, onChange }: ArtifactPickerProps) {
  const [words, setWords] = useState('');
  const { data } = useRead('artifact.list', { project }, { enabled: words.trim() !== '' });
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (data?.artifacts ?? []).filter(({ path, title }) => {
    const text = `${path} ${title}`.toLowerCase();
    return !chosen.includes(path) && wanted.every((word) => text.includes(word));
  });
  const offered = wanted.length === 0 ? [] : found.slice(0, offeredAtOnce);
  const take = (path: string) => {
    onChange([...chosen, path]);
    setWords('');
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const [first] = offered;
    if (first !== undefined) take(first.path);
  };
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label="Artifacts that it is about"
        placeholder="Words of a title or a path"
        autoComplete="off"
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={press}
      />
      {wanted.length > 0 && data !== undefined && (
        <ul aria-label="Found" className="flex flex-col">
          {offered.map(({ path, title }) => (
            <li key={path}>
              <button
                type="button"
                onClick={() => take(path)}
                className="flex min-h-8 w-full items-baseline gap-2 rounded-md px-2 py-1 text-left text-13 hover:bg-hover"
              >
                <span className="truncate text-ink">{title}</span>
                <span className="truncate text-12 text-faint">{path}</span>
              </button>
            </li>
          ))}
          {offered.length === 0 && <li className="px-2 py-1 text-13 text-faint">No artifact has these words.</li>}
        </ul>
      )}
      {chosen.length > 0 && (
        <ul aria-label="Chosen" className="flex flex-wrap gap-2">
          {chosen.map((path) => (
            <li key={path}>
              <button
                type="button"
                aria-label={`Leave out ${path}`}
                title={path}
                onClick={() => onChange(chosen.filter((each) => each !== path))}
                className="flex h-8 max-w-full items-center gap-2 rounded-md border border-line bg-sunk px-2 text-13 hover:border-line-strong"
              >
                <FileText aria-hidden size={14} className="shrink-0 text-faint" />
                <PathName path={path} />
                <X aria-hidden size={14} className="shrink-0 text-faint" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
