import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMap, isSeq, type Node, parse, parseDocument, stringify } from 'yaml';
import { wellFormed } from '../../../kernel/pure/text.ts';
import type { RegistryEntry } from './entries.ts';
import { extendRegistry, readRegistry } from './registry.ts';

const entryOf = (changes: Partial<RegistryEntry> = {}): RegistryEntry => ({
  id: 'AI-2026-03-01-7',
  created: '2026-03-01T10:00:00Z',
  source_meeting: 'cache-choice',
  type: 'feature',
  priority: 'normal',
  status: 'open',
  target_command: '/gaia-add-feature',
  assignee: 'unassigned',
  context_for_target: 'Add a cache.',
  acceptance: 'It is there.',
  ...changes,
});
const entry = entryOf();
const second = entryOf({
  id: 'AI-2026-03-01-8',
  context_for_target: 'Two\nlines: with # signs\n',
  acceptance: '- "x"',
});

const held = (text: string): { schema_version: number; items: unknown[] } =>
  parse(text, { uniqueKeys: true }) as { schema_version: number; items: unknown[] };

/** Bytes of each entry as they stand in a text. */
function bytesOf(text: string): string[] {
  const document = parseDocument(text, { uniqueKeys: false });
  const holder = isMap(document.contents) ? document.get('items', true) : document.contents;
  const items = isSeq(holder) ? holder.items : [];
  return items.map((item) => text.slice(...((item as Node).range!.slice(0, 2) as [number, number])).trimEnd());
}

const forms: Record<string, string> = {
  'version 1': 'schema_version: 1\nitems:\n- id: AI-2026-02-01-1\n  text: "old"\n',
  'no version': '# ours\nitems:\n- id: a\n- id: b\n',
  'indented items': 'schema_version: 2\nitems:\n    - id: a\n      text: x\n    - id: b\n',
  'more keys after the items': 'items:\n  - id: a\n\n# about the rest\nowner: me\nnotes:\n  - x\n',
  'a flow list': 'schema_version: 1\nitems: [{id: a, n: 1}, {id: b}] # all\n',
  'a flow list over lines': 'items: [\n  {id: a}, # one\n  {id: b},\n  ]\nowner: me\n',
  'an empty flow list': 'schema_version: 2\nitems: [] # none yet\n',
  'an empty flow list over lines': 'items: [\n  ]\nschema_version: 1\n',
  JSON: '{"schema_version": 1, "items": [{"id": "a"}], "more": [1]}\n',
  'JSON without items': '{\n  "owner": "me"\n}\n',
  'an empty map': '{}\n',
  'no items': 'schema_version: 1\nowner: me\n',
  'items without a value': 'items:\nowner: me\n',
  'items of null': 'items: ~ # later\n',
  'a bare list, as in version 1': '# old\n- id: a\n  text: |\n    x\n\n- id: b\n',
  'an indented bare list': '\n  - id: a\n  - id: b\n',
  'a bare flow list': '[{id: a},\n{id: b}\n]\n',
  'a block scalar at the end': 'items:\n- id: a\n  text: |\n    one\n\n    two\n',
  'a block scalar that keeps its empty lines': 'items:\n- id: a\n  text: |+\n    one\n\n\n',
  'a folded scalar, cut': 'items:\n- id: a\n  text: >-\n    one\n    two\n\n\n# end\n',
  'no line end at the end': 'items:\n- id: a\n  text: x',
  'no line end after a block scalar': 'items:\n- id: a\n  text: |\n    x',
  'comments everywhere': '# a\n\n# b\nitems: # c\n# d\n- id: a # e\n  # f\n  n: 1\n# g\n\n  # h\n',
  'Windows line ends': '# a\r\nschema_version: 1\r\nitems:\r\n- id: a\r\n  text: |\r\n    x\r\n    y\r\n',
  'a byte order mark': '\uFEFFitems:\n- id: a\n',
  'a document start and end': '%YAML 1.2\n---\nitems:\n- id: a\n...\n',
  'a start that has its map on the same line': '--- {items: [{id: a}]}\n',
  'anchors, aliases and merges': 'base: &b {n: 1}\nitems: &all\n- &x\n  id: a\n- *x\n- id: c\n  <<: *b\n',
  'a tag': 'items: !!seq\n- id: a\n-\n',
  'an explicit key': '? items\n: - id: a\n  - id: b\n',
  'quoted keys': '"schema_version": "1"\n\'items\':\n  - "id": \'a\'\n',
  'an indented map': '  schema_version: 1\n  items:\n  - id: a\n',
  'two versions, as the original left it': 'schema_version: 2\n# ours\nschema_version: 1\nitems:\n- id: a\n',
  'a version without a value': 'schema_version:\nitems:\n- id: a\n',
  'a list in a list': 'items:\n- - a\n  - b\n-   id: x\n    n: 2\n',
  'only comments': '# nothing yet\n',
  'a start and nothing': '---\n',
  'YAML 1.1': '%YAML 1.1\n---\nitems:\n- id: a\n  done: yes\n',
};

