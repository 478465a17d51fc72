/** What stands under the messages: what waits for the person, the place to write, and who works where for how much. */
import { type RefObject, useEffect, useState } from 'react';
import type { PersonMessage, SessionView } from '../../../../src/features/sessions/contract.ts';
import { openPermissionsOf, runningOf } from '../../../../src/features/sessions/fold/reading.ts';
import { useShortcut } from '../../../app/keyboard.tsx';
import { Button } from '../../../kit/button.tsx';
import { RefusedMessages } from '../../../kit/refused-messages.tsx';
import { Problem } from '../../../kit/states.tsx';
import { inBackground } from '../../../state/background.ts';
import { callHall, useAct, useAwayReason, useHall } from '../../../state/hall.tsx';
import type { KeptImage } from '../../../state/kept-images.ts';
import type { SessionOutbox } from '../../../state/session-outbox.ts';
import { Composer, type Draft } from './composer.tsx';
import { focusQuestion } from './permission.tsx';
import { contextPercent, saySessionUsage } from './usage-words.ts';

export interface WritingProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly project: string;
  readonly session: SessionView['session'];
  readonly agent: string;
  readonly outbox: SessionOutbox;
  readonly draft: Draft;
  readonly onSent: () => void;
}

export function Writing({ field, project, session, agent, outbox, draft, onSent }: WritingProps) {
  const running = runningOf(session);
  const isRunning = running !== undefined;
  const { id } = session;
  const away = useAwayReason();
  const stopping = useAct('session.cancel', { isRepeatable: true });
  const stop = {
    run: () => {
      // What is pressed while the hall is away, and what is sent again, must not stop an answer that began since.
      if (running === undefined || away !== undefined || stopping.isBusy) return;
      inBackground(stopping.act({ project, id, promptId: running.promptId }));
    },
    isBusy: stopping.isBusy,
  };
  return (
    <>
      {isRunning && <StopKeys stop={stop.run} />}
      {stopping.problem && <Problem facts={stopping.problem} />}
      <Composer
        ref={field}
        project={project}
        session={session}
        agent={agent}
        outbox={outbox}
        draft={draft}
        isRunning={isRunning}
        stop={stop}
        onSent={onSent}
      />
    </>
  );
}

function StopKeys({ stop }: { readonly stop: () => void }) {
  useShortcut('Escape', 'Stop the answer', stop, 'This session');
  useShortcut('i', 'Stop the answer', stop, 'This session');
  return null;
}

/** Where the question is far from sight, this leads to it. */
export function Asked({ session, agent }: { readonly session: SessionView['session']; readonly agent: string }) {
  const questions = openPermissionsOf(session);
  const count = questions.length;
  const isSeen = useIsSeen(questions[0]?.requestId);
  useShortcut('q', 'To the question that waits', focusQuestion, 'This session');
  if (count === 0 || isSeen) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13 text-waiting">
      <span>
        <span aria-hidden>◐</span> {count === 1 ? `${agent} waits for your answer` : `${count} questions wait for you`}
      </span>
      <Button tone="quiet" onClick={focusQuestion}>
        Show it
      </Button>
    </p>
  );
}

/** Whether the first question is in sight. @param request its id; undefined where there is none */
function useIsSeen(request: string | undefined): boolean {
  const [isSeen, setSeen] = useState(true);
  useEffect(() => {
    const question = request === undefined ? null : document.querySelector('[data-question]');
    if (question === null) return undefined;
    const observer = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false));
    observer.observe(question);
    return () => observer.disconnect();
  }, [request]);
  return isSeen;
}

export interface ClosedLineProps {
  readonly project: string;
  readonly id: string;
  readonly outbox: SessionOutbox;
}

export function ClosedLine({ project, id, outbox }: ClosedLineProps) {
  const away = useAwayReason();
  const reopening = useAct('session.reopen');
  return (
    <>
      <RefusedMessages outbox={outbox} />
      <p className="flex flex-wrap items-center gap-3 rounded-lg border border-line px-3.5 py-2.5 text-13 text-soft">
        This session is closed; its history stays.
        <span className="flex-1" />
        <Button
          isBusy={reopening.isBusy}
          blockedBecause={away}
          onClick={() => inBackground(reopening.act({ project, id }))}
        >
          Open it again
        </Button>
      </p>
      {reopening.problem && <Problem facts={reopening.problem} />}
    </>
  );
}

/** Who works where, and what it took so far. */
export function AboutLine({ session, agent }: { readonly session: SessionView['session']; readonly agent: string }) {
  const { folder, usage } = session;
  const place = folder.split('/').filter(Boolean).at(-1) ?? folder;
  const percent = usage === null ? undefined : contextPercent(usage);
  const isFull = percent !== undefined && percent >= 85;
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-0.5 px-1 text-12 text-faint">
      <span className="min-w-0 truncate" title={folder}>
        {agent} in <span className="font-mono">{place}</span>
      </span>
      {saySessionUsage(usage).map((said) => (
        <span key={said} className={isFull && said.startsWith('context') ? 'text-waiting' : ''}>
          {isFull && said.startsWith('context') && <span aria-hidden>◐ </span>}
          {said}
        </span>
      ))}
    </p>
  );
}

/** For those who do not see the words come. */
export function sayState(session: SessionView['session'], agent: string): string {
  const [question] = openPermissionsOf(session);
  if (question !== undefined) return `${agent} asks whether it may go on: ${question.title || question.name}`;
  if (runningOf(session) !== undefined) return `${agent} works`;
  const last = session.messages.findLast((message) => message.role === 'agent');
  if (last === undefined || last.state === 'running') return '';
  return { done: 'The answer is whole', interrupted: 'The answer was stopped', failed: 'The answer failed' }[
    last.state
  ];
}

export interface WithdrawRequest {
  readonly project: string;
  readonly id: string;
  readonly draft: Draft;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Words that wait are taken back into the field, with those of their images that can be read. */
export function useWithdraw({ project, id, draft, field }: WithdrawRequest) {
  const client = useHall();
  const withdrawing = useAct('session.withdraw');
  const run = async ({ promptId, images }: PersonMessage) => {
    const files = await Promise.allSettled(
      images.map(({ name }) => callHall(client, 'session.image', { project, id, name }, { isRepeatable: true })),
    );
    const taken = await withdrawing.act({ project, id, promptId });
    if (taken === undefined) return;
    draft.setText((now) => [taken.text, now].filter(Boolean).join('\n\n'));
    draft.attachments.addKept(
      files.flatMap((file, nth) => (file.status === 'fulfilled' ? [keptOf(file.value, nth)] : [])),
      files.flatMap((file, nth) =>
        file.status === 'rejected' ? [`“Image ${nth + 1}” is left out: the hall could not read it; add it again`] : [],
      ),
    );
    field.current?.focus();
  };
  return { run: (message: PersonMessage) => inBackground(run(message)), problem: withdrawing.problem };
}

function keptOf({ name, mimeType, data }: { name: string; mimeType: string; data: string }, nth: number): KeptImage {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const blob = new Blob([bytes], { type: mimeType });
  return { name: `Image ${nth + 1}.${name.split('.').at(-1) ?? ''}`, blob, was: blob.size };
}
