/** The phases of a spec as the rehearsal goes through them. Each says what it did, shows its blocks and the way on. */
import { at, bullets, codeLine, paragraphs } from '../../../kernel/agents/rehearsal/plays/markdown.ts';
import { canSearch } from '../../../kernel/agents/rehearsal/plays/offered.ts';
import type { Step } from '../../../kernel/agents/rehearsal/plays/search.ts';
import { isTerm, lookUp } from '../../../kernel/agents/rehearsal/plays/converse.ts';
import type { Situation } from '../../../kernel/agents/rehearsal/situation.ts';
import {
  breakdownText,
  eventModelText,
  nextBlock,
  researchText,
  tasksBlock,
  tasksOf,
  titleOf,
  useCasesText,
  withEventModel,
} from './words.ts';
import { readByTool, specFile, writeByTool, type Written } from './writing.ts';

export type Phase = (situation: Situation, name: string, words: string) => Step<string>;

export const phases: Readonly<Record<string, Phase>> = { rsrc, req, arq, plan, org, orc };

/** What became of the file, in a sentence; undefined where the person did not want it and the phase is not done. */
function outcome(written: Written, path: string): string | undefined {
  if (written === 'written') return `I wrote it to \`${path}\`.`;
  if (written === 'kept') return `\`${path}\` is there already; I leave it as it stands.`;
  return written === 'missing' ? 'I have no tool for files here, so it stands in this answer alone.' : undefined;
}

interface Done {
  readonly command: string;
  readonly name: string;
  readonly path: string;
  readonly shown: string;
  readonly next: readonly [label: string, command: string];
}

function ending(written: Written, { command, name, path, shown, next }: Done): string {
  const told = outcome(written, path);
  const undone = `The file was not written, so this phase is not done. Say \`/${command} ${name}\` to try it again.`;
  return told === undefined ? paragraphs(shown, undone) : paragraphs(shown, told, nextBlock(...next, name));
}

function* rsrc(situation: Situation, name: string, words: string): Step<string> {
  const terms = `${name.replaceAll(/[-_]+/g, ' ')} ${words}`.split(/[^\p{L}\p{N}_$]+/u).filter(isTerm);
  const hits = canSearch(situation) && terms.length > 0 ? yield* lookUp(situation, terms.slice(0, 6)) : [];
  const places = hits.slice(0, 3).map((hit) => `${at(hit)}: ${codeLine(hit.text)}`);
  const path = specFile(name, 'research.md');
  const written = yield* writeByTool(situation, path, `${researchText(name, words, places)}\n`);
  const found =
    places.length === 0
      ? `I looked for ${titleOf(name).toLowerCase()} and found nothing of it yet.`
      : `I looked for ${titleOf(name).toLowerCase()}. These places have to do with it:\n\n${bullets(places)}`;
  return ending(written, {
    command: 'rsrc',
    name,
    path,
    shown: paragraphs(found, 'The smallest thing that helps comes first. Open is who uses it first.'),
    next: ['Write the use cases', 'req'],
  });
}

function* req(situation: Situation, name: string): Step<string> {
  const research = yield* readByTool(situation, specFile(name, 'research.md'));
  const path = specFile(name, 'analysis.md');
  const text = useCasesText(name);
  const written = yield* writeByTool(situation, path, `${text}\n`);
  const missing = `There is no research yet: \`/rsrc ${name}\` comes first. I go on without it.`;
  return ending(written, {
    command: 'req',
    name,
    path,
    shown: paragraphs(
      research === undefined && missing,
      'Two use cases, the first without which the rest is worth nothing.',
      text,
    ),
    next: ['Draw the event model', 'arq'],
  });
}

function* arq(situation: Situation, name: string): Step<string> {
  const path = specFile(name, 'analysis.md');
  const before = yield* readByTool(situation, path);
  const analysis = withEventModel(before ?? useCasesText(name), name);
  const written = yield* writeByTool(situation, path, analysis);
  return ending(written, {
    command: 'arq',
    name,
    path,
    shown: paragraphs('One slice for what is asked for, one for what goes wrong.', eventModelText(name)),
    next: ['Break it into tasks', 'plan'],
  });
}

function* plan(situation: Situation, name: string): Step<string> {
  const path = specFile(name, 'breakdown.md');
  const written = yield* writeByTool(situation, path, `${breakdownText(name)}\n`);
  const tasks = tasksOf(name).map(({ id, name: title }) => `**${id}** ${title}`);
  return ending(written, {
    command: 'plan',
    name,
    path,
    shown: paragraphs('Three tasks; each leaves the repository whole.', bullets(tasks)),
    next: ['Order it into waves', 'org'],
  });
}

function* org(situation: Situation, name: string): Step<string> {
  const path = specFile(name, 'implementation.json');
  const written = yield* writeByTool(situation, path, `${JSON.stringify(tasksOf(name), null, 2)}\n`);
  return ending(written, {
    command: 'org',
    name,
    path,
    shown: paragraphs('Three waves: each task needs the one before it.', tasksBlock(name)),
    next: ['Carry it out', 'orc'],
  });
}

function* orc(situation: Situation, name: string): Step<string> {
  const tasks = yield* readByTool(situation, specFile(name, 'implementation.json'));
  const rows = tasksOf(name).map(
    ({ id, name: title, wave }) => `| ${wave} | ${id} | ${title} | not built: this is a rehearsal |`,
  );
  const missing = `There are no waves yet: \`/org ${name}\` comes first. This is what they would be.`;
  return paragraphs(
    tasks === undefined && missing,
    'This is where the work would be done, a wave at a time. A rehearsal changes no code, so nothing is built:',
    ['| wave | task | what | how it went |', '|---|---|---|---|', ...rows].join('\n'),
    'With a model of your own in `config.yaml`, the same command carries them out. This is the last phase: no step follows.',
  );
}
