import { expect, test } from 'vitest';
import { wordsOf } from './words-of.ts';

test.each<readonly [string, string[] | undefined]>([
  ['', []],
  ['  ', []],
  ['npm run dev', ['npm', 'run', 'dev']],
  ['  claude   --model  opus ', ['claude', '--model', 'opus']],
  ['sh -c "echo \\"a b\\"; ls"', ['sh', '-c', 'echo "a b"; ls']],
  ['echo \'it is \\n\' ""', ['echo', 'it is \\n', '']],
  ['a"b c"d', ['ab cd']],
  ['my\\ file', ['my file']],
  ['$HOME *', ['$HOME', '*']],
  ['echo "open', undefined],
  ["it's", undefined],
])('%s is a list of words', (line, words) => {
  expect(wordsOf(line)).toEqual(words);
});
