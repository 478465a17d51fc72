/** What the person says to a running worker reaches it with the answer of its next tool call. */
import type { LineFollower } from '../../../kernel/artifacts/follow-lines.ts';
import type { Tool } from '../../../kernel/agents/tools.ts';
import type { WordToWorker } from '../contract/journal.ts';
import { followWords } from '../store/attempt.ts';
import type { Attempt, WorkerContext } from './context.ts';

export interface Hearing {
  readonly attempt: Attempt;
  /** What it asked, by id. */
  readonly questions: Map<string, string>;
  waiting: WordToWorker[];
  readonly follower: LineFollower;
}

export function startHearing(ctx: WorkerContext, attempt: Attempt): Hearing {
  const hearing: Hearing = {
    attempt,
    questions: new Map(),
    waiting: [],
    follower: followWords(ctx, attempt.folder, (word) => void hearing.waiting.push(word)),
  };
  return hearing;
}

/** The words that wait, as the worker is to read them; none of them is given twice. */
export async function takeWords(hearing: Hearing): Promise<string | undefined> {
  // Also what was said just now, of which no sign has come yet. A file that cannot be read is looked at again at the next call.
  await hearing.follower.catchUp().catch(() => undefined);
  const words = hearing.waiting;
  const last = words.at(-1);
  if (last === undefined) return undefined;
  hearing.waiting = [];
  await hearing.attempt.journal.add({ kind: 'heard', word: last.n });
  return words.map((word) => printWord(hearing, word)).join('\n\n');
}

function printWord({ questions }: Hearing, { question, text }: WordToWorker): string {
  if (question === null) return `The person says to you:\n${text}`;
  const asked = questions.get(question);
  return `The person answers your question ${question}${asked === undefined ? '' : ` (${JSON.stringify(asked.slice(0, 200))})`}:\n${text}`;
}

/** The same tools; what waits stands behind the answer of each call. */
export function withHearing(tools: readonly Tool[], hearing: Hearing): Tool[] {
  return tools.map((tool) => ({
    ...tool,
    run: async (input) => {
      const outcome = await tool.run(input);
      const words = await takeWords(hearing);
      return words === undefined ? outcome : { ...outcome, text: `${outcome.text}\n\n---\n${words}` };
    },
  }));
}
