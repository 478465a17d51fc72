/** How the hall's branch and the person's own stand to each other. */
import type { ReactNode } from 'react';
import { Section } from '../../kit/layout.tsx';
import { Problem } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import type { OutputOf } from '../../state/operations.ts';

export function BranchFacts({ project }: { readonly project: OutputOf<'project.show'> }) {
  const { integrationBranch, personBranch, ahead, behind, lastSync, path } = project;
  return (
    <>
      <Section title="Branches">
        <dl className="flex flex-col gap-3 text-13">
          <Fact name="Work is gathered on">
            <code className="font-mono text-12">{integrationBranch}</code>
          </Fact>
          {personBranch !== null && (
            <Fact name="Your branch">
              <code className="font-mono text-12">{personBranch}</code>
            </Fact>
          )}
          {personBranch !== null && (
            <Fact name="Apart">
              {behind === 0 && ahead === 0
                ? 'The two are the same'
                : `${sayCommits(behind ?? 0)} of yours to bring in, ${sayCommits(ahead ?? 0)} for you to take over`}
            </Fact>
          )}
          {personBranch !== null && (ahead ?? 0) > 0 && (
            <Fact name={`To take it over, on ${personBranch}`}>
              <code className="font-mono text-12">git merge {integrationBranch}</code>
            </Fact>
          )}
          <Fact name="Last brought in">{lastSync === null ? 'Never' : <TimeAgo at={lastSync} />}</Fact>
        </dl>
      </Section>
      <Section title="Folder">
        <p className="font-mono text-12 text-soft">{path}</p>
      </Section>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-0.5">
      <dt className="text-12 text-faint">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function sayCommits(count: number): string {
  return count === 1 ? '1 commit' : `${count} commits`;
}

export function SyncOutcome({ outcome }: { readonly outcome: OutputOf<'project.sync'> }) {
  if (outcome.outcome === 'conflict') {
    return (
      <Problem
        facts={{
          code: 'conflict',
          message: `Your branch and the hall’s changed the same lines: ${outcome.files.join(', ')}. Nothing was changed.`,
          hint: outcome.notes.join(' '),
        }}
      />
    );
  }
  const done = outcome.outcome === 'synced' ? 'Your branch was brought in.' : 'There was nothing new on your branch.';
  return (
    <p role="status" className="text-13 text-soft">
      <span aria-hidden>✓ </span>
      {[done, ...outcome.notes].join(' ')}
    </p>
  );
}
