/** Which model answers, and what config.yaml says. */
import { Section } from '../../kit/layout.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Problem, Skeleton, withCommands } from '../../kit/states.tsx';
import { type Read, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

const exampleOfModel = `model: sonnet
models:
  - name: sonnet
    modelId: claude-sonnet-4-5
    baseUrl: https://api.anthropic.com
    auth: { kind: api-key, secret: sonnet }   # the key: state/secrets/sonnet in the home, 0600`;

export function Model({ status }: { readonly status: Read<OutputOf<'status'>> }) {
  const model = status.data?.model;
  return (
    <Section title="Model and settings">
      {status.problem && <Problem facts={status.problem} />}
      {model === undefined && status.problem === undefined && <Skeleton lines={2} />}
      {model && (
        <div className="flex flex-col gap-1 pb-2">
          <p className="text-15 text-ink">{model.label}</p>
          <p className="max-w-[68ch] text-13 text-soft">
            {withCommands(
              model.isRehearsal
                ? 'No model is configured: answers are put together from the project’s own files. Describe one under `models` in config.yaml, and name it under `model`:'
                : 'Answers wherever a worker names no model of its own.',
            )}
          </p>
          {model.isRehearsal && (
            <pre
              tabIndex={0}
              aria-label="A model in config.yaml"
              className="mt-2 overflow-x-auto rounded-md bg-sunk px-3 py-2.5 font-mono text-12 text-ink"
            >
              {exampleOfModel}
            </pre>
          )}
        </div>
      )}
      <Configuration />
    </Section>
  );
}

function Configuration() {
  const { data, problem } = useRead('config.show', {});
  if (problem) return <Problem facts={problem} />;
  if (data === undefined) return <Skeleton lines={1} />;
  return (
    <div className="flex flex-col gap-3">
      <p className="text-13 text-soft">
        Settings are in <code className="font-mono text-12 text-ink">{data.file}</code>. Change them with any editor;
        what you save counts at once.
      </p>
      {data.problems.length > 0 && (
        <ul aria-label="Problems in config.yaml" className="flex flex-col gap-2">
          {data.problems.map(({ line, column, message }) => (
            <li key={`${line}:${column}:${message}`} className="flex flex-wrap items-baseline gap-x-3 text-13">
              <StateMark kind="failed" word={`line ${line}, column ${column}`} />
              <span className="text-ink">{withCommands(message)}</span>
            </li>
          ))}
        </ul>
      )}
      <details className="group text-13">
        <summary className="w-fit rounded-sm text-soft hover:text-ink">Settings in force, without secrets</summary>
        <pre
          tabIndex={0}
          aria-label="Settings in force"
          className="mt-2 max-h-96 overflow-auto rounded-md bg-sunk px-3 py-2.5 font-mono text-12 text-ink"
        >
          {JSON.stringify(data.config, null, 2)}
        </pre>
      </details>
    </div>
  );
}
