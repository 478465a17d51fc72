import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { linkTargetsIn } from './scanning.ts';

interface MarkdownNode {
  readonly type: string;
  readonly url?: string;
  readonly children?: readonly MarkdownNode[];
}

/** As a reader of the whole syntax sees it. */
const targetsBySyntax = (node: MarkdownNode): string[] => [
  ...(['link', 'image', 'definition'].includes(node.type) ? [node.url ?? ''] : []),
  ...(node.children ?? []).flatMap(targetsBySyntax),
];

test.each([
  'See [a](a.md), [named][ref], ![picture](b.md "a title") and [c]( <c d.md> \'x\' ).',
  '*[a](a_b.md)* and **_[b](b*c.md)_**, [*c*](c.md), [`d`](d.md), [e ]( e.md (title) )',
  '`[no](a.md)` ``[no](b.md) ` `` [yes](c.md) ` [d](d.md)',
  'A line with `a word](l.md) and [m](m.md)`, [n](n.md)',
  '\\[no](a.md) [no\\](b.md) [yes](c\\_d.md) \\`[yes](e.md)` [f](f\\(g.md) [h](h&amp;i.md)',
  '\\``[no](a.md)` [b](b.md)',
  '[a [b](b.md) c](c.md) [![d](d.md)](e.md) ![f [g](g.md)](h.md)',
  '[no] (a.md) [no](a b.md) [no](a.md"x") [x](a(b).md) [no](a(b.md [y](y.md',
  '[a](a.md\n"title") [b](\nb.md) [c\nd](d.md)',
  '# [a](a.md)\n[b]: b.md\n[c](c.md)\n[no]: d.md',
  '[a]: a.md "title"\n[b]: <b c.md>\ntext',
  '> [a](a.md)\n> - [b](b.md)\n> 1. [c]: c.md',
  '- [a](a.md)\n- [b]: b.md\n* [c](c.md) \n+ d',
  '    [no](a.md)\n[b](b.md)',
  'text\n    [a](a.md)',
  'x <!-- [no](a.md) --> x <b title="[no](b.md)">[c](c.md)</b>',
  'a <!-- [a](a.md) and a < b [b](b.md)',
  '[a](#x) [](e.md) [b]() [] ][ ](x.md)',
])('the links in %j are those that a reader of the whole syntax finds', (text) => {
  const wanted = targetsBySyntax(fromMarkdown(`${text}\n`) as MarkdownNode).filter(
    (url) => url.includes('://') === false,
  );
  expect(linkTargetsIn(text).toSorted()).toEqual(wanted.toSorted());
});

test.each([
  '[a](b.md) *_*_',
  '[',
  '![',
  '[a](',
  '[a](<',
  '[a](b "',
  '[a](b (',
  '](',
  '`',
  '`a``b',
  '<a',
  '<!--',
  '\\',
  '(',
  '[a](b ',
  '[a]: ',
  '[a](b\\',
  '> ',
  '- ',
  '[a]: b.md\n',
  '[a](b "\\"',
])(
  'half a million signs of %j are read within the limit of a test, not in the time of their square',
  { timeout: 10_000 },
  (part) => {
    expect(linkTargetsIn(`${part.repeat(500_000 / part.length)}\n\n[a](z.md)`).length).toBeLessThan(100_000);
  },
);
