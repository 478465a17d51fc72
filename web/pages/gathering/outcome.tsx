/** What came out of it: each artifact with a link, the trail, and how it came to its end. */
import { Link } from '@tanstack/react-router';
import { harvestKinds } from './harvest-kinds.ts';
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import type { Harvested } from '../../../src/features/gatherings/contract/gathering.ts';
import { harvesterOf, harvestWords, whyClosed } from '../../kit/gathering-words.ts';
import { plainTitle } from '../../kit/plain-title.ts';
import { TimeAgo } from '../../kit/time.tsx';

type Gathering = GatheringView['gathering'];

export function Outcome({ gathering }: { readonly gathering: Gathering }) {
  const { end, close, project, rhythm } = gathering;
  if (end === null) return null;
  const { harvested, trail, commit, isWrittenByHall } = end;
  return (
    <section aria-label="What came out" className="flex flex-col gap-5 border-t border-line pt-6">
      <div className="flex flex-col gap-1">
        <h2 className="font-serif text-18 font-semibold">What came out</h2>
        <p className="text-13 text-soft">
          {close && whyClosed(gathering, close.why)} {writtenBy(gathering, isWrittenByHall)} <TimeAgo at={end.at} />
        </p>
      </div>
      {harvested.length === 0 && (
        <p className="max-w-[60ch] text-15 text-soft">
          Nothing was harvested one by one; the trail says what was said.
        </p>
      )}
      {harvestKinds.map((kind) => (
        <Group key={kind} kind={kind} project={project} harvested={harvested.filter((each) => each.kind === kind)} />
      ))}
      <div className="flex flex-col gap-0.5">
        <h3 className="text-13 font-semibold text-soft">Trail</h3>
        <Item project={project} path={trail} title={`What the ${rhythm} gatherings came to`} />
        {commit !== null && (
          <p className="text-12 text-faint">
            Kept in commit <code className="font-mono">{commit.slice(0, 9)}</code>. What was said stays here for 30
            days.
          </p>
        )}
      </div>
    </section>
  );
}

function writtenBy(gathering: Gathering, isWrittenByHall: boolean): string {
  if (!isWrittenByHall) return `${harvesterOf(gathering)?.name ?? 'The harvester'} wrote the harvest.`;
  return 'The harvester gave no harvest; the hall wrote it from the record.';
}

interface GroupProps {
  readonly kind: Harvested['kind'];
  readonly project: string;
  readonly harvested: readonly Harvested[];
}

function Group({ kind, project, harvested }: GroupProps) {
  if (harvested.length === 0) return null;
  const [one, several] = harvestWords[kind];
  return (
    <div className="flex flex-col gap-0.5">
      <h3 className="text-13 font-semibold text-soft">{harvested.length === 1 ? one : several}</h3>
      <ul className="flex flex-col">
        {harvested.map((each) => (
          <li key={`${each.path}${each.title}`}>
            <Item project={project} path={each.path} title={each.title} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A memory is in no file of the project: it has no page. */
function Item({ project, path, title }: { readonly project: string; readonly path: string; readonly title: string }) {
  const isFile = path.startsWith('.lore/');
  const inner = (
    <>
      <span dir="auto" className="text-15 text-ink">
        {plainTitle(title)}
      </span>
      <span className="font-mono text-12 text-faint">{path}</span>
    </>
  );
  const row = '-mx-2 flex flex-col rounded-md px-2 py-1.5';
  if (!isFile) return <div className={row}>{inner}</div>;
  return (
    <Link
      to="/projects/$project/artifacts/$"
      params={{ project, _splat: path }}
      data-row
      className={`${row} transition-colors duration-120 hover:bg-hover`}
    >
      {inner}
    </Link>
  );
}
