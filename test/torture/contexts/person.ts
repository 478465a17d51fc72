/** A person in a browser as a script: presses what can be pressed, once, twice and at once, says things, and notes what was taken. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NextBlockClicked } from '../../../src/features/contexts/contract.ts';
import { nextBlocksOf, standingOf } from '../../../src/features/contexts/fold/live-blocks.ts';
import type { BlockRef, SessionInfo, SessionList, SessionView } from '../../../src/features/sessions/contract.ts';
import type { HallClient } from '../../../src/interfaces/cli/client.ts';
import { HallError } from '../../../src/kernel/pure/errors.ts';
import { projectName } from './place.ts';

export interface Click {
  readonly clickId: string;
  readonly label: string;
  readonly command: string;
  readonly metaContext: string;
  readonly block: BlockRef | undefined;
  /** What the hall answered; undefined: it did not. */
  answer: NextBlockClicked | undefined;
}

export interface Ledger {
  readonly clicks: Click[];
  /** Words that were said otherwise, and taken. */
  readonly said: { readonly id: string; readonly words: string }[];
  /** Refusals that nothing explains. */
  readonly wrong: string[];
  /** What was under way last. */
  doing: string;
}

export type Random = () => number;

/** Refusals of a button that somebody else was quicker with. */
const late = ['used', 'older-phase', 'older-message', 'unfinished'];
const names = ['auth', 'parser', 'größe'];

/** Goes on until the hall is gone. */
export async function press(client: HallClient, ledger: Ledger, random: Random, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      await pressOnce(client, ledger, random);
    } catch (error) {
      if (isOver()) return;
      if (!(error instanceof HallError) || error.code !== 'unavailable') ledger.wrong.push(String(error));
      await sleep(20);
    }
  }
}

async function pressOnce(client: HallClient, ledger: Ledger, random: Random): Promise<void> {
  ledger.doing = 'looking';
  const list = (await client.call('session.list', { project: projectName })) as SessionList;
  const recent = list.sessions.slice(0, 8);
  const session = recent[Math.floor(random() * recent.length)];
  const dice = random();
  if (session === undefined || dice < 0.2) return await pressAll(client, ledger, [scripted(random)]);
  if (dice < 0.35) return await say(client, ledger, session);
  const found = await pressable(client, list, session);
  const wanted = random() < 0.5 ? found : found.slice(0, 1);
  if (wanted.length === 0) return;
  const again = random();
  const [first] = wanted;
  // The same click again, or another one on the same block.
  if (again < 0.2) wanted.push({ ...first! });
  else if (again < 0.4) wanted.push({ ...first!, clickId: fresh() });
  await pressAll(client, ledger, wanted);
}

function scripted(random: Random): Click {
  const metaContext = names[Math.floor(random() * names.length)] ?? 'auth';
  const command = `/go ${fresh()} @${metaContext}`;
  return { clickId: fresh(), label: 'Go', command, metaContext, block: undefined, answer: undefined };
}

async function pressable(client: HallClient, list: SessionList, { id }: SessionInfo): Promise<Click[]> {
  const { session } = (await client.call('session.show', { project: projectName, id })) as SessionView;
  const last = session.messages.findLast((message) => message.role === 'agent');
  if (last?.role !== 'agent') return [];
  return nextBlocksOf(last).flatMap(({ position, next }) => {
    const at = { message: last.seq, position };
    if (!standingOf(session, list, at).works) return [];
    return [{ clickId: fresh(), ...next, block: { sessionId: id, ...at }, answer: undefined }];
  });
}

async function pressAll(client: HallClient, ledger: Ledger, clicks: readonly Click[]): Promise<void> {
  ledger.clicks.push(...clicks);
  ledger.doing = clicks.length > 1 ? 'clicks at once' : 'a click';
  await Promise.all(
    clicks.map(async (click) => {
      const { answer: _, ...input } = click;
      try {
        click.answer = (await client.call('next.click', { project: projectName, ...input })) as NextBlockClicked;
      } catch (error) {
        const reason = error instanceof HallError ? String(error.facts.details?.['reason']) : '';
        if (!late.includes(reason)) throw error;
      }
    }),
  );
}

async function say(client: HallClient, ledger: Ledger, { id }: SessionInfo): Promise<void> {
  ledger.doing = 'words';
  const words = `and ${fresh()} @auth`;
  await client.call('session.say', { project: projectName, id, text: words });
  ledger.said.push({ id, words });
}

function fresh(): string {
  return randomBytes(6).toString('hex');
}
