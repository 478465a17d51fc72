/** The harvest that the hall writes by itself, where the harvester gave none. Pure. */
import type { Message } from '../../contract.ts';
import type { Gathering } from '../../contract/gathering.ts';
import { calledAs } from '../words.ts';
import { escapedLine, harmless } from './harmless.ts';
import type { Harvest } from './harvest.ts';
import { structureText } from './words.ts';

/** Of each speaker's last words. Characters. */
const longestWords = 1_500;

/** What each speaker said last, in their order; no items. @param messages of the gathering, in their order */
export function harvestFromRecord(
  gathering: Gathering,
  messages: readonly Pick<Message, 'kind' | 'from' | 'text'>[],
): Harvest {
  const speakers = gathering.seats.filter(({ role }) => role === 'speaker');
  const said = messages.filter(({ kind }) => kind === 'words');
  const last = speakers.flatMap((seat) => {
    const own = said.findLast(({ from, text }) => from === seat.number && withoutPass(text) !== '');
    const name = `**${escapedLine(calledAs(seat))}**`;
    return own === undefined ? [] : [`${name} said last:\n\n${harmless(withoutPass(own.text), longestWords)}`];
  });
  const silent = speakers.filter((seat) => !said.some(({ from }) => from === seat.number));
  const names = silent.map((seat) => escapedLine(calledAs(seat))).join(', ');
  const turns = said.filter(({ from }) => speakers.some(({ number }) => number === from)).length;
  return {
    emerged: last.join('\n\n'),
    known: [
      `${turns} ${turns === 1 ? 'speech' : 'speeches'} were heard, in the structure ${structureText(gathering.structure)}; the gathering ended ${stageText(gathering)}.`,
      ...(silent.length === 0 ? [] : [`Nothing was heard of ${names}.`]),
    ].join(' '),
    next: harmless(gathering.question, 1_000),
    more: keptText(gathering),
    items: [],
    tooMany: [],
  };
}

/** What the person said for a turn that did not come. */
function keptText({ seats, kept }: Gathering): string {
  const person = seats.find(({ terminal }) => terminal === null);
  if (person === undefined || kept.length === 0) return '';
  const words = harmless(kept.map(({ text }) => text).join('\n\n'), longestWords);
  return `**${escapedLine(calledAs(person))}** said for a turn that did not come:\n\n${words}`;
}

function stageText({ close }: Gathering): string {
  if (close === null || close.why.kind === 'rounds') return 'after all its rounds';
  return 'before its rounds were over';
}

/** Messages carry words as they were said: the pass stands on the last line. */
function withoutPass(text: string): string {
  const lines = text.trim().split('\n');
  const last = lines.at(-1)!.trim();
  const isPass = last.length < 120 && /^I pass(?: the piece)?(?: to .{1,80})?[.!]?$/i.test(last);
  return (isPass ? lines.slice(0, -1) : lines).join('\n').trim();
}