describe('a registry of any legal form', () => {
  test.each(Object.entries(forms))(
    '%s: old bytes stay, new entries are at the end [CNC-SAV-3, CNC-SAV-4, CNC-SAV-10]',
    (_name, source) => {
      const before = readRegistry(source, 'r.yaml').items;
      const text = extendRegistry(source, [entry, second], 'r.yaml');
      expect(held(text).items).toEqual([...before, entry, second]);
      expect(held(text).schema_version).toBe(2);
      expect(text.match(/schema_version/g)).toHaveLength(1);
      expect(bytesOf(text).slice(0, before.length)).toEqual(bytesOf(source));
      for (const comment of source.match(/#.*$/gm) ?? []) expect(text).toContain(comment);
      const again = extendRegistry(text, [entryOf({ id: 'AI-2026-03-01-9' })], 'r.yaml');
      expect(held(again).items).toHaveLength(before.length + 3);
      expect(again.match(/schema_version/g)).toHaveLength(1);
    },
  );

  test('a second save changes nothing of what stands there [CNC-SAV-4]', () => {
    const first = extendRegistry('', [entry], 'r.yaml');
    expect(extendRegistry(first, [second], 'r.yaml').startsWith(first)).toBe(true);
  });

  test('an absent one becomes comment, version and items [CNC-HLP-36]', () => {
    const lines = extendRegistry('', [entry], 'r.yaml').split('\n');
    expect(lines.slice(0, 4)).toEqual([
      expect.stringMatching(/^# /),
      'schema_version: 2',
      'items:',
      '- id: AI-2026-03-01-7',
    ]);
    expect(lines).toContain('  created: "2026-03-01T10:00:00Z"');
    expect(lines).toContain('  target_command: "/gaia-add-feature"');
  });

  test('Windows line ends are kept to', () => {
    const text = extendRegistry(forms['Windows line ends']!, [second], 'r.yaml');
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  });
});

test.each([
  ['items:\n- id: a\n  text: "open\n', /r\.yaml:\d+ is not legal YAML/],
  ['items:\n\t- id: a\n', /r\.yaml:2 is not legal YAML/],
  ['just words\n', /r\.yaml:1 holds neither fields nor a list/],
  ['items: many\n', /has an `items` that is no list/],
  ['owner: me\nschema_version: 3\nitems: []\n', /r\.yaml:2 has a `schema_version` other than 1 and 2/],
  ['items: []\n---\nitems: []\n', /not legal YAML/],
  [`items:\n${Array.from({ length: 20_000 }, (_, at) => `- &a${at} 1\n- *a${at}\n`).join('')}`, /very many aliases/],
  [`a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(9)}]\nitems: [${'*b,'.repeat(200)}]\n`, /cannot be read/],
])('what is no registry is refused with file, line and what to do: %j', (source, message) => {
  const attempt = (): unknown => extendRegistry(source, [entry], 'r.yaml');
  expect(attempt).toThrow(message);
  expect(attempt).toThrow(/nothing was written/);
});

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '#', ':', '-', '"', "'", '|', '\t', '\r', '\\', '{', '%', '\u0085', '\u2028'),
  }),
  fc.constantFrom(
    'yes',
    'null',
    '~',
    '1:30',
    '2026-01-01',
    '0x1f',
    '',
    ' x',
    'x ',
    'a\n\nb\n',
    '\n',
    'é: ñ',
    '!tag',
    '&a',
    '*a',
  ),
);

test('whatever words an entry has come out as they went in, in every form [CNC-SAV-10]', () => {
  const sources = Object.values(forms);
  fc.assert(
    fc.property(texts, texts, texts, fc.nat(sources.length - 1), (context, acceptance, assignee, at) => {
      const given = entryOf({ context_for_target: context, acceptance, assignee });
      const source = sources[at]!;
      const { items } = held(extendRegistry(source, [given], 'r.yaml'));
      expect(items.at(-1)).toEqual(
        Object.fromEntries(Object.entries(given).map(([key, value]) => [key, wellFormed(value)])),
      );
    }),
    { numRuns: 400 },
  );
});

test('registries of generated content keep every entry', () => {
  const item = fc.dictionary(
    fc.constantFrom('id', 'text', 'more', 'deep'),
    fc.oneof(texts, fc.integer(), fc.array(texts, { maxLength: 3 })),
  );
  const options = fc.record({
    indentSeq: fc.boolean(),
    blockQuote: fc.constantFrom(true, false, 'folded' as const, 'literal' as const),
  });
  fc.assert(
    fc.property(fc.array(item, { maxLength: 4 }), options, fc.boolean(), (items, style, isBare) => {
      const source = stringify(isBare ? items : { items, owner: 'me' }, style);
      const before = readRegistry(source, 'r.yaml').items;
      expect(held(extendRegistry(source, [second], 'r.yaml')).items).toEqual([...before, second]);
    }),
    { numRuns: 300 },
  );
});
