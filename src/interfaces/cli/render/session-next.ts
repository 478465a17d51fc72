/** The steps that an answer offers, as commands. What an agent wrote is quoted so that a shell takes it as words alone. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { mayHaveBlocks, type NextBlock } from '../../../features/contexts/contract/blocks.ts';
import type { AgentMessage, BlockRef, SessionState } from '../../../features/sessions/contract.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';

type Offering = Pick<AgentMessage, 'seq' | 'parts' | 'state'>;
type Offerer = Pick<SessionState, 'id' | 'project' | 'agent'>;

export function nextSteps(message: Offering, session: Offerer, term: Terminal): string {
  if (message.state !== 'done') return '';
  const texts = message.parts.map((part) => (part.type === 'text' ? part.text : ''));
  return texts
    .flatMap(blocksIn)
    .map(({ lang, value }, position) => {
      const step = lang === 'conclave:next' ? parseStep(value) : undefined;
      const block = { sessionId: session.id, message: message.seq, position };
      return step === undefined ? '' : stepOf(step, session, block, term);
    })
    .join('');
}

function stepOf(step: NextBlock, { project, agent }: Offerer, block: BlockRef, term: Terminal): string {
  const { label, command, metaContext } = step;
  const isShownWhole = [label, command, metaContext].every((word) => plainText(word) === word);
  // By its place the hall knows the button: agent and folder are those of its session, and it is used once.
  const from = isShownWhole ? ['--block', JSON.stringify(block)] : ['--agent', agent];
  const words = ['--project', project, '--context', metaContext, '--label', label, ...from, command];
  const quoted = words.map((word) => inShell(plainText(word))).join(' ');
  return `Next step, “${oneLine(label, 60)}”:\n  ${term.hint('guild-hall next')} ${quoted}\n`;
}

function parseStep(json: string): NextBlock | undefined {
  try {
    const { label, command, metaContext } = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const isWhole = [label, command, metaContext].every((word) => typeof word === 'string' && word.trim() !== '');
    return isWhole
      ? { label: String(label), command: String(command), metaContext: String(metaContext).trim() }
      : undefined;
  } catch {
    // No JSON: it stands in the answer as it is.
    return undefined;
  }
}

/** What stands within lines is not looked at: hostile words would cost minutes there. */
const withinLines = [
  'attention',
  'autolink',
  'characterEscape',
  'characterReference',
  'codeText',
  'hardBreakEscape',
  'htmlText',
  'labelEnd',
  'labelStartImage',
  'labelStartLink',
];

interface Fence {
  readonly lang: string;
  readonly value: string;
}

/** All blocks of a spec in their order: their places are counted as the hall counts them (contexts' `fold/blocks.ts`). */
function blocksIn(markdown: string): Fence[] {
  if (!mayHaveBlocks(markdown)) return [];
  const found: Fence[] = [];
  const waiting: TreeNode[] = [treeOf(markdown)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { type, lang, value, children } = node;
    if (type === 'code' && /^conclave:(next|usecase|eventmodel|tasks)$/.test(lang ?? ''))
      found.push({ lang: lang!, value: value ?? '' });
    for (const child of children?.toReversed() ?? []) waiting.push(child);
  }
  return found;
}

interface TreeNode {
  readonly type: string;
  readonly lang?: string | null | undefined;
  readonly value?: string;
  readonly children?: readonly TreeNode[];
}

/** Quotations within each other by the thousand are more than the parser can hold: then there is nothing to be found. */
function treeOf(markdown: string): TreeNode {
  try {
    return fromMarkdown(markdown, { extensions: [{ disable: { null: withinLines } }] });
  } catch (error) {
    if (error instanceof RangeError) return { type: 'root' };
    throw error;
  }
}

/** The word as a shell takes it: whatever stands in it is itself. */
export function inShell(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
