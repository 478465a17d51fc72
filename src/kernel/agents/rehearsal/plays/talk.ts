/** Greetings, thanks, "what can you do", and what to say when there is nothing to search with. */
import type { Move, RehearsalPlay } from '../move.ts';
import { sayMove } from '../move.ts';
import type { Situation } from '../situation.ts';
import { bullets, code, listed, paragraphs, shortened } from './markdown.ts';
import { canSearch, offeredTool } from './offered.ts';
import { progressOf } from './record.ts';

const greeting =
  /^(hi|hello|hey|hallo|good (morning|afternoon|evening|day)|greetings)(\s+(there|all|everyone|again|\w{2,20}))?[\s!.,]*$/i;
const thanks =
  /^(ok(ay)?[,.!\s]*)?(thanks?( you)?( (a lot|very much|so much))?|thx|great|perfect|nice|good( job)?|cool|ok(ay)?|got it|understood)[\s!.]*$/i;
const identity =
  /^(who|what) are you\b|^what can (you|i)\b|^help\b[\s?!.]*$|\bwhat can you do\b|\bare you (a|an|the)? ?(real )?(model|ai|llm|claude|human|rehearsal)\b/i;

/** Talk that no project answers. */
const offTopic =
  /\b(weather|capital (?:city )?of|president of|population of|tell me a joke|joke about|horoscope|recipe for|meaning of life|how are you|who won|what time is it|what day is it|(?:your|my) favou?rite|sing (?:me )?a song|write (?:me )?a poem)\b|^\W*(?:what is|what's|how much is)?\s*\d+\s*[-+*/x]\s*\d+\W*$/i;

export const talkPlay: RehearsalPlay = {
  name: 'talk',
  priority: 40,
  play: (situation) => {
    const text = situation.turn.userText;
    if (offTopic.test(text) && text.length < 120)
      return sayMove(
        'I only search this project and quote what it holds; of anything else I know nothing. Ask about a name, a word or a file of it.',
      );
    if (identity.test(text)) return sayMove(paragraphs(selfDescription(situation), abilities(situation)));
    if (greeting.test(text)) return sayMove(paragraphs(`Hello.`, abilities(situation)));
    if (thanks.test(text)) return sayMove('You are welcome. Ask on, or close when nothing is open.');
    return undefined;
  },
};

function selfDescription(situation: Situation): string {
  return `I am the rehearsal that stands in for a model: a program with fixed rules, sitting where *${situation.worker}* would think. I do not understand; I search, quote with \`path:line\`, and use tools as the words of a message say. With a model in config.yaml the same conversation is answered by that model.`;
}

function abilities(situation: Situation): string {
  const has = (name: string): boolean => offeredTool(situation, name) !== undefined;
  const rows = [
    canSearch(situation) &&
      'Questions about the project: *what is this project?*, *how does `name` work?*, *who calls `name`?*, *is `name` tested?*, *which errors are thrown in `folder/`?*, *compare `a` and `b`*; also in plain words: *how are requests validated?*',
    (has('write_artifact') || has('Write')) && 'Artifacts: *write your findings about … to `.lore/notes/x.md`*',
    has('record_decision') && 'Decisions: *record a decision: we use X because Y*',
    has('write_memory') && 'Memory: *remember that …*',
    has('summarize_progress') && 'Progress: *summarize progress*',
    has('propose_followup') && 'Follow-ups: *follow up on …*',
  ].filter((row) => row !== false);
  if (rows.length === 0) return 'I have no tools here: I can neither search nor write, only say so.';
  return `What works here:\n\n${bullets(rows)}`;
}

/** The agent's program asks for a summary when the conversation no longer fits into its window. */
export const compactPlay: RehearsalPlay = {
  name: 'compact',
  priority: 90,
  play: ({ turn, turns }) =>
    /\byour task is to create a detailed summary of (?:the|our|this) conversation\b/i.test(turn.userText)
      ? sayMove(
          `<summary>\nThe conversation so far, as a list of what was asked and where it was answered:\n\n${progressOf(turns)}\n</summary>`,
        )
      : undefined,
};

/** The last play: it always answers, and says what it could not do. */
export const lastPlay: RehearsalPlay = {
  name: 'last',
  priority: -100,
  play: (situation): Move => {
    if (!situation.stream && situation.tools.length === 0) return sayMove(digest(situation.turn.userText));
    const names = situation.tools
      .map((tool) => tool.name.replace(/^mcp__\w+?__/, ''))
      .filter((name) => name !== 'DeferredToolPlaceholder');
    const tools =
      names.length > 0
        ? `The tools I have are ${listed(names.slice(0, 12).map((name) => code(name)))}.`
        : 'I have no tools.';
    return sayMove(
      `I cannot search the project here, so I have nothing to answer “${shortened(situation.turn.userText, 120)}” with. ${tools}`,
    );
  },
};

/** A plain call of the hall, such as for a summary: the most telling lines of the text, as they stand. */
function digest(text: string): string {
  const rows = text
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row.length > 20 && !/^(```|\||---|<)/.test(row));
  const telling = rows.filter((row) => /^(#|[-*] |\d+\. |>|\*\*)|decid|decision|`[^`]+:\d+`|\?$/i.test(row));
  const chosen = (telling.length >= 3 ? telling : rows)
    .slice(0, 14)
    .map((row) => shortened(row.replace(/^[#>*\-\s]+|^\d+\.\s+/, ''), 180));
  return chosen.length === 0 ? 'There is nothing to summarise.' : bullets(chosen);
}
