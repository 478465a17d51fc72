/** A gathering as one line of a list. */
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../state/operations.ts';
import { gatheringState, roundText, speakersOf, stageTitle } from './gathering-words.ts';
import { PersonMark, WorkerGlyph } from './glyph.tsx';
import { rowClass, RowText } from './rows.tsx';
import { StateMark } from './state-mark.tsx';
import { TimeAgo } from './time.tsx';

type Row = OutputOf<'gathering.list'>['gatherings'][number];

export function GatheringLine({ row }: { readonly row: Row }) {
  const { id, question, rhythm, lastAt, end } = row;
  const speakers = speakersOf(row);
  const round = roundText(row);
  const told = [
    rhythm,
    speakers.map(({ name }) => name).join(', '),
    round === undefined ? undefined : `${stageTitle(row.stage).toLowerCase()}, ${round}`,
    end === null ? undefined : harvestOf(end.harvested.length),
  ];
  return (
    <Link to="/gatherings/$id" params={{ id }} data-row className={rowClass}>
      <RowText
        mark={<Marks speakers={speakers} />}
        title={question}
        detail={told.filter(Boolean).join(' · ')}
        facts={
          <>
            <StateMark {...gatheringState(row)} />
            <TimeAgo at={lastAt} />
          </>
        }
      />
    </Link>
  );
}

function harvestOf(count: number): string {
  return count === 1 ? '1 thing harvested' : `${count} things harvested`;
}

/** The first two, one over the other. */
function Marks({ speakers }: { readonly speakers: Row['seats'] }) {
  return (
    <span className="flex w-8 shrink-0 -space-x-2">
      {speakers.slice(0, 2).map(({ name, number, terminal }) => (
        <span key={number} className="rounded-[5px] ring-2 ring-paper">
          {terminal === null ? <PersonMark name={name} size={20} /> : <WorkerGlyph name={name} size={20} />}
        </span>
      ))}
    </span>
  );
}
