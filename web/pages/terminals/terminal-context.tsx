/** What is known of a terminal. */
import type { ReactNode } from 'react';
import type { TerminalView } from '../../../src/features/terminals/contract.ts';
import { Section } from '../../kit/layout.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { TalkLink } from '../../kit/terminal/talk-link.tsx';
import { commandOf } from '../../kit/terminal/terminal-state.ts';
import { TimeAgo } from '../../kit/time.tsx';

export function TerminalContext({ terminal }: { readonly terminal: TerminalView }) {
  const { toAgents, startedAt, startedBy, sandbox, cwd, conversation, end } = terminal;
  return (
    <>
      <Section title="What it is">
        <dl className="flex flex-col gap-2.5 text-13">
          <Fact name="Runs">
            <code className="font-mono text-12 break-all">{commandOf(terminal)}</code>
          </Fact>
          <Fact name="In">
            <code className="font-mono text-12 break-all">{cwd}</code>
          </Fact>
          <Fact name="Started">
            <TimeAgo at={startedAt} /> {startedBy.kind === 'person' ? 'by you' : `by a ${startedBy.kind}`}
          </Fact>
          {end !== null && (
            <Fact name="Ended">
              <TimeAgo at={end.at} />
              {end.exitCode !== null && `, exit code ${end.exitCode}`}
            </Fact>
          )}
          <Fact name="Sandbox">
            {sandbox.kind === 'none' ? (
              <>
                <StateMark kind="note" word="none" />
                {sandbox.reason !== '' && <span className="block pt-0.5 text-12 text-faint">{sandbox.reason}</span>}
              </>
            ) : (
              sandbox.kind
            )}
          </Fact>
          <Fact name="Agents">{toAgents ? 'of its project see it, and may say something to it' : 'do not see it'}</Fact>
          {conversation !== null && (
            <Fact name="Talks">
              <TalkLink id={conversation} className="underline hover:text-ember-strong" />
            </Fact>
          )}
        </dl>
      </Section>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5rem_minmax(0,1fr)] gap-2">
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 text-ink">{children}</dd>
    </div>
  );
}
