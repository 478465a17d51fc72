/** A council's question on a terminal, as a real prompt; and as text where nobody sits. */
import type { Asked, CouncilNext } from '../../features/councils/contract.ts';
import { answersOf, knownAnswer, lineOf, parseTyped, questionName } from '../../features/councils/contract/asking.ts';
import { nearestOf } from '../../kernel/pure/nearest.ts';
import type { Prompt } from './prompt.ts';
import { plainText, type Terminal } from './terminal.ts';
import { hanging, wrapped } from './wrap.ts';

export interface GivenAnswer {
  readonly answer: string;
  readonly text?: string;
}

/** What stands above the prompt: what is asked, what is new, the draft or the pin whole, the choices in one line. */
export function questionText(asked: Asked, term: Terminal): string {
  const { question, header, text, notes, shown } = asked;
  const draft = shown === null ? [] : ['', ...shownText(question, shown, term), ''];
  const line = (words: string): string => (term.isTty ? hanging(plainText(words), 0, term.width) : plainText(words));
  return [
    term.style('bold', plainText(header)),
    line(text),
    ...notes.map((note) => term.style('dim', line(note))),
    ...draft,
    lineOf(question),
  ].join('\n');
}

/** Running text is folded; YAML and what was pinned keep their lines. */
function shownText(question: Asked['question'], shown: string, term: Terminal): string[] {
  const text = plainText(shown).trimEnd();
  const edge = term.style('dim', '─'.repeat(Math.min(72, term.width - 1)));
  const isText = question.kind === 'review' && question.draft !== 'action-items';
  return [edge, isText && term.isTty ? wrapped(text, term) : text, edge];
}

/** How it is answered from a script, each way a command. */
export function howToAnswer(id: string, asked: Asked, term: Terminal): string {
  const ways = {
    yield: ['continue', 'pause', 'interject "<text>"', 'wrap-up', 'abort'],
    pin: ['extract', 'keep', 'drop'],
    review: ['accept', 'edit --file <path>', 'drop'],
  }[asked.question.kind];
  return commandsOf(id, ways, term);
}

/** For who goes along step by step: each answers this question and no later one; words come on standard input. */
export function howToAnswerStep({ id, project }: Named, { question }: Asked, term: Terminal): string {
  const ways = {
    yield: ['continue', 'pause', 'interject -', 'wrap-up', 'abort'],
    pin: ['extract', 'keep', 'drop'],
    review: ['accept', 'edit -', 'drop'],
  }[question.kind];
  const name = questionName(question);
  const word = /^[\w:.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
  const only = `--project ${project} --question ${word} --no-follow`;
  return commandsOf(
    id,
    ways.map((way) => `${way} ${only}`),
    term,
  );
}

/** The same title may be that of a council in another project. */
type Named = Pick<CouncilNext, 'id' | 'project'>;

function commandsOf(id: string, ways: readonly string[], term: Terminal): string {
  return ['Answer it:', ...ways.map((way) => `  ${term.hint(`guild-hall council answer ${id} ${way}`)}`)].join('\n');
}

/** The command that shows what comes after this step. */
export function howToGoAlong({ id, project, next, asked }: CouncilNext, term: Terminal): string {
  const command = term.hint(`guild-hall council next ${id} --project ${project} --from ${next}`);
  return `${asked === null ? 'It goes on' : 'After the answer'}: ${command}`;
}

/** @returns undefined when the person leaves it, or `signal` ends the wait: somebody else answered */
export async function askPerson(
  prompt: Prompt,
  term: Terminal,
  asked: Asked,
  signal: AbortSignal,
): Promise<GivenAnswer | undefined> {
  const { question } = asked;
  for (;;) {
    const typed = await prompt.ask('> ', signal);
    if (typed === undefined) return undefined;
    const doubt = doubtAbout(asked, typed);
    const given = doubt === undefined ? parseTyped(question, typed) : undefined;
    if (given === undefined) {
      const meant = doubt === undefined ? '' : `${doubt}\n`;
      term.out(`${term.style('dim', `${meant}${lineOf(question)}`)}\n`);
      continue;
    }
    const whole = await withText(prompt, term, asked, given, signal);
    if (whole !== undefined || signal.aborted) return whole;
    term.out(`${term.style('dim', lineOf(question))}\n`);
  }
}

/** Words with which one leaves a program, or asks it for help. */
const toPrograms = new Set(['help', 'quit', 'exit', 'stop']);

/** The letter that accepted each draft until now would end the council here, for good and with nothing written. */
const wantsTheWord =
  'Nothing would be written, and an aborted council cannot be resumed. To abort it, type the word: abort.';

/** One word that is nearly one of the answers, a lone letter, and what one says to programs are no interjection. */
function doubtAbout({ question }: Asked, typed: string): string | undefined {
  const word = typed.trim();
  if (question.kind !== 'yield' || word === '' || /\s/.test(word)) return undefined;
  const known = knownAnswer(question, word);
  if (known === 'abort' && question.at === 'pre-save' && word.toLowerCase() !== 'abort') return wantsTheWord;
  if (known !== undefined) return undefined;
  const near = nearestOf(word, answersOf(question));
  const instead = `To say it to the council: i "${plainText(word)}"`;
  if (near !== undefined) return `Did you mean ${near}? ${instead}`;
  const isNoSpeech = [...word].length === 1 || toPrograms.has(word.toLowerCase());
  return isNoSpeech ? `${plainText(word)} is none of the answers. ${instead}` : undefined;
}

/** Asks for the words that an answer wants: of an interjection, of a revised draft. Undefined: asked anew. */
async function withText(
  prompt: Prompt,
  term: Terminal,
  { question, shown }: Asked,
  given: GivenAnswer,
  signal: AbortSignal,
): Promise<GivenAnswer | undefined> {
  if (given.answer === 'interject' && given.text === undefined) {
    const text = await prompt.ask('what do you say? ', signal);
    return text === undefined || text.trim() === '' ? undefined : { answer: 'interject', text };
  }
  if (given.answer !== 'edit') return given;
  const name = question.kind === 'review' ? question.draft.replaceAll(/[^A-Za-z0-9-]+/g, '-') : 'draft';
  const text = await prompt.edit(shown ?? '', `${name}.md`);
  if (text === undefined) {
    term.out(
      `${term.style('dim', 'No editor opened it: set $EDITOR, or answer from another terminal with --file.')}\n`,
    );
    return undefined;
  }
  if (text === shown) {
    term.out(`${term.style('dim', 'It is as it was; accept takes it so.')}\n`);
    return undefined;
  }
  return { answer: 'edit', text };
}
