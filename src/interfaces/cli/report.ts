/** Tells a person or a script what went wrong. */
import { errorFactsOf, errorTable, type ErrorFacts } from '../../kernel/pure/errors.ts';
import { plainText, type Terminal } from './terminal.ts';
import { hanging } from './wrap.ts';

/**
 * Writes the error to standard error: three short lines, or one of JSON. Where a contract says so in its details, lines
 * that end standard output follow, and the exit code is another (`lines`, `exit`).
 * @returns the exit code
 */
export function reportError(term: Terminal, thrown: unknown, asJson: boolean): number {
  const facts = errorFactsOf(thrown);
  term.err(asJson ? `${JSON.stringify(facts)}\n` : printError(term, facts));
  const { exit, lines } = facts.details ?? {};
  if (Array.isArray(lines) && !asJson) term.out(lines.map((line) => `${plainText(String(line))}\n`).join(''));
  return Number.isInteger(exit) ? (exit as number) : errorTable[facts.code].exit;
}

export function printError(term: Terminal, facts: Pick<ErrorFacts, 'message' | 'hint'> & { code: string }): string {
  const message = plainText(facts.message);
  const folded = message.split('\n').map((line) => hanging(line, 2, term.width));
  const lines = [
    `${term.style('red', '▲')} ${term.canTakeBack ? folded.join('\n  ') : message}`,
    `  ${term.style('dim', `(${facts.code})`)}`,
    `  ${term.style('bold', '→')} ${plainText(term.hint(facts.hint))}`,
  ];
  return `${lines.join('\n')}\n`;
}
