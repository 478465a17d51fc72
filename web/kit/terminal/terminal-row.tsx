/** A terminal as one line of a list. */
import { Link } from '@tanstack/react-router';
import type { TerminalView } from '../../../src/features/terminals/contract.ts';
import { WorkerGlyph } from '../glyph.tsx';
import { plainTitle } from '../plain-title.ts';
import { rowClass, RowText } from '../rows.tsx';
import { StateMark } from '../state-mark.tsx';
import { TimeAgo } from '../time.tsx';
import { commandOf, terminalState } from './terminal-state.ts';

export interface TerminalLineProps {
  readonly row: TerminalView;
  /** Name of whom it talks with, where it is in a conversation. */
  readonly talksWith?: string | undefined;
  /** It sits in a gathering. */
  readonly isGathered?: boolean;
}

export function TerminalLine({ row, talksWith, isGathered = false }: TerminalLineProps) {
  const { id, name, project, question, waiting, since } = row;
  const told = [
    commandOf(row),
    project,
    talksWith !== undefined && `talks with ${talksWith}`,
    isGathered && 'in a gathering',
    waiting > 0 && (waiting === 1 ? '1 message waits' : `${waiting} messages wait`),
  ];
  return (
    <Link to="/terminals/$id" params={{ id }} data-row className={rowClass}>
      <RowText
        mark={<WorkerGlyph name={name} size={24} />}
        title={name}
        detail={question !== null ? `asks: ${plainTitle(question)}` : told.filter(Boolean).join(' · ')}
        facts={
          <>
            <StateMark {...terminalState(row)} />
            <TimeAgo at={since} />
          </>
        }
      />
    </Link>
  );
}
