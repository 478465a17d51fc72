/** Saying and passing, in the order in which they were meant; words that were not taken stay in the field. */
import { useRef } from 'react';
import { inBackground } from '../../state/background.ts';
import { readDraft } from '../../state/drafts.ts';
import { useAct } from '../../state/hall.tsx';

/** The hall waits ten seconds after each word that it is typed. */
const typingMs = 4000;

/** @param setText of the draft under that key */
export function useSpeaking(id: string, draftKey: string, setText: (text: string) => void, onSaid: () => void) {
  const saying = useAct('gathering.say');
  const passing = useAct('gathering.pass');
  const typing = useAct('gathering.typing', { isRepeatable: true });
  const typedAt = useRef(0);
  /** @returns whether it was taken */
  const say = async (text: string, asHost: boolean, allowSecrets = false): Promise<boolean> => {
    if (saying.isBusy) return false;
    const said = await saying.act({ id, text, ...(asHost && { asHost }), ...(allowSecrets && { allowSecrets }) });
    if (said === undefined) return false;
    // What was typed meanwhile was not sent, and stays.
    if (readDraft(draftKey) === text) setText('');
    onSaid();
    return true;
  };
  return {
    say,
    pass: async (text: string | undefined, to: string | undefined): Promise<void> => {
      if (passing.isBusy || (text !== undefined && !(await say(text, false)))) return;
      await passing.act({ id, ...(to !== undefined && { to }) });
    },
    type: (): void => {
      const now = Date.now();
      if (now - typedAt.current < typingMs) return;
      typedAt.current = now;
      inBackground(typing.act({ id }));
    },
    isBusy: saying.isBusy,
    isPassing: passing.isBusy,
    problem: saying.problem,
    passProblem: passing.problem,
  };
}
