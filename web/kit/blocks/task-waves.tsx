/** The tasks of a spec in their waves; what cannot be done so is said where it stands. */
import type { Task } from '../../../src/features/contexts/contract/blocks.ts';
import { type CheckedTask, checkWaves } from '../../../src/features/contexts/fold/waves.ts';
import { looksOf } from '../state-mark.tsx';

export function TaskWaves({ tasks }: { readonly tasks: readonly Task[] }) {
  const waves = checkWaves(tasks);
  const faults = waves.flatMap((wave) => wave.tasks.flatMap((each) => each.faults));
  return (
    <section aria-label="Tasks in waves" className="flex flex-col gap-4 font-sans text-15 text-ink">
      <p className="text-13 text-soft">
        {counted(tasks.length, 'task')} in {counted(waves.length, 'wave')}
        {faults.length > 0 && <span className="text-failed"> · {counted(faults.length, 'thing')} to be mended</span>}
      </p>
      {waves.map(({ wave, tasks: own }) => (
        <div key={wave} className="flex gap-4 border-t border-line pt-3 max-phone:flex-col max-phone:gap-1.5">
          <p className="w-16 shrink-0 text-13 leading-6 font-medium text-soft">Wave {wave}</p>
          <ul className="flex min-w-0 flex-1 list-none! flex-col gap-3 p-0!">
            {own.map((each, nth) => (
              <li key={`${each.task.id} ${nth}`} className="m-0!">
                <TaskLine {...each} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function TaskLine({ task, faults }: CheckedTask) {
  const { id, name, depends, ucs, creates, modifies, description } = task;
  return (
    <>
      <details className="group">
        <summary className="cursor-pointer list-none leading-6 marker:content-none">
          <span className="mr-2 font-mono text-12 text-soft">{id}</span>
          <span className="font-medium group-open:underline group-hover:underline">{name}</span>
          <span className="ml-2 text-13 text-soft">
            {[...(depends.length > 0 ? [`after ${depends.join(', ')}`] : []), ...ucs].join(' · ')}
          </span>
        </summary>
        <div className="mt-1.5 flex flex-col gap-1.5 border-l border-line pl-3 text-13 text-soft">
          <Files word="creates" paths={creates} />
          <Files word="changes" paths={modifies} />
          <p dir="auto" className="text-15 leading-6 whitespace-pre-wrap wrap-anywhere text-ink">
            {description}
          </p>
        </div>
      </details>
      {faults.map((fault) => (
        <p key={fault} className="flex items-baseline gap-1.5 text-13 text-failed">
          <span aria-hidden>{looksOf('failed').shape}</span>
          {fault}
        </p>
      ))}
    </>
  );
}

function Files({ word, paths }: { readonly word: string; readonly paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <p className="wrap-anywhere">
      {word} <span className="font-mono text-12">{paths.join(', ')}</span>
    </p>
  );
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
