import { expect, test } from 'vitest';
import { offersFor } from './dependables.ts';

const known = {
  artifacts: [{ path: '.lore/specs/report.md', title: 'What a report must say' }],
  commissions: [{ id: 'review-of-the-report', title: 'Review of the report', status: 'in_progress' }],
};
const offered = (words: string, chosen: readonly string[] = []) =>
  offersFor(words, known, chosen).map(({ kind, on }) => `${kind} ${on}`);

test('commissions and artifacts by their words, and a path that nobody wrote yet', () => {
  expect(offered('report')).toEqual(['commission review-of-the-report', 'artifact .lore/specs/report.md']);
  expect(offered('review report')).toEqual(['commission review-of-the-report']);
  expect(offered('docs/errors.md')).toEqual(['path docs/errors.md']);
  expect(offered('.lore/specs/report.md')).toEqual(['artifact .lore/specs/report.md']);
});

test('nothing for nothing, for what is chosen, and for what leads out of the project', () => {
  expect(offered('  ')).toEqual([]);
  expect(offered('review', ['review-of-the-report'])).toEqual([]);
  expect(offered('../secrets.txt')).toEqual([]);
  expect(offered('/etc/passwd')).toEqual([]);
  expect(offered('two words/with a path')).toEqual([]);
});
