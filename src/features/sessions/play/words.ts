/** What the rehearsal writes in each phase of a spec: short, in the form that the skills of the plugin ask for. */
import { paragraphs } from '../../../kernel/agents/rehearsal/plays/markdown.ts';

/** `voice-dictation` → `Voice dictation` */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function block(kind: string, value: unknown): string {
  return `\`\`\`conclave:${kind}\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

/** The way on; nothing where a phase is the last. */
export function nextBlock(label: string, command: string, name: string): string {
  return block('next', { label, command: `/${command} ${name}`, metaContext: name });
}

export function researchText(name: string, question: string, places: readonly string[]): string {
  const title = titleOf(name);
  const found =
    places.length === 0
      ? 'Nothing in the project bears that name yet.'
      : places.map((place) => `- ${place}`).join('\n');
  return paragraphs(
    `# ${title}`,
    `${title} is possible, and everybody can see that it works.`,
    `## Problem\n\n${question === '' ? `Today there is no ${title.toLowerCase()}.` : question}`,
    `## Findings\n\n${found}`,
    '## Ways\n\n1. The smallest thing that helps, first. Nothing speaks against it.\n2. Everything at once. Nobody could check it in one go.',
    '## Open questions\n\n- Who uses it first?',
  );
}

function useCasesOf(name: string) {
  const title = titleOf(name);
  return [
    {
      id: 'UC-1',
      name: `Use ${title.toLowerCase()}`,
      actor: 'Person',
      summary: `Somebody asks for ${title.toLowerCase()} and gets it.`,
      given: ['The program runs'],
      when: [`The person asks for ${title.toLowerCase()}`],
      then: ['The outcome is shown', 'The outcome is kept'],
      priority: 'high',
      dependencies: [],
    },
    {
      id: 'UC-2',
      name: 'Be told what is wrong',
      actor: 'Person',
      summary: 'What cannot be done is said, with the next thing to do.',
      given: ['The program runs'],
      when: ['The person asks for something that cannot be done'],
      then: ['A sentence says why', 'Nothing was changed'],
      priority: 'medium',
      dependencies: ['UC-1'],
    },
  ];
}

export function useCasesText(name: string): string {
  const cases = useCasesOf(name);
  return paragraphs(
    `# ${titleOf(name)}`,
    '## Decisions\n\n- **The smallest thing first.** What is there can be tried.',
    '## Use Cases',
    ...cases.map((one) => paragraphs(`### ${one.id}: ${one.name}`, block('usecase', one))),
    '## Out of scope\n\n- Whatever nobody asked for.',
  );
}

const modelHeading = '## Event Model';

/** `analysis` with the event model at its end, instead of one that it has. */
export function withEventModel(analysis: string, name: string): string {
  return `${analysis.split(`\n${modelHeading}`, 1)[0]!.trimEnd()}\n\n${eventModelText(name)}\n`;
}

export function eventModelText(name: string): string {
  const word = titleOf(name).replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const slices = [
    {
      slice: `ask-for-${name}`,
      label: `Ask for ${titleOf(name).toLowerCase()}`,
      screen: 'Main page',
      command: { name: `Ask${word}`, new: true, fields: { what: 'string' } },
      events: [{ name: `${word}Asked`, new: true, fields: { what: 'string' }, feeds: [`${word}List`] }],
      projections: [{ name: `${word}List`, new: true, fields: { entries: 'string[]' } }],
      sideEffects: ['The outcome is written to disk'],
    },
    { slice: `refuse-${name}`, label: 'Say what is wrong', screen: 'Main page', sideEffects: ['A sentence is shown'] },
  ];
  return paragraphs(
    modelHeading,
    'UC-1 is one slice, from the wish to the list. UC-2 writes nothing.',
    ...slices.map((slice) => block('eventmodel', slice)),
  );
}

interface Task {
  readonly id: string;
  readonly name: string;
  readonly ucs: readonly string[];
  readonly depends: readonly string[];
  readonly wave: number;
  readonly kind: string;
  readonly files: { readonly create: readonly string[]; readonly modify: readonly string[] };
  readonly description: string;
}

export function tasksOf(name: string): readonly Task[] {
  const what = titleOf(name).toLowerCase();
  return [
    {
      id: 'T-0',
      name: 'A test that shows what is missing',
      ucs: ['UC-1'],
      depends: [],
      wave: 0,
      kind: 'test',
      files: { create: [`test/${name}.test.ts`], modify: [] },
      description: `A test of UC-1 for ${what}. It fails, because nothing is there yet.`,
    },
    {
      id: 'T-1',
      name: `Make ${what} work`,
      ucs: ['UC-1', 'UC-2'],
      depends: ['T-0'],
      wave: 1,
      kind: 'code',
      files: { create: [`src/${name}.ts`], modify: [] },
      description:
        'The smallest code with which the test of T-0 passes. What cannot be done is refused in one sentence.',
    },
    {
      id: 'T-2',
      name: 'Tell people of it',
      ucs: ['UC-1'],
      depends: ['T-1'],
      wave: 2,
      kind: 'docs',
      files: { create: [], modify: ['README.md'] },
      description: `A paragraph on ${what} in the README, with an example that runs.`,
    },
  ];
}

export function breakdownText(name: string): string {
  const tasks = tasksOf(name).map(({ id, name: title, ucs, depends, files, description }) =>
    paragraphs(
      `## ${id}: ${title}`,
      [
        `- Files: ${[...files.create, ...files.modify].join(', ')}`,
        `- Use cases: ${ucs.join(', ')}`,
        `- Depends on: ${depends.join(', ') || 'nothing'}`,
        `- Do: ${description}`,
        '- Checks: the tests of the repository pass',
      ].join('\n'),
    ),
  );
  return paragraphs(
    `# ${titleOf(name)}`,
    'First what fails, then what makes it pass, then the words about it.',
    ...tasks,
  );
}

export function tasksBlock(name: string): string {
  return block('tasks', tasksOf(name));
}
