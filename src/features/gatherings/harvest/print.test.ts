/** What agents say in a harvest, as a reader of Markdown takes the trail: entries stay entries, words stay words. */
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { atClose } from '../../../../test/help/gathering-values.ts';
import { parseArtifact } from '../../../kernel/artifacts/parse.ts';
import { gatheringIdSchema } from '../contract/gathering.ts';
import { parseHarvest } from '../rules/ceremony/harvest.ts';
import { markOf, printItem, printTrailEntry, printTrailHead } from './print.ts';

const ids = ['one-20261122-140000-aaaa', 'two-20261122-140000-bbbb'].map((id) => gatheringIdSchema.parse(id));

/** What could end, begin or hide something, alone and in a row. */
const layout = [
  'words',
  ' ',
  '\n',
  '\n\n',
  '    ',
  '\t',
  '> ',
  '- ',
  '* ',
  '1. ',
  '  - ',
  '# ',
  '## ',
  '### ',
  '#### ',
  '\\',
];
const blocks = ['```', '````', '~~~', '`', '``', '---', '===', '***', '|', '| - |', '[x]: y', '[^1]: ', '\r', '\u2028'];
const html = [
  '<!--',
  '-->',
  '<div>',
  '</div>',
  '<script>',
  '<pre>',
  '<![CDATA[',
  '<?x',
  '<!X',
  '<a href="x',
  '&lt;',
  '&#60;',
];
const own = [
  'What emerged',
  'Individual, tangible',
  'todo: ',
  'memory: ',
  ...ids.map(markOf),
  '2026-11-22 14:30 UTC: x',
];
const pieces = [...layout, ...blocks, ...html, ...own, '[x](y)', '![x](y)'];
const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join(''));

function entryOf(text: string, question: string, at: number): string {
  const gathering = atClose({ id: ids[at]!, question });
  const harvest = parseHarvest(text);
  const homeless = harvest.items;
  const links = harvest.items.map(({ title }) => ({ kind: 'todo' as const, title, path: '.lore/todos/x.md' }));
  const origin = { gathering, date: '2026-11-22', trail: '.lore/gatherings/daily.md' };
  const head = at === 0 ? printTrailHead(origin) : '';
  return `${head}\n${printTrailEntry(origin, { harvest, links, homeless, memory: null, isWrittenByHall: false, isRehearsal: false })}`;
}

test('whatever a harvester says, the trail has its entries and no others, and nothing of it is hidden', () => {
  fc.assert(
    fc.property(hostile, hostile, hostile, (first, second, question) => {
      const trail = entryOf(first, question, 0) + entryOf(second, 'What is alive?', 1);
      const { body, problems } = parseArtifact(trail, 'daily.md');
      expect(problems).toEqual([]);
      const { children } = fromMarkdown(body);
      const raw = children.flatMap((node) => (node.type === 'html' ? [node.value] : []));
      expect(raw).toEqual(ids.map(markOf));
      const entries = children.filter((node) => node.type === 'heading' && node.depth <= 2);
      expect(entries.map((node) => (node.type === 'heading' ? node.depth : 0))).toEqual([1, 2, 2]);
      const sections = children.flatMap((node) =>
        node.type === 'heading' && node.depth === 3
          ? [body.slice(node.position!.start.offset, node.position!.end.offset)]
          : [],
      );
      for (const title of ['What emerged', 'What is known now', 'Next thread', 'Links'])
        expect(sections.filter((section) => section === `### ${title}`)).toHaveLength(2);
      for (const id of ids) expect(body.split(markOf(id))).toHaveLength(2);
    }),
    { numRuns: 150 },
  );
});

type Root = ReturnType<typeof fromMarkdown>;

/** All nodes of HTML, and the headings of the third level. */
function shownIn(body: string): { html: string[]; sections: string[] } {
  const found = { html: [] as string[], sections: [] as string[] };
  const walk = (node: Root | Root['children'][number]): void => {
    const { start, end } = node.position!;
    if (node.type === 'html') found.html.push(node.value);
    if (node.type === 'heading' && node.depth === 3) found.sections.push(body.slice(start.offset, end.offset));
    if ('children' in node) for (const child of node.children) walk(child);
  };
  walk(fromMarkdown(body));
  return found;
}

test.each([
  'words\n\n   ```\nhidden',
  'words\n ~~~\nhidden',
  '- a\n\n  ```\nb\n  ```',
  '`a\nb` <div> `c`',
  '\\`<img src=x>\\`',
  '``<b>`',
  '`` ` <b> ` <i>',
])('%j hides no section that follows, and is no HTML', (words) => {
  const { html, sections } = shownIn(entryOf(`## What emerged\n${words}`, 'What is alive?', 1));
  expect(html).toEqual([markOf(ids[1]!)]);
  expect(sections).toEqual(
    ['What emerged', 'What is known now', 'Next thread', 'Links'].map((title) => `### ${title}`),
  );
});

test('a file of an item is an artifact with the fields that the hall gave it, whatever stands in the item', () => {
  fc.assert(
    fc.property(hostile, hostile, (text, question) => {
      const gathering = atClose({ question });
      const origin = { gathering, date: '2026-11-22', trail: '.lore/gatherings/daily.md' };
      for (const item of parseHarvest(`## Actions\n- ${text}`).items) {
        const { frontmatter, problems, body } = parseArtifact(printItem(origin, item), 'x.md');
        expect(problems).toEqual([]);
        expect(frontmatter).toMatchObject({ title: item.title, status: 'open', gathering: gathering.id });
        const { children } = fromMarkdown(body);
        expect(children.filter(({ type }) => type === 'html')).toEqual([]);
        const last = children.at(-1)!;
        expect(body.slice(last.position!.start.offset)).toMatch(/^From the gathering of 2026-11-22: \[/);
      }
    }),
    { numRuns: 150 },
  );
});

test('a trail says that nobody but a rehearsal answered', () => {
  const parts = { harvest: parseHarvest(''), links: [], homeless: [], memory: null, isWrittenByHall: false };
  const origin = { gathering: atClose(), date: '2026-11-22', trail: '.lore/gatherings/daily.md' };
  expect(printTrailEntry(origin, { ...parts, isRehearsal: true })).toContain('\n- Rehearsed: the hall had no model');
  expect(printTrailEntry(origin, { ...parts, isRehearsal: false })).not.toContain('Rehearsed');
});
