/** The gatherings of a project: what is under way first, what is over behind a fold. */
import { CircleDotDashed } from 'lucide-react';
import { useState } from 'react';
import { useIntent } from '../../app/intents.tsx';
import { Button } from '../../kit/button.tsx';
import { GatheringLine } from '../../kit/gathering-row.tsx';
import { Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';
import { ShowMore } from '../../kit/show-more.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useAwayReason, useRead } from '../../state/hall.tsx';

/** So many of what is over are shown before the rest is asked for. */
const overAtFirst = 3;

export function GatheringList({ project }: { readonly project: string }) {
  const show = useIntent();
  const away = useAwayReason();
  const [isAll, setAll] = useState(false);
  const { data, problem, isLoading } = useRead('gathering.list', { project });
  const all = data?.gatherings ?? [];
  const alive = all.filter(({ stage }) => stage !== 'closed');
  const over = all.filter(({ stage }) => stage === 'closed');
  const shown = [...alive, ...(isAll ? over : over.slice(0, overAtFirst))];
  const begin = (tone: 'plain' | 'quiet') => (
    <Button tone={tone} blockedBecause={away} onClick={() => show({ kind: 'gathering', project })}>
      Begin a gathering
    </Button>
  );
  return (
    <Section title="Gatherings" count={all.length} action={all.length > 0 && begin('quiet')}>
      {problem && <Problem facts={problem} />}
      {isLoading && !problem && <Skeleton lines={2} />}
      {data && all.length === 0 && (
        <Empty icon={CircleDotDashed} action={begin('plain')}>
          No gathering yet. In one, agents and you speak in turns about a question; what emerges is harvested into the
          project.
        </Empty>
      )}
      {shown.length > 0 && (
        <Rows label="Gatherings">
          {shown.map((row) => (
            <li key={row.id}>
              <GatheringLine row={row} />
            </li>
          ))}
        </Rows>
      )}
      {shown.length < all.length && (
        <ShowMore shown={shown.length} onShow={() => setAll(true)}>
          {`${all.length - shown.length} more that are over`}
        </ShowMore>
      )}
    </Section>
  );
}
