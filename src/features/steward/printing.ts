/** How commissions are told to the worker that keeps the overview. Markdown. */
import type { CommissionAnswer, CommissionDispatched, CommissionView, TimelineEntry } from '../commissions/contract.ts';

export function printStanding({ id, title, worker, status, path, queue, missing }: CommissionAnswer): string {
  const waits = missing.length === 0 ? '' : ` It waits for ${missing.join(', ')}.`;
  const queued = queue === null ? '' : ` In the queue at place ${queue.position}: ${queue.text}.`;
  return `Commission ${id}, "${title}", for the ${worker}: ${status ?? 'not readable'}.${waits}${queued} Its record: ${path}`;
}

/** With those that start besides, and what nobody of them is known to make. */
export function printDispatched(dispatched: CommissionDispatched): string {
  const { also, unmade } = dispatched;
  const others = also.map(({ id, title }) => `"${title}" (${id})`).join(', ');
  return [
    printStanding(dispatched),
    ...(also.length === 0 ? [] : [`Dispatched as well, for it waits for them: ${others}.`]),
    ...(unmade.length === 0 ? [] : [`Nothing of the chain is known to make ${unmade.join(', ')}.`]),
  ].join(' ');
}

const longestPrompt = 6000;
const entriesShown = 30;

export function printView({ commission, openQuestions, queue, dependencies, conflicts }: CommissionView): string {
  const { id, title, worker, status, attempt, currentProgress, result, merge, prompt, timeline } = commission;
  const missing = dependencies.filter(({ isThere }) => !isThere).map(({ on }) => on);
  const parts = [
    `# ${title}`,
    `Commission ${id}, for the ${worker}: ${status ?? 'not readable'}, attempt ${attempt}, merge: ${merge.state}.`,
    queue === null ? '' : `In the queue at place ${queue.position}: ${queue.text}.`,
    missing.length === 0 ? '' : `Waits for: ${missing.join(', ')}.`,
    currentProgress === '' ? '' : `Progress: ${currentProgress}`,
    listed(
      'Open questions',
      openQuestions.map((question) => `${question.id}: ${question.text}`),
    ),
    listed(
      'Touches the same files as',
      conflicts.map(({ kind, title: other, files }) => `${kind} "${other}": ${files.join(', ')}`),
    ),
    result === null ? '' : `## Result\n\n${result.summary}\n\nFiles: ${result.artifacts.join(', ') || 'none named'}`,
    `## Prompt\n\n${shortened(prompt)}`,
    `## Timeline, its last entries\n\n${timeline
      .slice(-entriesShown)
      .map((entry) => `- ${printEntry(entry)}`)
      .join('\n')}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function listed(head: string, rows: readonly string[]): string {
  return rows.length === 0 ? '' : `${head}:\n${rows.map((row) => `- ${row}`).join('\n')}`;
}

function printEntry(entry: TimelineEntry): string {
  const words = 'text' in entry ? entry.text : 'reason' in entry ? entry.reason : '';
  const what = entry.event === 'status' ? `became ${entry.to}` : entry.event;
  const said = words.replaceAll(/\s+/g, ' ').slice(0, 300);
  return `${entry.timestamp} ${what}${said === '' ? '' : `: ${said}`}`;
}

function shortened(text: string): string {
  return text.length <= longestPrompt ? text : `${text.slice(0, longestPrompt)}…`;
}
