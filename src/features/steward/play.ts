/**
 * How the rehearsal keeps the overview: it reads an order of the person out of its form, calls the tool that does it, and
 * tells what the hall answered. What it cannot read is left to the plays of the project.
 */
import type { RehearsalPlay } from '../../kernel/agents/rehearsal/move.ts';
import { offeredTool } from '../../kernel/agents/rehearsal/plays/offered.ts';
import { resultText, type Script, replayScript } from '../../kernel/agents/rehearsal/plays/script.ts';
import { ownWords } from '../../kernel/agents/rehearsal/plays/spoken.ts';
import type { Situation } from '../../kernel/agents/rehearsal/situation.ts';

export const stewardPlay: RehearsalPlay = {
  name: 'steward',
  priority: 60,
  play: (situation) => {
    const order = readOrder(situation.turn.userText);
    if (order === undefined || offeredTool(situation, order.tool) === undefined) return undefined;
    return replayScript(situation, carryOut(situation, order));
  },
};

interface Order {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Said after what the hall answered. */
  readonly adds: string;
}

function* carryOut(situation: Situation, { tool, input, adds }: Order): Script {
  const [call] = yield [{ name: offeredTool(situation, tool)!.name, input: { ...input } }];
  const said = resultText(call);
  if (said === undefined) return `\`${tool}\` refused: ${(call?.result?.text ?? '').trim()}`;
  return adds === '' ? said.trim() : `${said.trim()}\n\n${adds}`;
}

/** What the message orders; undefined where it is something else. Quoted words order nothing. Exported for its tests. */
export function readOrder(text: string): Order | undefined {
  const own = ownWords(text).trim();
  if (own === '' || own.startsWith('·')) return undefined;
  return (
    readCommission(own, text.trim()) ??
    readChange(own) ??
    readTalk(own, text.trim()) ??
    readProposal(own, text.trim()) ??
    readLook(own)
  );
}

const workers = 'researcher|developer|writer|reviewer|facilitator';
const commissioning = new RegExp(
  String.raw`^(?:please[,\s]+)?(?:(?:can|could|will) you (?:please )?)?(?:commission (?:the |a |an )?([a-z0-9-]+)|(?:have|let|get|ask|tell) the (${workers})) (?:to )?`,
  'i',
);
const staying =
  /[,;.]?\s*\b(?:but )?(?:do not|don't|without) (?:start|starting|dispatch|dispatching)\b(?: it)?(?: yet)?\.?/i;

function readCommission(own: string, text: string): Order | undefined {
  const match = commissioning.exec(own);
  const worker = (match?.[1] ?? match?.[2])?.toLowerCase();
  if (match === null || worker === undefined) return undefined;
  const outcome = text.slice(match[0].length).replace(staying, '').trim();
  if (outcome.length < 8) return undefined;
  const path = /`?((?:[\w.-]+\/)+[\w-]+\.md)`?/.exec(outcome)?.[1];
  const isChecked = /\bcheck(?:s|ed)?\b\s*[:,]/i.test(outcome);
  const check =
    path === undefined ? '' : `\n\nCheck: ${path} is there, and what it says can be found at the places that it names.`;
  const dispatch = !staying.test(own);
  return {
    tool: 'create_commission',
    input: { worker, title: titleOf(outcome), prompt: `${capital(outcome)}${isChecked ? '' : check}`, dispatch },
    adds: [
      dispatch
        ? 'It starts as soon as there is room; *what is going on?* tells how it stands.'
        : 'It waits until you say *start* with its id.',
      path === undefined && !isChecked
        ? 'You named neither a path for the result nor how the worker can check it: with both it comes out better.'
        : '',
    ]
      .filter((part) => part !== '')
      .join(' '),
  };
}

function titleOf(outcome: string): string {
  const flat = outcome.replaceAll(/[`*_]/g, '').replaceAll(/\s+/g, ' ');
  const first = /^[^.;:?!]{8,}?(?=[.;:?!](?:\s|$)|$|,? and write\b)/.exec(flat)?.[0] ?? flat;
  return capital(first.length <= 70 ? first : `${first.slice(0, 69).replace(/\s+\S*$/, '')}…`);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function readChange(own: string): Order | undefined {
  const match =
    /^(?:please\s+)?(start|dispatch|cancel|stop|show)\s+(?:the\s+)?(?:commission\s+)?`?([A-Za-z0-9][A-Za-z0-9_-]{3,})`?(?:[,:]?\s+(?:because|as|since|for)\s+([\s\S]+))?[.!]?$/i.exec(
      own,
    );
  if (match === null) return undefined;
  const [, verb = '', id = '', why] = match;
  // A word is none: ids that the hall makes have a figure, or are named as a commission.
  if (!/\d/.test(id) && !/commission/i.test(own)) return undefined;
  if (/show/i.test(verb)) return { tool: 'see_work', input: { id }, adds: '' };
  if (/start|dispatch/i.test(verb)) return { tool: 'dispatch_commission', input: { id }, adds: '' };
  return { tool: 'cancel_commission', input: { id, reason: why?.trim() ?? 'The person asked for it' }, adds: '' };
}

function readTalk(own: string, text: string): Order | undefined {
  const match =
    /^(?:please\s+)?(?:request|ask for|propose|arrange) (?:a |another )?(?:meeting|talk) with (?:the )?([a-z0-9-]+)\s*(?:about|on|:)\s*/i.exec(
      own,
    );
  if (match === null) return undefined;
  const agenda = text.slice(match[0].length).trim();
  return agenda === ''
    ? undefined
    : { tool: 'request_meeting', input: { worker: match[1]!.toLowerCase(), agenda }, adds: '' };
}

function readProposal(own: string, text: string): Order | undefined {
  const match =
    /^(?:please\s+)?(?:propose|prepare|make) (?:a )?(?:pull request|PR|delivery)\b\s*(?:for|about|with|:)?\s*/i.exec(
      own,
    );
  if (match === null) return undefined;
  const title = text.slice(match[0].length).replaceAll(/\s+/g, ' ').trim().slice(0, 200) || 'What the workers made';
  const adds = 'You find it in the inbox: approve it to push the branch, or give it up.';
  return { tool: 'propose_pull_request', input: { title: capital(title), text: '' }, adds };
}

const looking =
  /^(?:so,? |and |now,? )?(?:what(?:'s| is) (?:going on|up|happening|the (?:state|status)|running|waiting|left|under way)|how (?:does it|do things|is it|are things|does everything) (?:stand|going|look)|(?:give me (?:a|the) )?(?:briefing|status|overview of the work)|brief me|where do (?:we|things) stand|what (?:runs|waits|failed|needs me|is finished))\b/i;

function readLook(own: string): Order | undefined {
  return looking.test(own) && own.length < 120 ? { tool: 'see_work', input: {}, adds: '' } : undefined;
}
