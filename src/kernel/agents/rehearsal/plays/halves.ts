/** Questions that ask two things are answered one after the other. */
import type { Situation } from '../situation.ts';
import { paragraphs } from './markdown.ts';
import { type Question, readQuestion } from './question.ts';
import type { Script } from './script.ts';

const questionWord = '(?:who|what|which|where|when|why|how|is|are|does|do|can|did|was|were)';
const beginning = new RegExp(`^(?:and |so |but |then )?(?:${questionWord}|compare|list|explain|show|describe)\\b`, 'i');
const joint = new RegExp(`\\?\\s+(?=\\S)|[,;]?\\s+and\\s+(?=${questionWord}\\b)`, 'i');

/** The questions in a text, at most three; one when it cannot be taken apart. */
export function splitQuestions(text: string): string[] {
  const plain = text.trim();
  if (plain.includes('\n\n') || plain.length > 400) return [plain];
  const parts = plain.split(joint).map((part) => part.trim().replace(/[?.\s]+$/, ''));
  const isEach = parts.every((part) => beginning.test(part) && part.split(/\s+/).length > 1);
  return parts.length > 1 && parts.length <= 3 && isEach ? parts.map((part) => `${part}?`) : [plain];
}

/** Each part with its own answer under its own words. */
export function* answerParts(
  situation: Situation,
  parts: readonly string[],
  answer: (situation: Situation, question: Question) => Script,
): Script {
  const sections: string[] = [];
  let turns = situation.turns;
  let subject: string | undefined;
  for (const part of parts) {
    const own: Situation = { ...situation, turns, turn: { ...situation.turn, userText: part } };
    const question = completed(readQuestion(own), subject);
    const text = yield* answer(own, question);
    const plain = text.split('\n\n').filter((paragraph) => !paragraph.startsWith('*Next:*'));
    sections.push(paragraphs(`**${part}**`, ...plain));
    subject ??= question.terms.names[0];
    turns = [...turns, { userText: part, assistantText: text, calls: [], answers: 1 }];
  }
  return sections.join('\n\n---\n\n');
}

/** "…, and what is the difference to `b`?" means: between the subject of the part before and `b`. */
function completed(question: Question, subject: string | undefined): Question {
  const { terms, intent } = question;
  if (intent !== 'compare' || subject === undefined || terms.names.length !== 1 || terms.names[0] === subject)
    return question;
  return { ...question, terms: { ...terms, names: [subject, terms.names[0]!] } };
}
