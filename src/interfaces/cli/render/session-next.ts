/** The steps that an answer offers, as commands. What an agent wrote is quoted so that a shell takes it as words alone. */
import type { AgentMessage } from '../../../features/sessions/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';

const nextBlock = /^```conclave:next[ \t]*\n([^]*?)\n```[ \t]*$/gm;

export function nextSteps(message: Pick<AgentMessage, 'parts' | 'state'>, project: string, term: Terminal): string {
  if (message.state !== 'done') return '';
  const text = message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return [...text.matchAll(nextBlock)].map(([, json = '']) => stepOf(json, project, term)).join('');
}

function stepOf(json: string, project: string, term: Terminal): string {
  const step = parseStep(json);
  if (step === undefined) return '';
  const words = ['next', '--project', project, '--context', step.metaContext, '--label', step.label, step.command];
  const command = words.map((word) => inShell(plainText(word))).join(' ');
  return `Next step, “${oneLine(step.label, 60)}”:\n  ${term.hint('guild-hall')} ${command}\n`;
}

function parseStep(json: string): { label: string; command: string; metaContext: string } | undefined {
  try {
    const { label, command, metaContext } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const isWhole = [label, command, metaContext].every((word) => typeof word === 'string' && word.trim() !== '');
    return isWhole ? { label: String(label), command: String(command), metaContext: String(metaContext) } : undefined;
  } catch {
    // No JSON: it stands in the answer as it is.
    return undefined;
  }
}

/** The word as a shell takes it: whatever stands in it is itself. */
export function inShell(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
