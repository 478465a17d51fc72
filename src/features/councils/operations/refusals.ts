/** What a council refuses, with the exit codes of its contract: 2 refused, 3 malformed. */
import { fail, type HallError } from '../../../kernel/pure/errors.ts';
import type { Mode } from '../rules/modes.ts';
import { haltLine } from '../rules/halt.ts';
import { didYouMean } from '../../../kernel/pure/nearest.ts';

/** Details with which the command line ends otherwise than the table of errors says. */
export const exits = { refused: 2, malformed: 3 } as const;

export function unfit(message: string, hint: string): HallError {
  return fail('invalid', message, hint, { exit: exits.refused });
}

export function unfitWords(message: string, hint: string): HallError {
  return fail('invalid', message, hint, { exit: exits.malformed });
}

/** The charter gate. Its last line is the canonical one of a hard halt. */
export function blocked(explanation: string): HallError {
  return fail('invalid', `BLOCKED: ${explanation}.`, 'guild-hall council run --charter "<one to three sentences>"', {
    exit: exits.refused,
    status: 'BLOCKED',
    lines: [`BLOCKED: ${explanation}`, haltLine('CHARTER-MISSING', explanation)],
  });
}

export function unknownMode(given: string, modes: readonly Mode[]): HallError {
  const known = modes.flatMap(({ name, aliases }) => [name, ...aliases]);
  return unfitWords(
    `There is no mode ${JSON.stringify(given.slice(0, 60))}; the known modes are ${modes.map(modeInWords).join(', ')}.`,
    `${didYouMean(given, known)}See: guild-hall council run --help`,
  );
}

function modeInWords({ name, aliases }: Mode): string {
  return aliases.length === 0 ? name : `${name} (${aliases.join(', ')})`;
}
