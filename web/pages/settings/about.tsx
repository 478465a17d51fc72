/** Which hall this is, and where its things lie. */
import { Fragment, type ReactNode } from 'react';
import { Section } from '../../kit/layout.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Skeleton, withCommands } from '../../kit/states.tsx';
import { Since } from '../../kit/time.tsx';
import { type Read, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

export function About({ status }: { readonly status: Read<OutputOf<'status'>> }) {
  const { data } = status;
  // What is wrong in config.yaml stands where the settings are.
  const config = useRead('config.show', {}).data?.file;
  const problems = data?.problems.filter((problem) => config === undefined || !problem.startsWith(config)) ?? [];
  const facts: readonly (readonly [name: string, value: ReactNode])[] = data
    ? [
        ['Version', data.version],
        ['Address', <Mono key="url">{data.url}</Mono>],
        ['Home', <Mono key="home">{data.home}</Mono>],
        ['Running for', <Since key="since" at={data.startedAt} />],
        ['Process', data.pid],
        ['Agents', <Agents key="agents" sandbox={data.sandbox} />],
      ]
    : [];
  return (
    <Section title="This hall">
      {data === undefined && status.problem === undefined && <Skeleton lines={4} />}
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-13">
        {facts.map(([name, value]) => (
          <Fragment key={name}>
            <dt className="text-faint">{name}</dt>
            <dd className="text-ink">{value}</dd>
          </Fragment>
        ))}
      </dl>
      {problems.length > 0 && (
        <ul aria-label="Problems at the start" className="flex list-disc flex-col gap-1 pl-4 text-13 text-ink">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Agents({ sandbox: { kind, reason, hint } }: Pick<OutputOf<'status'>, 'sandbox'>) {
  if (kind !== 'none') return `in a sandbox (${kind})`;
  return (
    <>
      <StateMark kind="note" word="not sandboxed" /> {withCommands(`${reason} Next: ${hint}`)}
    </>
  );
}

function Mono({ children }: { readonly children: ReactNode }) {
  return <code className="font-mono text-12 break-all">{children}</code>;
}
