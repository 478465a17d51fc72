/** What the rehearsal reads out of the prompt of a council's turn. */
import type { Situation } from '../../../../kernel/agents/rehearsal/situation.ts';

export interface PlayedSpeech {
  readonly speaker: string;
  readonly role: string;
  readonly text: string;
  /** The person, or the facilitator that breaks a circle: nobody who proposes something. */
  readonly isAside?: boolean;
}

export interface PlayedPrelude extends PlayedSpeech {
  /** Each with the place that it cites; undefined where it cites none. */
  readonly items: readonly { readonly text: string; readonly place: string | undefined }[];
}

export interface PlayedTurn {
  readonly kind: 'prelude' | 'speech' | 'research' | 'again' | 'empty' | 'drafts';
  readonly name: string;
  readonly role: string;
  /** Of the council; 0 where the prompt does not say. */
  readonly number: number;
  readonly round: number;
  readonly charter: string;
  readonly preludes: readonly PlayedPrelude[];
  /** Newest last. */
  readonly said: readonly PlayedSpeech[];
  /** What is asked of this speaker, and by whom. */
  readonly question: { readonly by: string; readonly text: string } | undefined;
  readonly offenders: readonly string[];
  readonly pins: readonly string[];
}

/** Undefined for a message that is no turn of a council. */
export function readTurn(situation: Situation): PlayedTurn | undefined {
  const text = situation.turn.userText;
  const kind = kindOf(text);
  if (kind === undefined) return undefined;
  const first = situation.turns[0]?.userText ?? text;
  const frames = framesOf(situation.turns.length > 0 ? first : text);
  const [, name = '', role = ''] = /You are (.+?) \((.+?)\)(?: in it)?\./.exec(first) ?? [];
  const [, number = '0', round = '0'] = /turn (\d+), round (\d+)/.exec(first) ?? [];
  const asked = frames.find(({ label }) => label.startsWith('question of '));
  return {
    kind,
    name,
    role,
    number: Number(number),
    round: Number(round),
    charter: frames.find(({ label }) => label === 'charter')?.text ?? '',
    preludes: frames.flatMap(preludeOf),
    said: frames.flatMap(speechOf),
    question: asked === undefined ? undefined : { by: asked.label.slice('question of '.length), text: asked.text },
    offenders: kind === 'again' ? offendersIn(text) : [],
    pins: (frames.find(({ label }) => label === 'scratchpad')?.text ?? '').split('\n').filter((line) => line !== ''),
  };
}

function kindOf(text: string): PlayedTurn['kind'] | undefined {
  if (text.startsWith('This is your turn in RESEARCH')) return 'prelude';
  if (text.startsWith('This is your turn in DISCUSS')) return 'speech';
  if (text.startsWith('This is a **research interrupt**')) return 'research';
  if (/^Your \w+ was not taken/.test(text)) return 'again';
  if (text.startsWith('Nothing came that could be taken')) return 'empty';
  return /^(?:The council has ended its discussion|Nothing was handed in)/.test(text) ? 'drafts' : undefined;
}

interface Frame {
  readonly label: string;
  readonly text: string;
}

function framesOf(text: string): Frame[] {
  return [...text.matchAll(/^<<<(.+) (\w{8,})>>>\n([\s\S]*?)\n<<<end \2>>>$/gm)].map(([, label, , inner]) => ({
    label: label!,
    text: inner!,
  }));
}

function preludeOf({ label, text }: Frame): PlayedPrelude[] {
  const [, speaker, role] = /^prelude of (.+) \((.+?)\)$/.exec(label) ?? [];
  if (speaker === undefined) return [];
  const rows = text.split('\n').flatMap((line) => /^ {2}- (.+)$/.exec(line)?.[1] ?? []);
  return [{ speaker, role: role!, text, items: rows.map((row) => ({ text: row, place: placeIn(row) })) }];
}

function speechOf({ label, text }: Frame): PlayedSpeech[] {
  const [, speaker, role, kind = ''] = /^T\d+(?:, round \d+)?: (.+?) \((.+?)\)(?:, ([\w-]+))?$/.exec(label) ?? [];
  const isAside = /^(?:interject|attendee|facilitator)/.test(kind);
  return speaker === undefined ? [] : [{ speaker, role: role!, text, isAside }];
}

/** `path:line` of a text, the last one that it names. */
export function placeIn(text: string): string | undefined {
  return [...text.matchAll(/(?:[\w@.-]+\/)*[\w@.-]+\.\w{1,6}:\d+/g)].at(-1)?.[0];
}

function offendersIn(text: string): string[] {
  return [...text.matchAll(/^- line \d+: (.+)$/gm)].map(([, row]) => row!);
}
