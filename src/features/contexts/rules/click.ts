/** Which clicks are taken: by their words, and by the block that they come from. Pure. */
import type { ErrorFacts } from '../../../kernel/pure/errors.ts';
import { maxCommand, maxLabel, maxMetaContextName, type NextBlockClick } from '../contract.ts';
import type { NextBlock } from '../contract/blocks.ts';
import type { BlockStanding } from '../fold/live-blocks.ts';

type Words = Pick<NextBlockClick, 'label' | 'command' | 'metaContext'>;

/** @returns why such words are not taken; undefined where they are */
export function refuseWords({ label, command, metaContext }: Words): ErrorFacts | undefined {
  if (metaContext.trim() === '')
    return refusal('The metaContext of the click is blank.', 'Name the context that the new session is to be in.');
  if (label.trim() === '') return refusal('The label of the click is blank.', 'Give what its button says.');
  if (command.trim() === '') return refusal('The command of the click is blank.', 'Give what is to be said first.');
  const lengths = [
    ['metaContext', metaContext.trim(), maxMetaContextName],
    ['label', label, maxLabel],
    ['command', command, maxCommand],
  ] as const;
  const long = lengths.find(([, text, most]) => text.length > most);
  if (long === undefined) return undefined;
  const [field, text, most] = long;
  return refusal(
    `The ${field} of the click has ${text.length} characters; at most ${most} are taken.`,
    'Ask the agent for a shorter one, or say it in a session yourself.',
  );
}

/** A block is pressed as it stands in the log, and only while it works. @returns why not; undefined where it is taken */
export function refuseBlock(standing: BlockStanding, words: Words): ErrorFacts | undefined {
  if (!standing.works) {
    return {
      code: 'conflict',
      message: `The button cannot be pressed any more. ${standing.why}`,
      hint: 'Look at the session as it is now: guild-hall session list',
      details: { reason: standing.reason, usedBy: standing.usedBy },
    };
  }
  if (isSame(standing.next, words)) return undefined;
  return {
    code: 'conflict',
    message: 'The click has other words than the block in the session’s log.',
    hint: 'Load the page again and press the button that it shows.',
    details: { reason: 'other-words' },
  };
}

function isSame(next: NextBlock, { label, command, metaContext }: Words): boolean {
  return next.label === label && next.command === command && next.metaContext === metaContext.trim();
}

function refusal(message: string, hint: string): ErrorFacts {
  return { code: 'invalid', message, hint };
}
