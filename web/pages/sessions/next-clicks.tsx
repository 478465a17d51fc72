/** What the buttons of a session do: one press makes one session, and the page goes along. */
import { useNavigate } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useMemo, useRef, useState } from 'react';
import type { NextBlock } from '../../../src/features/contexts/contract/blocks.ts';
import { type BlockStanding, standingOf } from '../../../src/features/contexts/fold/live-blocks.ts';
import type { BlockRef, SessionList } from '../../../src/features/sessions/contract.ts';
import type { ErrorFacts } from '../../../src/kernel/pure/errors.ts';
import type { RenderNext } from '../../kit/blocks/next-buttons.ts';
import { NextButton } from '../../kit/blocks/next-step.tsx';
import { handOverSession, type SessionStore, useShownSession } from '../../state/agent-session.ts';
import { inBackground } from '../../state/background.ts';
import { callHall, useAwayReason, useHall } from '../../state/hall.tsx';
import { factsOf } from '../../state/session.ts';

interface Click {
  /** Made once for each block: however often it is sent, one session comes of it. */
  readonly clickId: string;
  readonly state: 'busy' | 'done' | 'failed';
  readonly problem: ErrorFacts | undefined;
}

interface Clicks {
  readonly list: SessionList | undefined;
  readonly clicks: ReadonlyMap<string, Click>;
  readonly press: (block: BlockRef, next: NextBlock) => void;
}

const ClicksContext = createContext<Clicks | null>(null);

export interface NextClicksProps {
  readonly project: string;
  readonly store: SessionStore;
  readonly list: SessionList | undefined;
  /** Id of the earliest session that stands above this one. */
  readonly above: string | undefined;
  readonly children: ReactNode;
}

export function NextClicks({ project, store, list, above, children }: NextClicksProps) {
  const client = useHall();
  const navigate = useNavigate();
  const [clicks, setClicks] = useState<ReadonlyMap<string, Click>>(new Map());
  // Two presses of one moment are one: what is drawn knows of the first a moment later.
  const pressed = useRef(new Map<string, string>());
  const note = (key: string, click: Click) => setClicks((before) => new Map(before).set(key, click));
  const send = async (block: BlockRef, next: NextBlock) => {
    const key = keyOf(block);
    const known = clicks.get(key);
    if (pressed.current.has(key)) return;
    const clickId = known?.clickId ?? freshClickId();
    pressed.current.set(key, clickId);
    note(key, { clickId, state: 'busy', problem: undefined });
    try {
      const input = { project, clickId, block, ...next };
      const { sessionId } = await callHall(client, 'next.click', input, { isRepeatable: true });
      note(key, { clickId, state: 'done', problem: undefined });
      if (store.state.view !== undefined) handOverSession(store.state.view);
      await navigate({
        to: '/projects/$project/sessions/$id',
        params: { project, id: sessionId },
        // What was read stays above.
        search: { above: above ?? block.sessionId },
      });
    } catch (error) {
      pressed.current.delete(key);
      note(key, { clickId, state: 'failed', problem: factsOf(error) });
    }
  };
  const press = (block: BlockRef, next: NextBlock) => inBackground(send(block, next));
  return <ClicksContext value={{ list, clicks, press }}>{children}</ClicksContext>;
}

/** @param isPast it stands above another session: what it leads to is a thing of the one below */
export function useRenderNext(store: SessionStore, isPast = false): RenderNext {
  return useMemo<RenderNext>(
    () => (next, block) => <NextOf store={store} isPast={isPast} next={next} block={block} />,
    [store, isPast],
  );
}

interface NextOfProps {
  readonly store: SessionStore;
  readonly isPast: boolean;
  readonly next: NextBlock;
  readonly block: BlockRef;
}

function NextOf({ store, isPast, next, block }: NextOfProps) {
  const { list, clicks, press } = use(ClicksContext) ?? nowhere;
  const away = useAwayReason();
  const messages = useShownSession(store, ({ view }) => view?.session.messages);
  const { sessionId: id } = block;
  const standing = useMemo(
    () => (messages && list ? standingOf({ id, messages }, list, block) : undefined),
    [id, messages, list, block],
  );
  const click = clicks.get(keyOf(block));
  const why = click?.state === 'done' ? 'It is used.' : (whyNot(standing, isPast) ?? away);
  return (
    <NextButton
      next={next}
      isBusy={click?.state === 'busy'}
      blockedBecause={why}
      problem={standing?.works === true ? click?.problem : undefined}
      onPress={() => press(block, next)}
    />
  );
}

const nowhere: Clicks = { list: undefined, clicks: new Map(), press: () => {} };

function whyNot(standing: BlockStanding | undefined, isPast: boolean): string | undefined {
  if (standing === undefined) return 'It is not known yet whether it was used.';
  if (!standing.works) return standing.why;
  return isPast ? 'It stands in an earlier session; open that one to go on from it.' : undefined;
}

function keyOf({ sessionId, message, position }: BlockRef): string {
  return `${sessionId} ${message} ${position}`;
}

/** `c-` and sixteen letters and digits. */
function freshClickId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `c-${[...bytes].map((byte) => (byte % 36).toString(36)).join('')}`;
}
