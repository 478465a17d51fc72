import { expect, test } from 'vitest';
import { keysOf, type Pressed } from './pressed.ts';

const press = (pressed: Partial<Pressed>): string | undefined =>
  keysOf({ key: 'k', code: 'KeyK', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...pressed });

test('a key alone, and with Ctrl or its like on a Mac', () => {
  expect(press({})).toBe('k');
  expect(press({ key: 'K', shiftKey: true })).toBe('K');
  expect(press({ key: '?', code: 'Slash', shiftKey: true })).toBe('?');
  expect(press({ ctrlKey: true })).toBe('Ctrl k');
  expect(press({ metaKey: true })).toBe('Ctrl k');
  // Caps Lock.
  expect(press({ key: 'K', ctrlKey: true })).toBe('Ctrl k');
});

test('on a Cyrillic or Greek layout the place of the key counts', () => {
  expect(press({ key: 'л', ctrlKey: true })).toBe('Ctrl k');
  expect(press({ key: 'κ', ctrlKey: true })).toBe('Ctrl k');
  expect(press({ key: 'о', code: 'KeyJ' })).toBe('j');
  expect(press({ key: 'О', code: 'KeyJ', shiftKey: true })).toBe('J');
});

test('on a Latin layout the letter counts, wherever it is', () => {
  expect(press({ key: 'k', code: 'KeyV', ctrlKey: true })).toBe('Ctrl k');
  expect(press({ key: 'ö', code: 'Semicolon' })).toBe('ö');
});

test('what is the browser’s stays the browser’s', () => {
  expect(press({ key: 'K', ctrlKey: true, shiftKey: true })).toBeUndefined();
  expect(press({ altKey: true })).toBeUndefined();
  // AltGr on Windows.
  expect(press({ key: '@', code: 'KeyQ', ctrlKey: true, altKey: true })).toBeUndefined();
});
