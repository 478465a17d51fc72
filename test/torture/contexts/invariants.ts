/** What has to hold after every restart, by the files and by what the agent has heard. */
import type { Ledger } from './person.ts';
import { heardIn, journalsIn, type LoggedEvent, logsIn, type Place, registryIn } from './place.ts';

export interface Found {
  /** Acknowledged, and not there. */
  readonly lost: readonly string[];
  /** Half-made, twice, or not as the logs say. */
  readonly wrong: readonly string[];
}

type Logs = ReadonlyMap<string, readonly LoggedEvent[]>;

interface Born {
  readonly id: string;
  readonly clickId: string | null;
  readonly block: string | null;
  readonly metaContextId: string | null;
  readonly name: string;
  readonly isFirst: boolean;
  readonly command: string;
}

/** Called when no turn runs and no words wait. */
export function findIn(place: Place, ledger: Ledger): Found {
  const logs = logsIn(place);
  const born = [...logs].map(([id, events]) => bornOf(id, events));
  const lost = [...lostClicks(ledger, born), ...lostWords(ledger, logs)];
  const wrong = [
    ...ledger.wrong,
    ...halfMade(logs),
    ...twice(born),
    ...registryFaults(place, born),
    ...endless(logs),
    ...submissions(place, logs),
    ...journalsIn(place).map((name) => `the click ${name} is still under way`),
  ];
  return { lost, wrong };
}

const of = (events: readonly LoggedEvent[], type: string): LoggedEvent[] => events.filter((each) => each.type === type);

function bornOf(id: string, events: readonly LoggedEvent[]): Born {
  const from = of(events, 'SessionCreated')[0]?.['from'] as { clickId: string; block: unknown } | null | undefined;
  const added = of(events, 'SessionAddedToMetaContext')[0];
  return {
    id,
    clickId: from?.clickId ?? null,
    block: from?.block ? JSON.stringify(from.block) : null,
    metaContextId: (added?.['metaContextId'] as string | undefined) ?? null,
    name: String(added?.['name']),
    isFirst: of(events, 'MetaContextCreated').length > 0,
    command: String(of(events, 'PromptSubmitted')[0]?.['text']),
  };
}

/** A session of a click has its birth whole, in one order. */
function halfMade(logs: Logs): string[] {
  return [...logs].flatMap(([id, events]) => {
    const words: string[] = [];
    const types = events.map(({ type }) => type);
    const start = types[0] === 'MetaContextCreated' ? 1 : 0;
    const head = types.slice(start, start + 4).join(' ');
    if (head !== 'SessionCreated SessionAddedToMetaContext PromptSubmitted AgentSessionStarted')
      words.push(`${id} begins with ${types.slice(0, 5).join(' ')}`);
    if (events.some(({ seq }, at) => seq !== at + 1)) words.push(`the log of ${id} has gaps`);
    return words;
  });
}

/** A click makes one session, and so does a block. */
function twice(born: readonly Born[]): string[] {
  return (['clickId', 'block'] as const).flatMap((word) => {
    const all = born.flatMap((each) => each[word] ?? []);
    return [...new Set(all.filter((each, at) => all.indexOf(each) !== at))].map((each) => `two sessions of ${each}`);
  });
}

function lostClicks({ clicks }: Ledger, born: readonly Born[]): string[] {
  return clicks.flatMap(({ clickId, command, metaContext, answer }) => {
    const made = born.find((each) => each.clickId === clickId);
    if (made !== undefined && (made.command !== command || made.name !== metaContext))
      return [`the click ${clickId} has the words of another: ${made.command}`];
    if (answer === undefined) return [];
    if (made === undefined) return [`the click ${clickId}, which was taken, has no session`];
    if (made.id !== answer.sessionId || made.metaContextId !== answer.metaContextId)
      return [`the click ${clickId} was answered with ${answer.sessionId}, and there is ${made.id}`];
    return [];
  });
}

