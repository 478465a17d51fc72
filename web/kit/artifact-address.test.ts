import { expect, test } from 'vitest';
import { addressesFrom } from './artifact-address.ts';

const from = addressesFrom('shop', '.lore/notes/parser.md');

test.each([
  ['errors.md', '/app/projects/shop/artifacts/.lore/notes/errors.md'],
  ['./errors.md#why', '/app/projects/shop/artifacts/.lore/notes/errors.md'],
  ['../specs/x.md', '/app/projects/shop/artifacts/.lore/specs/x.md'],
  ['.lore/specs/x.md', '/app/projects/shop/artifacts/.lore/specs/x.md'],
  ['/.lore/specs/a%20b.md', '/app/projects/shop/artifacts/.lore/specs/a%20b.md'],
  ['100%.md', '/app/projects/shop/artifacts/.lore/notes/100%25.md'],
  ['../../src/parse.ts', undefined],
  ['../../README.md', undefined],
  ['../../../../etc/passwd.md', undefined],
  ['#why', undefined],
  ['', undefined],
])('%s leads to %s', (link, address) => {
  expect(from(link)).toBe(address);
});

test('a path that is only mentioned leads nowhere: nobody knows whether it is there', () => {
  expect(from('.lore/specs/x.md', true)).toBe(undefined);
});
