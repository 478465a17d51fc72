/**
 * How the rehearsal takes part in sessions: it goes through the phases of a spec when they are called by their names, and
 * shows on request how a permission is asked for. All other words are answered as everywhere, from the project.
 */
import { type Move, type RehearsalPlay, sayMove } from '../../kernel/agents/rehearsal/move.ts';
import { bullets, paragraphs } from '../../kernel/agents/rehearsal/plays/markdown.ts';
import { offeredTool } from '../../kernel/agents/rehearsal/plays/offered.ts';
import { replayScript } from '../../kernel/agents/rehearsal/plays/script.ts';
import type { Step } from '../../kernel/agents/rehearsal/plays/search.ts';
import type { Situation } from '../../kernel/agents/rehearsal/situation.ts';
import { sessionKind } from './contract.ts';
import { phases } from './play/phases.ts';
import { writeByTool } from './play/writing.ts';

const called = /^\/(?:conclave:)?([\w-]+)(?:[ \t]+(\S+))?(?:\s+([^]*))?$/;
/** A folder's name, and nothing that leads out of one. */
const plainName = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,99}$/u;
const wantsToBeAsked = /\b(ask me|permission)\b/i;

export const sessionPlay: RehearsalPlay = {
  name: 'session',
  priority: 150,
  play: (situation) => {
    if (situation.activityKind !== sessionKind) return undefined;
    const text = situation.turn.userText.trim();
    const [, command, name, words = ''] = called.exec(text) ?? [];
    if (command !== undefined) return runPhase(situation, command, name, words);
    return wantsToBeAsked.test(text) ? replayScript(situation, asking(situation)) : undefined;
  },
};

function runPhase(situation: Situation, command: string, name: string | undefined, words: string): Move {
  const phase = phases[command];
  if (phase === undefined) return sayMove(listOfPhases(command));
  if (name === undefined || !plainName.test(name)) {
    return sayMove(`Which spec? Name it with letters, digits and hyphens: \`/${command} voice-dictation\`.`);
  }
  return replayScript(situation, phase(situation, name, words.trim()));
}

function listOfPhases(command: string): string {
  return paragraphs(
    `A rehearsal has no part for \`/${command}\`. It goes through the phases of a spec:`,
    bullets([
      '`/rsrc <name>`: research',
      '`/req <name>`: use cases',
      '`/arq <name>`: the event model',
      '`/plan <name>`: tasks',
      '`/org <name>`: waves',
      '`/orc <name>`: the work',
    ]),
    'Begin with `/rsrc voice-dictation`; each answer ends with the button of the next.',
  );
}

const note = '.conclave/rehearsal.md';

/** A command that only looks, and a small file where there is no shell: either way the person decides. */
function* asking(situation: Situation): Step<string> {
  const shell = offeredTool(situation, 'Bash');
  if (shell !== undefined) {
    const [call] = yield [
      { name: shell.name, input: { command: 'git status --short', description: 'Look at the changes' } },
    ];
    const said = call?.result?.text.trim() ?? '';
    if (call?.result?.isError !== true)
      return `You let me run \`git status --short\`. It said:\n\n\`\`\`\n${said || 'nothing changed'}\n\`\`\``;
    if (/refused/i.test(said))
      return 'You refused, so I ran nothing. That is all that a refusal does: the session goes on.';
  }
  const written = yield* writeByTool(situation, note, 'A rehearsal asked before it wrote this. It may be removed.\n');
  if (written === 'missing') return 'I have no tool here for which I would have to ask you.';
  return written === 'refused'
    ? 'You refused, so nothing was written. That is all that a refusal does: the session goes on.'
    : `You let me write \`${note}\`. It may be removed.`;
}