function lostWords({ said }: Ledger, logs: Logs): string[] {
  return said.flatMap(({ id, words }) => {
    const times = of(logs.get(id) ?? [], 'PromptSubmitted').filter(({ text }) => text === words).length;
    return times === 1 ? [] : [`${JSON.stringify(words)} stands ${times} times in ${id}`];
  });
}

/** The registry and the logs say the same. */
function registryFaults(place: Place, born: readonly Born[]): string[] {
  const wrong: string[] = [];
  const contexts = registryIn(place);
  const listed = contexts.flatMap(({ sessionIds }) => sessionIds);
  if (new Set(listed).size !== listed.length) wrong.push('a session stands twice in the registry');
  if (new Set(contexts.map(({ name }) => name)).size !== contexts.length) wrong.push('two contexts have one name');
  for (const { id, name, sessionIds } of contexts) {
    const own = born.filter(({ metaContextId }) => metaContextId === id);
    if (own.length === 0) wrong.push(`the context ${name} has no session`);
    const missing = own.filter((each) => !sessionIds.includes(each.id));
    if (missing.length > 0) wrong.push(`${name} lacks ${missing.map((each) => each.id).join(', ')}`);
    if (sessionIds.some((each) => own.every((one) => one.id !== each))) wrong.push(`${name} has a session of no log`);
    const firsts = own.filter(({ isFirst }) => isFirst);
    if (firsts.length !== 1 || firsts[0]?.id !== sessionIds[0])
      wrong.push(`${name} was created ${firsts.length} times, first ${firsts[0]?.id}, listed first ${sessionIds[0]}`);
    if (own.some((each) => each.name !== name)) wrong.push(`a session of ${name} has another name of it`);
  }
  const strangers = born.filter(({ metaContextId: at }) => at !== null && contexts.every(({ id }) => id !== at));
  return [...wrong, ...strangers.map(({ id, name }) => `${id} is in ${name}, which the registry has not`)];
}

/** Every turn that was begun has one end, and every word was taken up. */
function endless(logs: Logs): string[] {
  return [...logs].flatMap(([id, events]) => {
    const wrong: string[] = [];
    for (const { promptId } of of(events, 'PromptSubmitted')) {
      const count = (type: string): number => of(events, type).filter((each) => each['promptId'] === promptId).length;
      const [started, ended] = [count('TurnStarted'), count('TurnCompleted')];
      if (started !== 1 || ended !== 1) wrong.push(`${id}: a turn began ${started} times and ended ${ended} times`);
    }
    return wrong;
  });
}

/** Each command reached the agent once; one whose turn was cut off may not have reached it any more. */
function submissions(place: Place, logs: Logs): string[] {
  if (place.heard === '') return [];
  const heard = new Map<string, string[]>();
  for (const { sessionId, words } of heardIn(place)) heard.set(words, [...(heard.get(words) ?? []), sessionId]);
  const wrong: string[] = [];
  let known = 0;
  for (const [id, events] of logs) {
    const agents = of(events, 'AgentSessionStarted').map((each) => String(each['agentSessionId']));
    for (const { promptId, text } of of(events, 'PromptSubmitted')) {
      const to = heard.get(String(text)) ?? [];
      const end = of(events, 'TurnCompleted').find((each) => each['promptId'] === promptId)?.['stopReason'];
      known += to.length;
      if (to.length > 1) wrong.push(`${id}: ${String(text)} reached the agent ${to.length} times`);
      if (to.length === 0 && end !== 'interrupted')
        wrong.push(`${id}: ${String(text)} never reached the agent (${end})`);
      if (to.some((each) => !agents.includes(each)))
        wrong.push(`${id}: ${String(text)} reached the session of another`);
      if (end === 'failed') wrong.push(`${id}: the turn of ${String(text)} failed`);
    }
  }
  const all = [...heard.values()].flat().length;
  if (all !== known) wrong.push(`the agent heard ${all} prompts, and the logs have ${known} of them`);
  return wrong;
}
