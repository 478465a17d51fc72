/** One terminal: its screen live, what it asks, what waits for it, and its end. */
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { CircleStop, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { TerminalView } from '../../../src/features/terminals/contract.ts';
import { useIntent } from '../../app/intents.tsx';
import { useShortcut } from '../../app/keyboard.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { ObjectHead, Page } from '../../kit/layout.tsx';
import { Menu, type MenuItem } from '../../kit/overlay.tsx';
import { Skeleton, Unread } from '../../kit/states.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Pane } from '../../kit/terminal/pane.tsx';
import { TalkLink } from '../../kit/terminal/talk-link.tsx';
import { terminalState } from '../../kit/terminal/terminal-state.ts';
import { TimeAgo } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { useAwayReason, useRead } from '../../state/hall.tsx';
import { EndDialog } from './end-dialog.tsx';
import { Say } from './say.tsx';
import { TerminalContext } from './terminal-context.tsx';

export function TerminalPage() {
  const { id } = useParams({ from: '/terminals/$id' });
  return <Terminal key={id} id={id} />;
}

function Terminal({ id }: { readonly id: string }) {
  const { data: terminal, problem, again } = useRead('terminal.show', { id });
  const [isEnding, setEnding] = useState(false);
  const canEnd = terminal !== undefined && terminal.status !== 'ended';
  useShortcut('e', 'End this terminal', () => canEnd && setEnding(true), 'This terminal');
  useShortcut('t', 'Type into it', focusScreen, 'This terminal');
  return (
    <Page
      title={terminal?.name ?? id}
      isRoomy
      contextLabel="About this terminal"
      context={terminal && <TerminalContext terminal={terminal} />}
      head={
        terminal ? (
          <ObjectHead
            title={terminal.name}
            mark={<WorkerGlyph name={terminal.name} size={28} />}
            facts={<Facts terminal={terminal} />}
            actions={<Actions terminal={terminal} onEnd={() => setEnding(true)} />}
          />
        ) : (
          <ObjectHead title={id} />
        )
      }
    >
      <div className="flex w-full max-w-[66rem] flex-col gap-6 px-4 py-6 phone:px-8">
        {problem && <Unread facts={problem} onAgain={again} />}
        {terminal === undefined && !problem && <Skeleton lines={6} label="Reading the terminal" />}
        {terminal && <Pane terminal={terminal} />}
        {terminal && terminal.status !== 'ended' && <Say terminal={terminal} />}
      </div>
      {isEnding && terminal && <EndDialog terminal={terminal} onClose={() => setEnding(false)} />}
    </Page>
  );
}

function focusScreen(): void {
  document.querySelector<HTMLElement>('main .xterm-helper-textarea')?.focus();
}

function Facts({ terminal }: { readonly terminal: TerminalView }) {
  const { entry, project, since, waiting, conversation } = terminal;
  return (
    <>
      <StateMark {...terminalState(terminal)} />
      <TimeAgo at={since} />
      {entry !== null && <span>{entry}</span>}
      {project !== null && (
        <Link to="/projects/$project" params={{ project }} className="hover:text-ink hover:underline">
          {project}
        </Link>
      )}
      {conversation !== null && (
        <TalkLink id={conversation} className="underline decoration-line underline-offset-2 hover:text-ink" />
      )}
      {waiting > 0 && (
        <span className="text-waiting">{waiting === 1 ? '1 message waits' : `${waiting} messages wait`}</span>
      )}
    </>
  );
}

function Actions({ terminal, onEnd }: { readonly terminal: TerminalView; readonly onEnd: () => void }) {
  const away = useAwayReason();
  const show = useIntent();
  const navigate = useNavigate();
  const { id, status, conversation } = terminal;
  const copy = (text: string) => inBackground(navigator.clipboard.writeText(text));
  const runs = status !== 'ended';
  const items: MenuItem[] = [
    ...(runs && conversation === null
      ? [
          {
            label: 'Let it talk with another',
            onSelect: () => show({ kind: 'conversation', first: id }),
            blockedBecause: away,
          },
        ]
      : []),
    ...(runs
      ? [
          {
            label: 'See all side by side',
            onSelect: () => inBackground(navigate({ to: '/terminals', search: { view: 'live' } })),
          },
          { label: 'Copy the command to attach', onSelect: () => copy(`guild-hall terminal attach ${id}`) },
        ]
      : []),
    { label: 'Copy link', onSelect: () => copy(location.href) },
    { label: 'Copy folder', onSelect: () => copy(terminal.cwd) },
  ];
  return (
    <>
      {runs && (
        <Button tone="danger" icon={CircleStop} blockedBecause={away} onClick={onEnd}>
          End
        </Button>
      )}
      <Menu trigger={<IconButton icon={Ellipsis} label="More" />} items={items} />
    </>
  );
}
