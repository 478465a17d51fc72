/** Others that run and touch the same files: what is merged second may be in conflict. */
import { Section } from './layout.tsx';
import { lineClass } from './path-name.tsx';
import { plainTitle } from './plain-title.ts';
import { SubjectLink } from './subject-link.tsx';

/** So many files of each are named. */
const namedFiles = 5;

export interface ForecastProps {
  readonly project: string;
  readonly conflicts: readonly {
    readonly kind: string;
    readonly id: string;
    readonly title: string;
    readonly files: readonly string[];
    /** They would not merge as they stand now. */
    readonly isConflict?: boolean | undefined;
  }[];
}

export function Forecast({ project, conflicts }: ForecastProps) {
  const isSure = conflicts.some(({ isConflict }) => isConflict === true);
  return (
    <Section title="Touches the same files" count={conflicts.length}>
      <ul className="flex flex-col gap-2">
        {conflicts.map((other) => (
          <li key={`${other.kind}-${other.id}`} className="flex flex-col gap-1">
            <SubjectLink project={project} subject={other} className={lineClass}>
              {other.isConflict === true ? (
                <span className="shrink-0 text-12 text-failed">▲ will not merge</span>
              ) : (
                <span aria-hidden className="text-12 text-waiting">
                  ◐
                </span>
              )}
              <span dir="auto" className="truncate">
                {plainTitle(other.title)}
              </span>
            </SubjectLink>
            <ul className="flex flex-col font-mono text-12 text-soft">
              {other.files.slice(0, namedFiles).map((file) => (
                <li key={file} className="truncate" title={file}>
                  {file}
                </li>
              ))}
              {other.files.length > namedFiles && <li>and {other.files.length - namedFiles} more</li>}
            </ul>
          </li>
        ))}
      </ul>
      <p className="text-12 text-faint">
        {isSure ? 'Whichever is merged second will be in conflict.' : 'Whichever is merged second may be in conflict.'}
      </p>
    </Section>
  );
}
