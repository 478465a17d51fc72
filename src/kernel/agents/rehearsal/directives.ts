/** Directives in a message: `[rehearse: rate_limit x2]`, `[rehearse: slow 50ms x 200]`. */
import { type FailureName, failureNames, isFailureName } from './failures.ts';
import type { Move } from './move.ts';
import { callMove, sayMove } from './move.ts';
import type { Situation } from './situation.ts';

export type Directive =
  /** `times`: only the first so many model calls fail. */
  | { readonly kind: 'fail'; readonly failure: FailureName; readonly times: number }
  | { readonly kind: 'slow'; readonly delayMs: number; readonly pieces: number }
  | { readonly kind: 'huge' | 'empty' | 'loop' | 'unknown_tool' | 'bad_input' }
  | { readonly kind: 'unknown'; readonly text: string };

const form = /\[rehearse:\s*([^\]]+)\]/i;
const simple = ['huge', 'empty', 'loop', 'unknown_tool', 'bad_input'] as const;

/** Every directive, as a person writes it. */
export const directiveNames: readonly string[] = [...failureNames, 'slow', ...simple];

/** The directive in a text, and the text without it. */
export function parseDirective(text: string): { directive: Directive | undefined; rest: string } {
  const match = form.exec(text);
  if (match === null) return { directive: undefined, rest: text };
  const rest = text.replace(match[0], ' ').trim();
  return { directive: readDirective(match[1]!.trim()), rest };
}

function readDirective(text: string): Directive {
  const slow = /^slow(?:\s+(\d+)\s*ms)?(?:\s*x\s*(\d+))?$/i.exec(text);
  if (slow !== null) return { kind: 'slow', delayMs: Number(slow[1] ?? 50), pieces: Number(slow[2] ?? 40) };
  const [, name = '', times] = /^([a-z_]+)(?:\s*x\s*(\d+))?$/i.exec(text.replaceAll('-', '_')) ?? [];
  const lower = name.toLowerCase();
  if (isFailureName(lower)) {
    return { kind: 'fail', failure: lower, times: times === undefined ? Number.POSITIVE_INFINITY : Number(times) };
  }
  const known = simple.find((candidate) => candidate === lower);
  return known === undefined ? { kind: 'unknown', text } : { kind: known };
}

/** What a failing answer says before it breaks off. */
export const brokenText =
  'This answer begins well, and then the connection does what the rehearsal was told to make it do. '.repeat(3);

const mebibyte = 1024 * 1024;

/** The move of a directive that is no failure. */
export function directiveMove(directive: Directive, situation: Situation): Move | undefined {
  const [call] = situation.turn.calls;
  switch (directive.kind) {
    case 'fail':
      return undefined;
    case 'slow': {
      const text = Array.from({ length: directive.pieces }, (_, i) => `piece ${i + 1} `.padEnd(12)).join('');
      return { ...sayMove(text), delayMsPerChunk: directive.delayMs, chunkChars: 12 };
    }
    case 'huge':
      return { ...sayMove('A line of a very long answer.\n'.repeat(Math.ceil(mebibyte / 30))), chunkChars: 4096 };
    case 'empty':
      return { blocks: [] };
    case 'loop':
      return callMove(harmlessCall(situation));
    case 'unknown_tool':
      if (call === undefined) return callMove({ name: 'no_such_tool', input: { why: 'asked for by a directive' } });
      return sayMove(`The call of a tool that does not exist was answered: ${call.result?.text ?? 'nothing'}`);
    case 'bad_input':
      if (call === undefined) return callMove({ name: harmlessCall(situation).name, input: { no_such_field: 1 } });
      return sayMove(`The call with bad input was answered: ${call.result?.text ?? 'nothing'}`);
    case 'unknown':
      return sayMove(
        `There is no directive "${directive.text}". There are: ${directiveNames.join(', ')}; add \`x2\` for the first two calls only.`,
      );
  }
}

/** A call that changes nothing, of a tool that is offered. */
function harmlessCall(situation: Situation): { name: string; input: Record<string, unknown> } {
  const offered = new Set(situation.tools.map((tool) => tool.name));
  if (offered.has('Glob')) return { name: 'Glob', input: { pattern: '*.md' } };
  if (offered.has('Grep')) return { name: 'Grep', input: { pattern: 'rehearsal' } };
  const reader = situation.tools.find((tool) => /__(list|read)_/.test(tool.name)) ?? situation.tools[0];
  return { name: reader?.name ?? 'Glob', input: {} };
}
