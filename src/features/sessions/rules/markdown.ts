/** A session as Markdown, as a person reads it. Pure. */
import type { AgentMessage, MessagePart, PersonMessage, SessionMessage, SessionState } from '../contract.ts';

/** Characters of what came out of one tool. */
const maxOutput = 4_000;

export function markdownOf(state: SessionState): string {
  const context = state.metaContext === null ? [] : [`- Context: ${state.metaContext.name}`];
  const facts = [`- Agent: ${state.agent}`, `- Project: ${state.project}`, `- Began: ${state.createdAt}`, ...context];
  const usage = state.usage === null ? [] : [usageLine(state.usage)];
  const parts = [`# ${oneLine(state.title)}`, [...facts, ...usage].join('\n'), ...state.messages.map(messageOf)];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function usageLine({ inputTokens, outputTokens, costUsd }: NonNullable<SessionState['usage']>): string {
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(2)} US dollars`;
  return `- Used: ${inputTokens} tokens in, ${outputTokens} out${cost}`;
}

function messageOf(message: SessionMessage): string {
  return message.role === 'person' ? wordsOfPerson(message) : wordsOfAgent(message);
}

function wordsOfPerson({ state, text, images, at }: PersonMessage): string {
  if (state === 'withdrawn') return '';
  const waits = state === 'queued' ? ' (waits for its turn)' : '';
  const pictures = images.map(({ name, mimeType }) => `*Image: ${name} (${mimeType})*`);
  return [`## You, ${at}${waits}`, text.trim(), ...pictures].filter((part) => part !== '').join('\n\n');
}

function wordsOfAgent({ parts, state, at, error }: AgentMessage): string {
  const end = state === 'interrupted' ? '*Interrupted.*' : state === 'running' ? '*Still at work.*' : '';
  const problem = error === null ? '' : `*Failed: ${oneLine(error.message)} ${oneLine(error.hint)}*`;
  return [`## Agent, ${at}`, ...parts.map(partOf), problem, end].filter((part) => part !== '').join('\n\n');
}

function partOf(part: MessagePart): string {
  switch (part.type) {
    case 'text':
      return part.text.trim();
    case 'thought':
      return quoted(`*Thought:* ${part.text.trim()}`);
    case 'permission': {
      const { outcome, options } = part;
      const chosen = outcome === null || outcome === 'cancelled' ? null : outcome.optionId;
      const answer = options.find(({ id }) => id === chosen)?.name ?? (outcome === null ? 'not answered' : 'cancelled');
      return `*Asked: ${oneLine(part.title)}. Answer: ${oneLine(answer)}.*`;
    }
    case 'tool': {
      const word = part.state === 'done' ? '' : part.state === 'failed' ? ' (failed)' : ' (running)';
      const head = `**${oneLine(part.name)}:** ${oneLine(part.title)}${word}`;
      const diffs = part.diffs.map(({ path, oldText, newText }) => diffOf(path, oldText, newText));
      const output = (part.output || part.summary).trim();
      return [head, ...diffs, output === '' ? '' : fenced(shorten(output), '')]
        .filter((one) => one !== '')
        .join('\n\n');
    }
  }
}

function diffOf(path: string, oldText: string | null, newText: string): string {
  const lines = (text: string, sign: string): string =>
    text
      .split('\n')
      .map((line) => `${sign}${line}`)
      .join('\n');
  const before = oldText === null ? [] : [lines(oldText, '-')];
  return fenced(shorten([`--- ${path}`, ...before, lines(newText, '+')].join('\n')), 'diff');
}

/** A fence that is longer than any within. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function shorten(text: string): string {
  return text.length <= maxOutput
    ? text
    : `${text.slice(0, maxOutput)}\n… (${text.length - maxOutput} characters more)`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
