/** One thing that waits: a line that opens to what is asked, and the answers. */
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { InboxAction } from '../../../src/features/inbox/contract.ts';
import { Button } from '../../kit/button.tsx';
import { TextArea, TextField } from '../../kit/field.tsx';
import { InboxMark, inboxWord } from '../../kit/inbox-mark.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { rowClass, RowText } from '../../kit/rows.tsx';
import { Refusal } from '../../kit/refusal.tsx';
import { SubjectLink } from '../../kit/subject-link.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { readDraft, useDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';

type Item = OutputOf<'inbox.list'>['items'][number];

export interface InboxRowProps {
  readonly item: Item;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

export function InboxRow({ item, isOpen, onToggle }: InboxRowProps) {
  const row = useRef<HTMLButtonElement>(null);
  return (
    <li data-item={item.id}>
      <button
        ref={row}
        type="button"
        data-row
        aria-expanded={isOpen}
        onClick={onToggle}
        className={`${rowClass} w-full text-left`}
      >
        <RowText
          mark={<InboxMark kind={item.kind} />}
          title={item.subject.title}
          detail={[item.title, item.project].filter(Boolean).join(' · ')}
          facts={
            <>
              <span>{inboxWord(item.kind)}</span>
              <TimeAgo at={item.since} />
            </>
          }
        />
        <ChevronDown
          aria-hidden
          size={16}
          className={`shrink-0 text-faint transition-transform duration-160 ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      {isOpen && <Opened item={item} row={row} />}
    </li>
  );
}

interface OpenedProps {
  readonly item: Item;
  readonly row: RefObject<HTMLButtonElement | null>;
}

function Opened({ item, row }: OpenedProps) {
  const away = useAwayReason();
  const navigate = useNavigate();
  const act = useAct('inbox.act');
  // A question has its field in place.
  const inPlace =
    item.kind === 'question' ? item.actions.find(({ asks, required }) => asks === 'text' && required) : undefined;
  const [asking, setAsking] = useState<InboxAction | null>(inPlace ?? null);
  const [tried, setTried] = useState<string>();
  const wasAsking = useRef(false);
  useEffect(() => {
    // The fields are gone, and the focus that was in them.
    if (wasAsking.current && asking === null && document.activeElement === document.body) row.current?.focus();
    wasAsking.current = asking !== null;
  }, [asking, row]);
  /** @returns whether it was done */
  const perform = async (action: InboxAction, text?: string, allowSecrets = false) => {
    setTried(text);
    const done = await act.act({ id: item.id, verb: action.verb, allowSecrets, ...(text !== undefined && { text }) });
    if (done === undefined) return false;
    setAsking(null);
    // Whoever says yes to a talk wants to be there.
    if (action.verb === 'approve' && item.subject.kind === 'meeting' && item.project !== null) {
      await navigate({
        to: '/projects/$project/meetings/$id',
        params: { project: item.project, id: item.subject.id },
      });
    }
    return true;
  };
  const buttonsOf = (actions: readonly InboxAction[], first: 'plain' | 'primary') => (
    <>
      {actions.map((action, nth) => (
        <Button
          key={action.verb}
          tone={nth === 0 ? first : 'plain'}
          blockedBecause={away}
          isBusy={act.isBusy}
          onClick={() => {
            if (action.asks === 'nothing') inBackground(perform(action));
            else setAsking(action);
          }}
        >
          {action.label}
        </Button>
      ))}
      <SubjectLink
        project={item.project}
        subject={item.subject}
        className="self-center px-1 text-13 text-soft underline hover:text-ink"
      >
        Look at it
      </SubjectLink>
    </>
  );
  const wantsWords = asking !== null && asking.asks !== 'confirm';
  return (
    <div className="flex animate-arrive flex-col gap-4 pt-3 pb-6 pl-9">
      {item.detail !== '' && <Markdown text={item.detail} />}
      {act.problem && (
        <Refusal
          facts={act.problem}
          allowLabel={`${asking?.label ?? 'Send it'} all the same`}
          isBusy={act.isBusy}
          onAllow={() => asking && inBackground(perform(asking, tried, true))}
        />
      )}
      {wantsWords ? (
        <Words
          key={asking.verb}
          item={item}
          action={asking}
          isBusy={act.isBusy}
          onSend={(text) => perform(asking, text)}
          onBack={asking.verb === inPlace?.verb ? undefined : () => setAsking(inPlace ?? null)}
          rest={
            asking.verb === inPlace?.verb
              ? buttonsOf(
                  item.actions.filter(({ verb }) => verb !== inPlace.verb),
                  'plain',
                )
              : null
          }
        />
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          {buttonsOf(item.actions, item.kind === 'problem' ? 'plain' : 'primary')}
        </div>
      )}
      {asking?.asks === 'confirm' && (
        <Dialog title={`${asking.label}?`} description={asking.warning} isOpen onOpenChange={() => setAsking(null)}>
          <DialogActions>
            <Button onClick={() => setAsking(null)}>Leave it</Button>
            <Button
              tone="danger"
              isBusy={act.isBusy}
              blockedBecause={away}
              onClick={() => inBackground(perform(asking))}
            >
              {asking.label}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}

interface WordsProps {
  readonly item: Item;
  readonly action: InboxAction;
  readonly isBusy: boolean;
  readonly onSend: (text: string | undefined) => Promise<boolean>;
  /** Left out: there is nothing to go back to. */
  readonly onBack?: (() => void) | undefined;
  /** What else can be done with it. */
  readonly rest: ReactNode;
}

/** What the person adds to an answer; kept as a draft until it is sent. */
function Words({ item, action, isBusy, onSend, onBack, rest }: WordsProps) {
  const away = useAwayReason();
  const key = `inbox.${item.id}.${action.verb}`;
  const [text, setText] = useDraft(key);
  const isMissing = action.required && text.trim() === '';
  const send = async () => {
    if (isMissing || isBusy) return;
    // What was typed meanwhile was not sent, and stays.
    if ((await onSend(text.trim() === '' ? undefined : text)) && readDraft(key) === text) setText('');
  };
  return (
    <form
      className="flex max-w-xl flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        inBackground(send());
      }}
    >
      {action.asks === 'date' ? (
        <TextField label="Until" type="date" value={text} autoFocus onChange={(event) => setText(event.target.value)} />
      ) : (
        <TextArea
          label={action.required ? 'Your words' : 'Your words, if you like'}
          value={text}
          autoFocus
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) inBackground(send());
          }}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          tone="primary"
          isBusy={isBusy}
          blockedBecause={away ?? (isMissing ? 'Say something first' : undefined)}
        >
          {action.label}
        </Button>
        {onBack && <Button onClick={onBack}>Back</Button>}
        {rest}
      </div>
    </form>
  );
}
