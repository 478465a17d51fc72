/**
 * The council's toolbox: what a speaker of DISCUSS can ask for besides speaking. Nothing of it happens before the turn
 * has landed; until then it stands in the turn's own list.
 */
import { z } from 'zod';
import { defineTool, type Tool, type ToolOutcome } from '../../../kernel/agents/tools.ts';
import type { CouncilSession } from '../contract.ts';
import type { Asks, WantedPin } from '../rules/landing.ts';
import { detectType } from '../rules/content-type.ts';
import type { TurnsContext } from './context.ts';
import { plainText } from './speech.ts';

/** What a turn asked for so far. */
export interface Wishes {
  readonly pins: WantedPin[];
  readonly decisions: string[];
  readonly challenges: string[];
  raiseHand: Asks['raiseHand'];
  research: Asks['research'];
}

export function noWishes(): Wishes {
  return { pins: [], decisions: [], challenges: [], raiseHand: undefined, research: undefined };
}

export const councilToolNames = ['pin', 'decide', 'challenge', 'raise_hand', 'research'] as const;

/** In one turn; more are refused. */
const maxOfEach = 10;
const something = z.string().min(1, 'expected words that can be read');
const sentence = lineOf(600);

/** One line at most so long, without signs that nobody sees. */
function lineOf(most: number) {
  return z
    .string()
    .max(most)
    .transform((text) => plainText(text).replaceAll(/\s+/g, ' ').trim())
    .pipe(something);
}

export function createCouncilToolbox(
  ctx: Pick<TurnsContext, 'scrub'>,
  session: CouncilSession,
  speaker: string,
  wishes: Wishes,
): Tool[] {
  return [
    pinTool(ctx, session, wishes),
    defineTool({
      name: 'decide',
      description:
        'Records a decision that the council has come to, or that you take on: one sentence. Say it in your speech, too.',
      input: { decision: sentence },
      run: async ({ decision }) => keep(wishes.decisions, await ctx.scrub(decision), 'decision'),
    }),
    defineTool({
      name: 'challenge',
      description:
        'Records that you do not agree: with what, and why, in a sentence or two. Say it in your speech, too.',
      input: { challenge: sentence },
      run: async ({ challenge }) => keep(wishes.challenges, await ctx.scrub(challenge), 'challenge'),
    }),
    raiseHandTool(ctx, session, speaker, wishes),
    defineTool({
      name: 'research',
      description:
        'Asks for a turn of your own with the tools of RESEARCH, right after this one, to look up what the discussion hangs on. Once in a turn.',
      input: { question: sentence.describe('what is to be found out') },
      run: async ({ question }) => {
        if (wishes.research !== undefined) return refused('You have asked for research already in this turn.');
        wishes.research = { question: await ctx.scrub(question) };
        return { text: 'You get a turn for it after this one. Say in your speech what you will look up.' };
      },
    }),
  ];
}

function pinTool(ctx: Pick<TurnsContext, 'scrub'>, session: CouncilSession, wishes: Wishes): Tool {
  return defineTool({
    name: 'pin',
    description:
      'Pins a text (a table, a snippet, a list, a draft) to the scratchpad that every speaker sees, or replaces what a pin holds.',
    input: {
      content: z.string().max(20_000).transform(plainText).pipe(something),
      intent: lineOf(300).describe('what it is for, in a few words'),
      target: z.string().max(12).optional().describe('SP-<n>: the pin whose content it replaces'),
    },
    run: async ({ content, intent, target }) => {
      if (target !== undefined && !session.pins.some(({ id }) => id === target)) {
        const ids = session.pins.map(({ id }) => id).join(', ');
        return refused(`There is no pin ${target}. ${ids === '' ? 'The scratchpad is empty.' : `There are: ${ids}.`}`);
      }
      if (wishes.pins.length >= maxOfEach) return refused(`More than ${maxOfEach} pins in one turn are not taken.`);
      const text = await ctx.scrub(content);
      const pin = { content: text, contentType: detectType(text), intent: await ctx.scrub(intent) };
      if (wishes.pins.some((other) => other.content === text && other.target === target))
        return { text: 'It is pinned already.' };
      wishes.pins.push(target === undefined ? pin : { ...pin, target });
      return {
        text:
          target === undefined
            ? 'Pinned. It gets its number when your turn has landed.'
            : `${target} holds it when your turn has landed.`,
      };
    },
  });
}

function raiseHandTool(
  ctx: Pick<TurnsContext, 'scrub'>,
  session: CouncilSession,
  speaker: string,
  wishes: Wishes,
): Tool {
  return defineTool({
    name: 'raise_hand',
    description: 'Asks that another speaker answers you before the round goes on. Once in a turn.',
    input: { target: lineOf(100).describe('name of the speaker'), question: sentence },
    run: async ({ target, question }) => {
      const names = session.setup.invitees.map(({ name }) => name);
      const name = names.find((each) => each.toLowerCase() === target.toLowerCase());
      const before = wishes.raiseHand;
      if (before !== undefined && names.includes(before.target))
        return refused('You have raised your hand already in this turn.');
      wishes.raiseHand = { target: name ?? (await ctx.scrub(target)), question: await ctx.scrub(question) };
      if (name === undefined)
        return refused(`${target} is not invited. Speakers: ${names.filter((each) => each !== speaker).join(', ')}.`);
      return { text: `${name} is asked. Say your question in your speech, too.` };
    },
  });
}

function keep(list: string[], text: string, what: string): ToolOutcome {
  if (list.length >= maxOfEach) return refused(`More than ${maxOfEach} of them in one turn are not taken.`);
  if (!list.includes(text)) list.push(text);
  return { text: `The ${what} is recorded with your turn.` };
}

function refused(text: string): ToolOutcome {
  return { text, isError: true };
}
