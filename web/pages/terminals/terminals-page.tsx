/** The terminals: who runs, what each is doing, who talks with whom; as lists, or live side by side. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { LayoutGrid, ListTree, MessagesSquare, Plus, SquareTerminal } from 'lucide-react';
import { useIntent } from '../../app/intents.tsx';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button } from '../../kit/button.tsx';
import { ObjectHead, Page, Section } from '../../kit/layout.tsx';
import { Rows } from '../../kit/rows.tsx';
import { Empty, Problem, Skeleton, withCommands } from '../../kit/states.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { membersOf } from '../../kit/terminal/conversation-words.ts';
import { TerminalLine } from '../../kit/terminal/terminal-row.tsx';
import { inBackground } from '../../state/background.ts';
import { useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { ConversationLine } from './conversation-row.tsx';
import type { TerminalsSearch } from './search.ts';
import { Wall } from './wall.tsx';

type List = OutputOf<'terminal.list'>;
type Conversations = OutputOf<'conversation.list'>['conversations'];

export function TerminalsPage() {
  const search = useSearch({ from: '/terminals' });
  const show = useIntent();
  const away = useAwayReason();
  const navigate = useNavigate();
  const list = useRead('terminal.list', search.ended ? { all: true } : {});
  const talks = useRead('conversation.list', {}).data?.conversations ?? [];
  // What is read keeps its place, but for another view.
  const change = (part: Partial<TerminalsSearch>) => {
    const resetScroll = 'view' in part;
    inBackground(navigate({ to: '/terminals', search: { ...search, ...part }, replace: true, resetScroll }));
  };
  const running = (list.data?.terminals ?? []).filter(({ status }) => status !== 'ended');
  const isLive = search.view === 'live' && running.length > 0;
  const start = () => show({ kind: 'terminal' });
  useShortcut('v', 'Live, or as a list', () => change({ view: isLive ? undefined : 'live' }));
  useShortcut('s', 'Start a terminal', start);
  return (
    <Page
      title="Terminals"
      head={
        <ObjectHead
          title="Terminals"
          facts={<Glance running={running} talks={talks} />}
          actions={
            <>
              {running.length > 0 && (
                <Button
                  icon={isLive ? ListTree : LayoutGrid}
                  onClick={() => change({ view: isLive ? undefined : 'live' })}
                >
                  {isLive ? 'As a list' : 'Side by side'}
                </Button>
              )}
              <Button tone="primary" icon={Plus} blockedBecause={away} onClick={start}>
                Start a terminal
              </Button>
            </>
          }
        />
      }
    >
      <div className="flex flex-col gap-8 px-4 py-6 phone:px-8">
        {list.problem && <Problem facts={list.problem} />}
        {list.isLoading && !list.problem && <Skeleton lines={5} label="Reading the terminals" />}
        {list.data && isLive && <Wall running={running} search={search} onSearch={change} />}
        {list.data && !isLive && <Lists list={list.data} talks={talks} search={search} onSearch={change} />}
      </div>
    </Page>
  );
}

/** The head's one line: nothing that is nothing. */
function Glance({ running, talks }: { readonly running: List['terminals']; readonly talks: Conversations }) {
  const busy = running.filter(({ status }) => status === 'busy' || status === 'starting').length;
  const asking = running.filter(({ status }) => status === 'dialog').length;
  const open = talks.filter(({ state }) => state === 'open').length;
  const paused = talks.filter(({ state }) => state === 'paused').length;
  return (
    <>
      {asking + paused > 0 && (
        <StateMark kind="waiting" word={asking + paused === 1 ? '1 asks you' : `${asking + paused} ask you`} />
      )}
      {busy > 0 && <StateMark kind="active" word={`${busy} busy`} isMoving />}
      <span>{running.length === 0 ? 'None runs' : `${running.length} ${running.length === 1 ? 'runs' : 'run'}`}</span>
      {open > 0 && <span>{open === 1 ? '1 conversation' : `${open} conversations`}</span>}
    </>
  );
}

