/** The doctor's findings for a person. */
import type { ConfigChecked, ConfigShown, DoctorCheck, DoctorReport } from '../../../features/doctor/contract.ts';
import { plainText, type Format, type Terminal } from '../terminal.ts';
import { hanging } from '../wrap.ts';
import { renderAnything } from './anything.ts';

const marks: Readonly<Record<DoctorCheck['state'], readonly [string, Format]>> = {
  good: ['✓', 'green'],
  note: ['◆', 'blue'],
  bad: ['▲', 'red'],
};

export function renderDoctor({ healthy, checks }: DoctorReport, term: Terminal): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(({ name, state, found, hint }) => {
    const [mark, format] = marks[state];
    const next =
      hint === '' ? '' : `${' '.repeat(width + 4)}${term.style('bold', 'Next:')} ${plainText(term.hint(hint))}\n`;
    const said = term.isTty ? hanging(plainText(found), width + 4, term.width) : plainText(found);
    return `${term.style(format, mark)} ${name.padEnd(width)}  ${said}\n${next}`;
  });
  const bad = checks.filter(({ state }) => state === 'bad').length;
  const end = healthy ? 'All is well.' : `${bad} thing${bad === 1 ? '' : 's'} to mend.`;
  return `${lines.join('')}\n${end}\n`;
}

export function renderConfigChecked({ file, exists, problems }: ConfigChecked, term: Terminal): string {
  if (!exists) return `✓ There is no ${plainText(file)}; the defaults hold.\n`;
  if (problems.length === 0) return `✓ ${plainText(file)} can be read.\n`;
  return `${problemLines(problems, term)}`;
}

export function renderConfigShown({ file, config, problems }: ConfigShown, term: Terminal): string {
  return `${term.style('dim', plainText(file))}\n${renderAnything(withoutEmpty(config), term)}${problemLines(problems, term)}`;
}

/** Sections that say nothing are left out, whatever is in them. */
function withoutEmpty(config: ConfigShown['config']): ConfigShown['config'] {
  return Object.fromEntries(
    Object.entries(config).filter(([, value]) => typeof value !== 'object' || Object.keys(value ?? {}).length > 0),
  );
}

function problemLines(problems: ConfigChecked['problems'], term: Terminal): string {
  return problems
    .map(
      ({ file, line, column, message }) =>
        `${term.style('red', '▲')} ${plainText(`${file}:${line}:${column}: ${message}`)}\n`,
    )
    .join('');
}
