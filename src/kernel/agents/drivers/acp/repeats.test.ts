import { expect, test } from 'vitest';
import { askAgain, newRepeats, sayOnce } from './repeats.ts';

/** The pieces of each try; all but the last broke off. */
function read(...tries: readonly (readonly string[])[]): string {
  const repeats = newRepeats();
  return tries
    .map((pieces, at) => {
      askAgain(repeats, at > 0);
      return pieces.map((piece) => sayOnce(repeats, piece)).join('');
    })
    .join('');
}

test.each([
  [[['One ', 'two']], 'One two'],
  [[['One '], ['One ', 'two']], 'One two'],
  [[['One ', 'tw'], ['One two'], ['One two']], 'One two'],
  [[['One two three'], ['One '], ['One two three four']], 'One two three four'],
  [[['One '], ['Another']], 'One \n\nAnother'],
  [[[], ['One']], 'One'],
])('%j is read as %j', (tries, text) => {
  expect(read(...tries)).toBe(text);
});

test('a next call of the model may say the same again', () => {
  const repeats = newRepeats();
  const said = [1, 2].map(() => {
    askAgain(repeats, false);
    return sayOnce(repeats, 'Done.');
  });
  expect(said).toEqual(['Done.', 'Done.']);
});
