import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passes, passNames, traps } from '../../../../../test/help/pass-sentences.ts';
import { cutAtPass, findPass } from './pass.ts';

describe('sentences', () => {
  test.each(passes)('[GTH-PIECE-7] [GTH-PIECE-8] [GTH-PIECE-9] %j passes to %j', (said, to) => {
    expect(findPass(said, passNames)?.to).toBe(to);
  });

  test.each(traps.map((said) => [said]))('[GTH-PIECE-10] %j is no pass', (said) => {
    expect(findPass(said, passNames)).toBeUndefined();
  });

  test('there are enough of them, and none twice', () => {
    const all = [...passes.map(([said]) => said), ...traps];
    expect(new Set(all).size).toBe(all.length);
    expect(passes.length).toBeGreaterThan(100);
    expect(traps.length).toBeGreaterThan(120);
  });

  test('the name of a seat that a pattern would take for something else is a name', () => {
    for (const name of ['C++ (old)', 'a.b', '$5', '[x]', 'Über-Ich', '李雷', 'Mo|Jo', 'back\\slash'])
      expect(findPass(`Done. I pass to ${name}.`, [name])?.to).toBe(name);
  });
});

/** Without a word of a pass, ended. */
const harmless = fc
  .array(fc.constantFrom('the wall', 'is dry', 'and', 'tests', 'green', 'Mo', 'we see', '42', 'ähnlich'), {
    maxLength: 8,
  })
  .map((words) => (words.length === 0 ? '' : `${words.join(' ')}.`));
const somePass = fc.constantFrom(...passes.map(([said]) => said).filter((said) => !said.includes('\n')));
const someWords = fc.oneof(harmless, somePass, fc.constantFrom(...traps), fc.string({ maxLength: 30 }));

describe('whatever stands around it', () => {
  test('[GTH-PIECE-9] a pass that stands alone in a paragraph is found after harmless ones', () => {
    fc.assert(
      fc.property(fc.array(harmless), somePass, harmless, (before, said, after) => {
        const pass = findPass([...before, said, after].join('\n\n'), passNames);
        expect(pass?.line).toBe(said);
      }),
    );
  });

  test('[GTH-PIECE-10] never in a fence, nor in lines that are marked as a quotation', () => {
    fc.assert(
      fc.property(fc.array(someWords), fc.constantFrom('```', '~~~', '````ts'), (words, fence) => {
        const text = words.join('\n').replaceAll(/^\s*(?:`{3,}|~{3,}).*$/gm, '');
        expect(findPass(`${fence}\n${text}\n`, passNames)).toBeUndefined();
        expect(findPass(text.replaceAll(/^/gm, '> '), passNames)).toBeUndefined();
      }),
    );
  });

  test('[GTH-PIECE-10] never between marks of quotation', () => {
    const marks = fc.constantFrom(
      ['“', '”'],
      ['„', '“'],
      ['«', '»'],
      ['»', '«'],
      ['"', '"'],
      ['「', '」'],
      ["'", "'"],
      ['`', '`'],
    );
    const simple = somePass.filter((said) => !/[“”"`'’„«»]/u.test(said));
    fc.assert(
      fc.property(harmless, simple, marks, (before, said, [open, close]) => {
        expect(findPass(`${before} ${open}${said.trim()}${close}`, passNames)).toBeUndefined();
        expect(findPass(`Then they wrote ${open}${said.trim()}${close} and went.`, passNames)).toBeUndefined();
      }),
    );
  });

  test('a name that goes on over the end of a line is cut behind it', () => {
    const own = 'It is done. I pass to Grace\nHopper.\nMore.';
    const pass = findPass(own, ['Grace Hopper'])!;
    expect([pass.to, pass.line]).toEqual(['Grace Hopper', 'Hopper.']);
    expect(cutAtPass(own, own, pass)).toBe('It is done. I pass to Grace\nHopper.');
  });

  test('its line is a line of the words, at its place', () => {
    fc.assert(
      fc.property(fc.array(someWords), (lines) => {
        const own = lines.join('\n');
        const pass = findPass(own, passNames);
        if (pass === undefined) return;
        expect(own.slice(pass.end - pass.line.length, pass.end)).toBe(pass.line);
        expect(own.slice(0, pass.end)).toMatch(/pass/i);
        expect(own.startsWith(cutAtPass(own, own, pass))).toBe(true);
        expect(findPass(cutAtPass(own, own, pass), passNames)).toBeDefined();
      }),
      { numRuns: 150 },
    );
  });

  test('the length of the words costs no more than their length', () => {
    for (const piece of [
      'I pass the salt ',
      "I pass 'x ",
      '` I pass ',
      '"I pass ',
      'say pass can ',
      '- (1 pass ',
      'so, ',
    ])
      expect(findPass(`${piece.repeat(2_000)}\nand I pass on it`, passNames)).toBeUndefined();
  });
});

describe('what is said up to it', () => {
  const cut = (text: string, own = text): string => {
    const pass = findPass(own, passNames);
    return pass === undefined ? text : cutAtPass(text, own, pass);
  };

  test('[GTH-PIECE-13] the whole line of the pass, and nothing after it', () => {
    expect(cut('One.\n\nI pass to Mo. He knows.\n\nTwo.\nThree.')).toBe('One.\n\nI pass to Mo. He knows.');
    expect(cut('One.\r\nI pass\r\nTwo.')).toBe('One.\r\nI pass\r');
    expect(cut('No more of it.')).toBe('No more of it.');
  });

  test('where the same line was said by another before, it is the speaker’s own that ends it', () => {
    expect(cut('> Mo: \nI pass\nSo he said.\n\nI pass\nEnd.', 'So he said.\n\nI pass\nEnd.')).toBe(
      '> Mo: \nI pass\nSo he said.\n\nI pass',
    );
    expect(cut('I pass\nEnd.\nI pass\n', 'I pass\nEnd.\nI pass\n')).toBe('I pass');
  });

  test('where it cannot be found all goes out', () => {
    expect(cut('All of I\npass that.', 'I pass')).toBe('All of I\npass that.');
  });
});
