/** All that can be typed, as a tree: nouns, verbs, flags, places; from the same descriptions as the commands. */
import type { OperationDescription } from '../../../kernel/pure/operations.ts';
import type { CliParts, OwnCommand } from '../parts.ts';
import { topics } from '../topics.ts';
import { followFlagOf, kebabOf, wordShapeOf } from '../words.ts';
import type { Candidate } from './candidates.ts';

export interface SurfaceNode {
  readonly word: string;
  readonly about: string;
  /** Of an operation. */
  readonly operation?: string;
  readonly children: readonly SurfaceNode[];
  readonly flags: readonly SurfaceFlag[];
  readonly places: readonly SurfacePlace[];
}

/** Something that a word stands for. */
export interface SurfaceValue {
  /** The input's field. */
  readonly field: string;
  readonly choices: readonly Candidate[];
  readonly isPath: boolean;
}

export interface SurfaceFlag {
  /** With its dashes. */
  readonly name: string;
  readonly about: string;
  /** Undefined for a flag that is only there or not. */
  readonly value: SurfaceValue | undefined;
  readonly repeats: boolean;
}

export interface SurfacePlace extends SurfaceValue {
  /** Takes all words that follow. */
  readonly rest: boolean;
}

const json = plainFlag('--json', 'answer as JSON');
const help = plainFlag('--help', 'say how it is used');
const rootFlags = [help, plainFlag('--version', 'say the version'), plainFlag('--no-color', 'without colours')];

export function surfaceOf(
  parts: Pick<CliParts, 'descriptions' | 'nounSummaries' | 'ownCommands' | 'follows'>,
): SurfaceNode {
  const own = parts.ownCommands.map(nodeOfOwn);
  const nouns = new Map<string, SurfaceNode[]>();
  for (const description of parts.descriptions) {
    const [noun = ''] = description.name.split('.');
    const isFollowed = parts.follows[description.name] !== undefined;
    nouns.set(noun, [...(nouns.get(noun) ?? []), nodeOfOperation(description, isFollowed)]);
  }
  const joined = [...nouns].map(([noun, verbs]) =>
    verbs[0]!.word === noun ? verbs[0]! : nodeOfNoun(noun, parts.nounSummaries[noun] ?? '', verbs),
  );
  const children = [...own, ...joined];
  return { word: '', about: '', children: [...children, helpNode(children)], flags: rootFlags, places: [] };
}

function nodeOfNoun(word: string, about: string, children: readonly SurfaceNode[]): SurfaceNode {
  return { word, about, children, flags: [help], places: [] };
}

function nodeOfOperation(description: OperationDescription, isFollowed: boolean): SurfaceNode {
  const [noun = '', verb] = description.name.split('.');
  const shape = wordShapeOf(description);
  const flags = shape.flags.map(({ field, name }): SurfaceFlag => {
    const isSwitch = field.kind === 'boolean';
    return {
      name: `--${isSwitch && field.fallback === true ? 'no-' : ''}${name}`,
      about: field.help,
      value: isSwitch ? undefined : valueFor(field),
      repeats: field.kind === 'list',
    };
  });
  const follow = followFlagOf(description, isFollowed);
  return {
    word: verb ?? noun,
    about: description.summary,
    operation: description.name,
    children: [],
    flags: [
      ...flags,
      ...fileFlagOf(description),
      ...(follow === undefined ? [] : [plainFlag(follow.name, follow.help)]),
      json,
      help,
    ],
    places: shape.positionals.map(({ field, rest }) => ({ ...valueFor(field), rest })),
  };
}

function fileFlagOf({ commandLine: { fromFile } }: OperationDescription): readonly SurfaceFlag[] {
  if (fromFile === undefined) return [];
  const value = { field: fromFile.flag, choices: [], isPath: true };
  return [
    { name: `--${fromFile.flag}`, about: `read ${kebabOf(fromFile.field)} from this file`, value, repeats: false },
  ];
}

function valueFor(field: { name: string; choices: readonly string[]; isPath: boolean }): SurfaceValue {
  return {
    field: field.name,
    choices: field.choices.map((value) => ({ value, about: '' })),
    isPath: field.isPath,
  };
}

function nodeOfOwn(own: OwnCommand): SurfaceNode {
  const flags = own.options.map(({ flags: form, help: about }): SurfaceFlag => {
    const [name = '', word] = form.split(' ');
    const value = word === undefined ? undefined : { field: kebabOf(word), choices: [], isPath: false };
    return { name, about, value, repeats: false };
  });
  const places = (own.places ?? []).map(({ name, choices }) => ({
    field: name,
    choices: choices.map((value) => ({ value, about: '' })),
    isPath: false,
    rest: false,
  }));
  return { word: own.name, about: own.summary, children: [], flags: [...flags, help], places };
}

/** `help` is followed by a topic, or by the words of a command. */
function helpNode(commands: readonly SurfaceNode[]): SurfaceNode {
  const wordsOnly = (node: SurfaceNode): SurfaceNode => ({
    word: node.word,
    about: node.about,
    children: node.children.map(wordsOnly),
    flags: [],
    places: [],
  });
  const ofTopics = topics.map(({ name, summary }) => nodeOfNoun(name, summary, []));
  return { ...nodeOfNoun('help', 'Explain a command or a topic', [...ofTopics, ...commands.map(wordsOnly)]) };
}

function plainFlag(name: string, about: string): SurfaceFlag {
  return { name, about, value: undefined, repeats: false };
}
