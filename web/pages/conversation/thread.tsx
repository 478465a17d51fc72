/** What was said, in order, each with what reached whom. */
import type { Message } from '../../../src/features/gatherings/contract.ts';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { Said } from '../../kit/said.tsx';
import { Fact, Speech } from '../../kit/speech.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import type { OutputOf } from '../../state/operations.ts';

type View = OutputOf<'conversation.show'>;

export function Thread({ view }: { readonly view: View }) {
  const { messages, earlier, conversation } = view;
  const { members } = conversation;
  if (messages.length === 0) {
    return (
      <p className="max-w-[60ch] text-15 text-soft">
        Nothing was said yet. What {members[0]!.name} says next is typed into the terminal of{' '}
        {members
          .slice(1)
          .map(({ name }) => name)
          .join(' and ')}
        , and back.
      </p>
    );
  }
  return (
    <div role="log" aria-label="What was said" className="flex flex-col gap-8">
      {earlier > 0 && (
        <Fact>{earlier === 1 ? 'One message came before these.' : `${earlier} messages came before these.`}</Fact>
      )}
      {messages.map((message) => (
        <Turn key={message.id} message={message} members={members} isOver={conversation.state === 'ended'} />
      ))}
    </div>
  );
}

interface TurnProps {
  readonly message: Message;
  readonly members: View['conversation']['members'];
  /** The conversation has ended: what is held goes nowhere any more. */
  readonly isOver: boolean;
}

function Turn({ message, members, isOver }: TurnProps) {
  const { from, text, at } = message;
  if (from === 'hall') return <Notice message={message} members={members} isOver={isOver} />;
  const member = members.find(({ number }) => number === from);
  return (
    <Speech {...(member && { worker: member.name })} at={at}>
      {member ? <Markdown text={text} /> : <Said text={text} />}
      <Reached message={message} members={members} isOver={isOver} />
    </Speech>
  );
}

/** A line of the hall, told to the members. That one of them was not told is to be seen. */
function Notice({ message, members, isOver }: TurnProps) {
  const failed = message.receipts.filter(({ receipt }) => receipt.state === 'failed');
  return (
    <div className="flex flex-col gap-1">
      <Fact mark={message.kind === 'undelivered' ? '▲' : '◆'}>{plainNotice(message.text)}</Fact>
      {failed.length > 0 && <Reached message={{ ...message, receipts: failed }} members={members} isOver={isOver} />}
    </div>
  );
}

/** The mark in front is for programs, which are to know whose line it is. */
function plainNotice(text: string): string {
  return text.replace(/^\[guild[- ]hall\]\s*/i, '');
}

/** One quiet line for each that it was for. */
function Reached({ message, members, isOver }: TurnProps) {
  const { fate, receipts } = message;
  if (fate === 'held' && isOver) return <Aside>held, and it went to nobody</Aside>;
  if (fate === 'held') return <Line kind="waiting" word="held until you let it go on" />;
  if (fate === 'aside') return <Aside>said to a line of the hall; it went to nobody</Aside>;
  return (
    <ul aria-label="What reached whom" className="flex flex-col gap-0.5 pt-2">
      {receipts.map(({ to, receipt }) => {
        const name = members.find(({ number }) => number === to)?.name ?? `number ${to}`;
        return (
          <li key={to} className="flex flex-wrap items-baseline gap-x-2">
            {receipt.state === 'delivered' && <Line kind="idle" isQuiet word={`reached ${name}`} />}
            {receipt.state === 'queued' && <Line kind="waiting" word={`waits until ${name} is free`} />}
            {receipt.state === 'failed' && (
              <>
                <Line kind="failed" word={`did not reach ${name}`} />
                <span className="min-w-0 text-12 text-soft">{receipt.why}</span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Aside({ children }: { readonly children: string }) {
  return <p className="pt-2 text-12 text-faint">◇ {children}</p>;
}

interface LineProps {
  readonly kind: 'waiting' | 'failed' | 'idle';
  readonly word: string;
  /** As it should be: nothing to look at. */
  readonly isQuiet?: boolean;
}

function Line({ kind, word, isQuiet = false }: LineProps) {
  if (isQuiet) return <span className="text-12 text-faint">✓ {word}</span>;
  return (
    <span className="pt-1 [&>*]:text-12!">
      <StateMark kind={kind} word={word} />
    </span>
  );
}
