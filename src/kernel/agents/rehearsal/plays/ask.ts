/** The play that answers questions about the project. */
import type { RehearsalPlay } from '../move.ts';
import type { Situation } from '../situation.ts';
import { answerErrors, answerList, answerOpenWork, answerSettings } from './collect.ts';
import { answerCount } from './counts.ts';
import { explain } from './explain.ts';
import { answerParts, splitQuestions } from './halves.ts';
import { canSearch } from './offered.ts';
import { answerDependencies, answerLargest } from './inventory.ts';
import { answerOverview } from './overview.ts';
import { answerCompare, answerFile, answerFolder, answerMore } from './places.ts';
import { countTerms, type Question, readQuestion } from './question.ts';
import { missingPlace, resolvePlace } from './scope.ts';
import { replayScript, type Script } from './script.ts';
import { spokenText } from './spoken.ts';
import { answerTests } from './tests.ts';
import { answerUsage } from './usage.ts';

export const askPlay: RehearsalPlay = {
  name: 'ask',
  priority: -50,
  play: (situation) => (canSearch(situation) ? replayScript(situation, answerAll(situation)) : undefined),
};

/** Without what the message only quotes; two questions in one message get two answers. */
function answerAll(situation: Situation): Script {
  const text = spokenText(situation.turn.userText);
  const spoken = { ...situation, turn: { ...situation.turn, userText: text } };
  const parts = splitQuestions(text);
  return parts.length > 1 ? answerParts(spoken, parts, answer) : answer(spoken, readQuestion(spoken));
}

/** Answers a question with the means of its form; what the form cannot answer is explained from its terms. */
export function* answer(situation: Situation, question: Question): Script {
  const { intent, terms } = question;
  if (question.place !== undefined) return yield* answerMore(situation, question.place);
  const [file] = terms.files;
  if (file !== undefined && terms.names.length === 0 && (intent === 'explain' || intent === 'list')) {
    const place = yield* resolvePlace(situation, file);
    if (place === undefined) return missingPlace(file);
    if (place.kind === 'folder' && intent === 'explain' && terms.words.length === 0) {
      return yield* answerFolder(situation, place.path);
    }
    if (place.kind === 'file') return yield* answerFile(situation, question, place.path);
  }
  switch (intent) {
    case 'overview':
      return yield* answerOverview(situation);
    case 'usage':
      return yield* answerUsage(situation, question);
    case 'tests':
      return yield* answerTests(situation, question);
    case 'count':
      return yield* answerCount(situation, question);
    case 'dependencies':
      return yield* answerDependencies(situation);
    case 'open_work':
      return yield* answerOpenWork(situation, question);
    case 'errors':
      return yield* answerErrors(situation, question);
    case 'settings':
      return yield* answerSettings(situation);
    case 'largest':
      return yield* answerLargest(situation);
    case 'list':
      return yield* answerList(situation, question);
    case 'compare': {
      const text = yield* answerCompare(situation, question);
      return text ?? (yield* explain(situation, question));
    }
    default:
      return countTerms(terms) === 0 ? nothingToSearch(question) : yield* explained(situation, question);
  }
}

/** A reason is more than a place: an answer to a "why" says what it is not. */
function* explained(situation: Situation, question: Question): Script {
  const text = yield* explain(situation, question);
  return /^\s*(?:and\s+)?why\b/i.test(question.text)
    ? `*Why* is not in a search; this is what is written where the words of the question are.\n\n${text}`
    : text;
}

function nothingToSearch(question: Question): string {
  const said = question.text.length > 80 ? `${question.text.slice(0, 80)}…` : question.text;
  return [
    `I have not understood “${said}”: it has no word that I could search this project for, so I searched nothing.`,
    'Ask with a name or a word of the code: *how does `name` work?*, *who calls `name`?*, *is `name` tested?*, *which errors are thrown?*, *what is this project?*, *compare `a` and `b`*, or name a file.',
  ].join('\n\n');
}
