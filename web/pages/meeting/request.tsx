/** A meeting that a worker asked for: why, about what; accept it with words, leave it for later, or decline it. */
import { useState } from 'react';
import type { MeetingRecord } from '../../../src/features/meetings/contract.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { type AddressOf, Markdown } from '../../kit/markdown/markdown.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { inBackground } from '../../state/background.ts';
import { useDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import { freshMessageId } from '../../state/outbox.ts';

export interface RequestProps {
  readonly meeting: MeetingRecord;
  readonly addressOf: AddressOf;
}

export function Request({ meeting, addressOf }: RequestProps) {
  const { id, project, worker } = meeting;
  const away = useAwayReason();
  const accept = useAct('meeting.accept', { isRepeatable: true });
  const [words, setWords] = useDraft(`accept.${project}/${id}`);
  const [messageId] = useState(freshMessageId);
  const [asking, setAsking] = useState<'later' | 'decline' | null>(null);
  const take = async (allowSecrets = false) => {
    const message = words.trim() === '' ? {} : { message: words };
    const done = await accept.act({ id, project, messageId, ...message, ...(allowSecrets && { allowSecrets }) });
    if (done !== undefined) setWords('');
  };
  return (
    <div className="flex flex-col gap-8">
      <section aria-label="Why" className="flex flex-col gap-3">
        <p className="text-15 text-soft">
          <strong className="font-semibold text-ink">{meeting.requestedBy ?? worker}</strong> asks for this meeting
          {meeting.deferredUntil !== null && <>; you left it until {meeting.deferredUntil}</>}.
        </p>
        {meeting.requestReason !== null && meeting.requestReason !== '' && (
          <blockquote className="max-w-[44rem] border-l-2 border-line-strong pl-4 font-serif text-18 text-ink">
            {meeting.requestReason}
          </blockquote>
        )}
        <Markdown text={meeting.agenda} addressOf={addressOf} />
      </section>
      <form
        className="flex max-w-[44rem] flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          inBackground(take());
        }}
      >
        <TextArea
          label="Words to add, if you like"
          hint={`${worker} speaks first, with the agenda and these words before it.`}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        {accept.problem && (
          <Refusal facts={accept.problem} allowLabel="Accept all the same" onAllow={() => inBackground(take(true))} />
        )}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" tone="primary" isBusy={accept.isBusy} blockedBecause={away}>
            Accept and meet
          </Button>
          <Button blockedBecause={away} onClick={() => setAsking('later')}>
            Leave for later
          </Button>
          <Button blockedBecause={away} onClick={() => setAsking('decline')}>
            Decline
          </Button>
        </div>
      </form>
      {asking === 'later' && <LaterDialog meeting={meeting} onClose={() => setAsking(null)} />}
      {asking === 'decline' && <DeclineDialog meeting={meeting} onClose={() => setAsking(null)} />}
    </div>
  );
}

interface AskProps {
  readonly meeting: MeetingRecord;
  readonly onClose: () => void;
}

function LaterDialog({ meeting, onClose }: AskProps) {
  const { id, project } = meeting;
  const away = useAwayReason();
  const defer = useAct('meeting.defer');
  const [until, setUntil] = useState(() => dayAfter(1));
  const save = async () => {
    const done = await defer.act({ id, project, ...(until !== '' && { until }) });
    if (done !== undefined) onClose();
  };
  return (
    <Dialog
      title="Leave it for later"
      description="The request stays as it is, and comes back to your inbox on that day."
      isOpen
      onOpenChange={onClose}
    >
      <div className="flex flex-wrap gap-2">
        {[
          ['Tomorrow', dayAfter(1)] as const,
          ['In a week', dayAfter(7)] as const,
          ['In a month', dayAfter(30)] as const,
        ].map(([label, day]) => (
          <Button key={label} aria-pressed={until === day} onClick={() => setUntil(day)}>
            {label}
          </Button>
        ))}
      </div>
      <TextField
        type="date"
        label="Until"
        value={until}
        min={dayAfter(1)}
        onChange={(event) => setUntil(event.target.value)}
      />
      {defer.problem && <Refusal facts={defer.problem} allowLabel="Leave it all the same" onAllow={onClose} />}
      <DialogActions>
        <Button onClick={onClose}>Go back</Button>
        <Button tone="primary" isBusy={defer.isBusy} blockedBecause={away} onClick={() => inBackground(save())}>
          Leave it until then
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** A day as people here count it: `2026-03-31`. */
function dayAfter(days: number): string {
  const day = new Date();
  day.setDate(day.getDate() + days);
  return new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short' }).format(day);
}

function DeclineDialog({ meeting, onClose }: AskProps) {
  const { id, project } = meeting;
  const away = useAwayReason();
  const decline = useAct('meeting.decline');
  const [reason, setReason] = useDraft(`decline.${project}/${id}`);
  const save = async (allowSecrets = false) => {
    const why = reason.trim() === '' ? {} : { reason };
    const done = await decline.act({ id, project, ...why, ...(allowSecrets && { allowSecrets }) });
    if (done === undefined) return;
    setReason('');
    onClose();
  };
  return (
    <Dialog
      title="Decline the meeting"
      description="The request is kept as declined, with your reason; what it refers to stays. It cannot be opened again."
      isOpen
      onOpenChange={onClose}
    >
      <TextArea
        label="Reason, if you like"
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {decline.problem && (
        <Refusal facts={decline.problem} allowLabel="Decline all the same" onAllow={() => inBackground(save(true))} />
      )}
      <DialogActions>
        <Button onClick={onClose}>Go back</Button>
        <Button tone="danger" isBusy={decline.isBusy} blockedBecause={away} onClick={() => inBackground(save())}>
          Decline
        </Button>
      </DialogActions>
    </Dialog>
  );
}
