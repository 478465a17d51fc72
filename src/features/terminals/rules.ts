/** What is allowed with terminals, and how they are meant by name. Values alone. */
import type { ErrorFacts } from '../../kernel/pure/errors.ts';
import type { TerminalStatus } from '../../kernel/terminals/contract.ts';
import { type DialogChoice, reservedNames, type StartedBy } from './contract.ts';

export { isShell, isShellCommand } from './rules/shells.ts';

/** Ended ones are forgotten after so many days. */
export const keepDays = 7;
/** So many of the ended stay in memory with their screens. */
export const endedInMemory = 8;

interface Named {
  readonly id: string;
  readonly name: string;
  readonly startedAt: string;
  /** It has ended. */
  readonly isOver: boolean;
}

/**
 * Whom a name means: a living one of that name, else the one of them that ended last; undefined for none. Capitals do
 * not count. Ids are not looked at.
 */
export function findByName<T extends Named>(all: readonly T[], name: string): T | undefined {
  const same = all.filter((each) => foldName(each.name) === foldName(name));
  const [newest] = same.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  return same.find(({ isOver }) => !isOver) ?? newest;
}

export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** The first of `stem`, `stem-2`, `stem-3` that no living one has. */
export function freeNameOf(stem: string, taken: readonly string[]): string {
  const known = new Set(taken.map(foldName));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}-${number}`;
    if (!known.has(foldName(name))) return name;
  }
}

/** A name for a program: letters and digits of the last part of its path. */
export function stemOf(program: string): string {
  const last = program.split('/').findLast((part) => part !== '') ?? '';
  const kept = last
    .replace(/\.[a-z]{1,4}$/i, '')
    .replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')
    .replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .slice(0, 30)
    .replace(/[^\p{L}\p{N}]+$/u, '');
  return kept === '' || reservedNames.includes(kept.toLowerCase()) ? 'terminal' : kept;
}

/**
 * Whether a program may write in its folder. What an agent starts gets no more than that agent has by its own terminal:
 * of other agents the hall does not know it here, so theirs read alone.
 */
export function mayWriteFor(
  caller: { readonly kind: 'person' | 'agent' },
  own: { readonly mayWrite: boolean } | undefined,
): boolean {
  return caller.kind === 'person' || own?.mayWrite === true;
}

interface Living {
  readonly name: string;
  readonly startedBy: StartedBy;
}

/** Why no more may be started now. */
export function refusalOfMore(
  living: readonly Living[],
  limits: { readonly limit: number; readonly agentLimit: number },
  isByAgent: boolean,
): ErrorFacts | undefined {
  const { limit, agentLimit } = limits;
  if (living.length >= limit) {
    return {
      code: 'limit',
      message: `${living.length} terminals live, and no more than ${limit} may.`,
      hint: 'End one: guild-hall terminal end <name>; or set `terminals: {limit}` in config.yaml.',
    };
  }
  const byAgents = living.filter(({ startedBy }) => startedBy.kind !== 'person').length;
  if (!isByAgent || byAgents < agentLimit) return undefined;
  return {
    code: 'limit',
    message: `Agents have started ${byAgents} terminals that live, and no more than ${agentLimit} may be theirs.`,
    hint: 'End one that you started; the person may set `terminals: {agentLimit}` in config.yaml.',
  };
}

/** What stands in the way of words for a terminal, in a sentence; null where nothing is seen to. */
export function whyWaiting(
  { name, entry }: { readonly name: string; readonly entry: string | null },
  status: TerminalStatus,
): string | null {
  if (status === 'busy') return entry === null ? `${name} has not stopped writing.` : `${name} is at work.`;
  if (status === 'dialog') return `${name} asks something, and that is answered first.`;
  return status === 'starting' ? `${name} is starting.` : null;
}

const choicePattern = /^[\s│┃|❯›>*●○◉•-]*([1-9])[.)]\s+(\S.*?)[\s│┃|]*$/u;
/** Of a line, so much is looked at: a choice with more words is none that a person can read. */
const maxChoice = 1_000;

/** What a dialog can be answered with: the last run of numbered lines, from 1 on. Empty where there is none. */
export function choicesIn(lines: readonly string[]): DialogChoice[] {
  const found: DialogChoice[] = [];
  for (const line of lines.toReversed()) {
    const [, key = '', label = ''] = choicePattern.exec(line.slice(0, maxChoice)) ?? [];
    if (key === '') continue;
    const next = found[0]?.key;
    if (next !== undefined && Number(key) !== Number(next) - 1) break;
    found.unshift({ key, label: label.slice(0, 120) });
    if (key === '1') return found.length > 1 ? found : [];
  }
  return [];
}

/** What whoever started it is told when a turn of it is over. One line: what agents said is in quotes, and short. */
export function finishedNotice({ name, id }: { readonly name: string; readonly id: string }, said: string): string {
  const words = inOneLine(said, 160);
  const end = words === '' ? '' : ` It ended with: "${words}"`;
  return `[guild-hall] ${name} (${id}) has finished a turn.${end}`;
}

export function endedNotice(
  terminal: { readonly name: string; readonly id: string },
  end: { readonly exitCode: number | null; readonly why: string | null },
): string {
  const { exitCode, why } = end;
  const seen = exitCode === null ? '' : ` with exit code ${exitCode}`;
  const how = why === null ? seen : ` (${why})`;
  return `[guild-hall] ${terminal.name} (${terminal.id}) has ended${how}.`;
}

/** The end of what was said, where the point is; without what could close the quotes. */
function inOneLine(text: string, most: number): string {
  const flat = text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replaceAll('"', "'")
    .trim();
  const characters = [...flat];
  return characters.length <= most ? flat : `…${characters.slice(-most + 1).join('')}`;
}