interface ListsProps {
  readonly list: List;
  readonly talks: Conversations;
  readonly search: TerminalsSearch;
  readonly onSearch: (part: Partial<TerminalsSearch>) => void;
}

function Lists({ list, talks, search, onSearch }: ListsProps) {
  const show = useIntent();
  const away = useAwayReason();
  const gatherings = useRead('gathering.list', {}).data?.gatherings ?? [];
  const running = list.terminals.filter(({ status }) => status !== 'ended');
  const ended = list.terminals.filter(({ status }) => status === 'ended');
  return (
    <>
      {list.problems.map((problem) => (
        <p key={problem} className="text-13 text-soft">
          <span className="text-failed">▲</span> {withCommands(problem)}
        </p>
      ))}
      <Section title="Running" count={running.length}>
        {running.length === 0 ? (
          <Empty
            icon={SquareTerminal}
            action={
              <Button blockedBecause={away} onClick={() => show({ kind: 'terminal' })}>
                Start the first one
              </Button>
            }
          >
            No terminal runs. One is a window of the hall with a program in it: an agent, a shell, or any command. Start
            one here, or type <Command>guild-hall terminal start --name Mo -- claude</Command>
          </Empty>
        ) : (
          <Rows label="Running terminals">
            {running.map((row) => (
              <li key={row.id}>
                <TerminalLine
                  row={row}
                  talksWith={partnersOf(row, talks)}
                  isGathered={gatherings.some(({ id }) => id === row.conversation)}
                />
              </li>
            ))}
          </Rows>
        )}
      </Section>
      <Talks talks={talks} hasTwo={running.length > 1} />
      <Section
        title="Ended"
        count={ended.length}
        action={
          <Button tone="quiet" onClick={() => onSearch({ ended: search.ended ? undefined : true })}>
            {search.ended ? 'Hide' : 'Show those of this week'}
          </Button>
        }
      >
        {search.ended && ended.length === 0 && <p className="text-13 text-soft">None has ended this week.</p>}
        {ended.length > 0 && (
          <Rows label="Ended terminals">
            {ended.map((row) => (
              <li key={row.id}>
                <TerminalLine row={row} />
              </li>
            ))}
          </Rows>
        )}
      </Section>
    </>
  );
}

function Talks({ talks, hasTwo }: { readonly talks: Conversations; readonly hasTwo: boolean }) {
  const show = useIntent();
  const away = useAwayReason();
  const why = away ?? (hasTwo ? undefined : 'Two terminals have to run first');
  const start = () => show({ kind: 'conversation' });
  return (
    <Section
      title="Conversations"
      count={talks.length}
      action={
        talks.length > 0 && (
          <Button tone="quiet" blockedBecause={why} onClick={start}>
            Let two talk
          </Button>
        )
      }
    >
      {talks.length === 0 ? (
        <Empty
          icon={MessagesSquare}
          action={
            <Button blockedBecause={why} onClick={start}>
              Let two talk
            </Button>
          }
        >
          No conversation yet. In one, what either terminal says is typed into the other. Begin one here, or type{' '}
          <Command>guild-hall conversation start Mo Ada</Command>
        </Empty>
      ) : (
        <Rows label="Conversations">
          {talks.map((row) => (
            <li key={row.id}>
              <ConversationLine row={row} />
            </li>
          ))}
        </Rows>
      )}
    </Section>
  );
}

function Command({ children }: { readonly children: string }) {
  return <code className="rounded-sm bg-sunk px-1 font-mono text-13 text-ink">{children}</code>;
}

function partnersOf({ id, conversation }: List['terminals'][number], talks: Conversations): string | undefined {
  const talk = talks.find((each) => each.id === conversation);
  return talk && membersOf(talk.members.filter(({ terminal }) => terminal !== id));
}
