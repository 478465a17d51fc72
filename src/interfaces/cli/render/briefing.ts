/** The briefing on a terminal. */
import type { Briefing } from '../../../features/briefing/contract.ts';
import type { Renderer } from '../parts.ts';
import { plainText, type Terminal } from '../terminal.ts';

function renderBriefing({ text, by, problem }: Briefing, term: Terminal): string {
  const why = problem === null ? '' : `\n${term.style('yellow', '▲')} ${plainText(problem)}\n`;
  const source = by === 'model' ? 'In the words of the model.' : 'From the records.';
  const lines = plainText(text)
    .split('\n')
    .map((line) => lineOf(line, term));
  return `${lines.join('\n')}\n${why}\n${term.style('dim', source)}\n`;
}

/** A line of Markdown without its marks. */
function lineOf(line: string, term: Terminal): string {
  const head = /^\*\*([^*]+)\*\*$/.exec(line)?.[1];
  if (head !== undefined) return term.style('bold', head);
  return line.replaceAll(/\*\*([^*]+)\*\*/g, '$1').replaceAll('`', '');
}

export const briefingRenderers: Readonly<Record<string, Renderer>> = { 'briefing.show': renderBriefing };
