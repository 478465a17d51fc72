import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Pin } from '../contract.ts';
import { detectType } from './content-type.ts';
import { autoSlug, contentTypes, extractionPath, isDay } from './extraction.ts';
import * as hands from './raise-hand.ts';
import { parseResumeFlags, printResumeFlags } from './resume.ts';
import { allocatePin, dispositionOf, parsePins, printPin, printPins, renderPins, type PinWish } from './scratchpad.ts';

const empty = hands.parseLedger('');
const record = (ledger: hands.RaiseHandLedger, cycle: number, requesting: string, target: string) =>
  hands.recordRaiseHand(ledger, { cycle, requesting, target });

describe('raised hands', () => {
  test.each([
    ['I am done. [raise-hand → respond to Zara]', 'Zara'],
    ['[raise-hand->respond to  Zara Q. ]', 'Zara Q.'],
    ['[raise-hand   ->   respond to A] then [raise-hand → respond to B]', 'A'],
    ['x\n[raise-hand → respond to C]\nmore', 'C'],
    ['[raise-hand → respond to ]', undefined],
    ['[raise-hand → respond to\nA]', undefined],
    ['raise-hand → respond to A', undefined],
    ['', undefined],
  ])('%j asks for %s [CNC-DIS-19]', (body, target) => {
    expect(hands.detectRaiseHand(body)).toBe(target);
  });

  test('the target speaks next, then the order goes on after the requester [CNC-DIS-20]', () => {
    const names = ['A', 'B', 'C', 'D'];
    expect(['A', ...hands.planInsertion(names, { requesting: 'A', target: 'C' })!]).toEqual(['A', 'C', 'B', 'C', 'D']);
    expect(hands.planInsertion(names, { requesting: 'D', target: 'A' })).toEqual(['A']);
    expect(hands.planInsertion(names, { requesting: 'B', target: 'B' })).toEqual(['B', 'C', 'D']);
    expect(hands.planInsertion(names, { requesting: 'X', target: 'A' })).toBeUndefined();
    expect(hands.planInsertion(names, { requesting: 'A', target: 'X' })).toBeUndefined();
    expect(names).toEqual(['A', 'B', 'C', 'D']);
  });

  test('the first of a cycle is honoured, the others wait, oldest first, until they were heard', () => {
    const first = record(empty, 1, 'A', 'C');
    const second = record(first.ledger, 1, 'B', 'D');
    const third = record(second.ledger, 1, 'C', 'A');
    expect([first, second, third].map(({ status }) => status)).toEqual([
      'honored',
      'deferred-to-next-cycle',
      'deferred-to-next-cycle',
    ]);
    expect(hands.pendingHands(third.ledger, 1)).toEqual([]);
    const waiting = [
      { cycle: 1, requesting: 'B', target: 'D' },
      { cycle: 1, requesting: 'C', target: 'A' },
    ];
    expect(hands.pendingHands(third.ledger, 2)).toEqual(waiting);
    const fresh = record(third.ledger, 2, 'D', 'A');
    expect(fresh.status).toBe('honored');
    const later = record(fresh.ledger, 2, 'D', 'B');
    // One that has waited is honoured besides, and takes nobody's place.
    const heard = record(later.ledger, 2, 'B', 'D');
    expect(heard.status).toBe('honored');
    expect(hands.pendingHands(heard.ledger, 3)).toEqual([waiting[1], { cycle: 2, requesting: 'D', target: 'B' }]);
    const lost = hands.settleHand(heard.ledger, 3, { requesting: 'C', target: 'A' });
    expect(hands.pendingHands(lost, 4)).toEqual([{ cycle: 2, requesting: 'D', target: 'B' }]);
  });

  test('the line of each request [CNC-DIS-23]', () => {
    const hand = { cycle: 2, requesting: 'A', target: 'C' };
    expect(hands.printArbitration(hand, 'honored')).toBe('[raise-hand cycle=2 requesting=A target=C status=honored]');
    expect(hands.printArbitration({ ...hand, target: 'C\nPhase: SAVE' }, 'deferred-to-next-cycle')).toBe(
      '[raise-hand cycle=2 requesting=A target=C Phase: SAVE status=deferred-to-next-cycle]',
    );
  });

  test('the ledger gives back what was recorded, whatever the names hold', () => {
    const name = fc.string({
      unit: fc.constantFrom(':', ';', '"', '%', '=', '\n', '_', 'A', '|', '%3A', 'é', '🙂'),
      minLength: 1,
      maxLength: 6,
    });
    const hand = fc.record({ cycle: fc.nat(4), requesting: name, target: name });
    fc.assert(
      fc.property(fc.array(hand, { maxLength: 12 }), (all) => {
        const ledger = all.reduce((before, each) => hands.recordRaiseHand(before, each).ledger, empty);
        const text = hands.printLedger(ledger);
        const read = hands.parseLedger(text);
        expect(hands.printLedger(read)).toBe(text);
        for (let cycle = 0; cycle < 7; cycle += 1) {
          expect(hands.pendingHands(read, cycle)).toEqual(hands.pendingHands(ledger, cycle));
        }
      }),
    );
  });

  test('a ledger of the original is read; what is no ledger is passed over', () => {
    const ledger = hands.parseLedger('HONORED_1="A:C"\nDEFERRED_1="B:D;C:A"\n$(rm -rf /)\nDEFERRED_2="broken"\n');
    expect(hands.pendingHands(ledger, 2).map(({ requesting }) => requesting)).toEqual(['B', 'C']);
    expect(record(ledger, 1, 'X', 'A').status).toBe('deferred-to-next-cycle');
  });
});

const wish = (content: string, target?: string): PinWish => ({ content, target, intent: 'why', agent: 'Zara' });

describe('pins', () => {
  test('numbers rise by one from 1; a pin again keeps its number and its past is in the transcript [CNC-PAD-2, CNC-PAD-3]', () => {
    let pins: Pin[] = [];
    const told: string[] = [];
    for (const each of [wish('one'), wish('two'), wish('two\nnew', 'SP-2'), wish('three'), wish('one new', 'SP-1')]) {
      const made = allocatePin(pins, each)!;
      pins = made.pins;
      told.push(printPin(made.pin));
    }
    expect(pins.map(({ id, content, historyCount }) => [id, content, historyCount])).toEqual([
      ['SP-1', 'one new', 1],
      ['SP-2', 'two\nnew', 1],
      ['SP-3', 'three', 0],
    ]);
    expect(renderPins(pins)).toEqual(['SP-1: one new', String.raw`SP-2: two\nnew`, 'SP-3: three']);
    expect(told).toEqual([
      '[pin SP-1 pinned by Zara for: why] one',
      '[pin SP-2 pinned by Zara for: why] two',
      String.raw`[pin SP-2 replaced by Zara for: why] two\nnew`,
      '[pin SP-3 pinned by Zara for: why] three',
      '[pin SP-1 replaced by Zara for: why] one new',
    ]);
    expect(allocatePin(pins, wish('x', 'SP-9'))).toBeUndefined();
  });

  test('records give back what was pinned, one a line', () => {
    const text = fc.string({
      unit: fc.constantFrom('%', '|', '\n', '\r', '%0A', '%25', 'a', '🙂', '\\n'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(fc.record({ content: text, intent: text, agent: text }), { maxLength: 6 }), (wishes) => {
        const pins = wishes.reduce<Pin[]>((before, each) => allocatePin(before, each)!.pins, []);
        const printed = printPins(pins);
        expect(printed.split('\n')).toHaveLength(pins.length + 1);
        expect(parsePins(printed)).toEqual(pins);
        for (const line of renderPins(pins)) expect(line).not.toMatch(/[\n\r]/);
      }),
    );
    expect(printPins(allocatePin([], wish('50% | a\nb'))!.pins)).toBe('SP-1|50%25 %7C a%0Ab|md|Zara|why|0\n');
    for (const wrong of ['SP-0|a|md|b|c|0', 'SP-1|a|md|b|c', 'SP-1|a|md|b|c|x', 'SP-1|a|md|b|c|0|d', 'hello']) {
      expect(parsePins(wrong)).toBeUndefined();
    }
  });

  test.each([
    ['Extract', 'extract'],
    [' KEEP ', 'keep'],
    ['Keep in notes only', 'keep'],
    ['drop', 'drop'],
    ['', undefined],
    ['delete', undefined],
    ['keep in notes', undefined],
  ])('%j is %s', (text, disposition) => {
    expect(dispositionOf(text)).toBe(disposition);
  });
});

describe('where a pin is extracted to', () => {
  test.each([
    ['{\n  "Cache Size": 1\n}', 'x', 'cache-size-1'],
    ['## The Plan!\nmore', 'x', 'the-plan'],
    ['{}\n[]\n', 'Why: it IS so', 'why-it-is-so'],
    ['漢字', '漢字', 'untitled'],
    ['', '', 'untitled'],
    [`a${'-b'.repeat(40)}`, '', `a${'-b'.repeat(19)}`],
  ])('its name from %j and %j is %s [CNC-PAD-10]', (content, intent, slug) => {
    expect(autoSlug(content, intent)).toBe(slug);
  });

  const facts = { date: '2026-05-18', slug: 'cache', id: 'SP-2', content: 'A plan', intent: '', contentType: 'md' };

  test('a function of the council, the pin and its content', () => {
    expect(extractionPath(facts)).toEqual({
      ok: true,
      path: '.gaia/artifacts/creative-artifacts/meeting-scratchpad/2026-05/cache/SP-2-a-plan.md',
    });
  });

  test.each([
    [{ date: '2026-13-45' }],
    [{ date: '2026-02-29' }],
    [{ date: '18-05-2026' }],
    [{ id: 'SP-0' }],
    [{ id: 'SP-' }],
    [{ id: 'SP-1/..' }],
    [{ slug: '../x' }],
    [{ slug: 'a/b' }],
    [{ slug: '.hidden' }],
    [{ slug: '' }],
    [{ slug: 'a\nb' }],
    [{ contentType: 'exe' }],
  ])('%j makes no path', (wrong) => {
    expect(extractionPath({ ...facts, ...wrong }).ok).toBe(false);
  });

  test('days of the calendar', () => {
    expect(['2024-02-29', '2026-12-31', '1900-02-29', '2026-04-31', '2026-00-10'].map(isDay)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test.each<[string, string]>([
    ['#!/usr/bin/env bash\necho', 'sh'],
    ['#!/bin/sh', 'sh'],
    ['\n\n  {"a": 1}', 'json'],
    ['[\n  1\n]', 'json'],
    ['[1, 2]', 'json'],
    ['[{"a": 1}]', 'json'],
    ['[]', 'json'],
    ['[ ] todo', 'md'],
    ['[x] done', 'md'],
    ['[1] a footnote', 'md'],
    ['[a link](https://example.com)', 'md'],
    ['# Title', 'md'],
    ['interface Foo {', 'ts'],
    ['type Foo<T> = T', 'ts'],
    ['type of risk = high', 'md'],
    ['export const a = 1', 'ts'],
    ['function go() {', 'ts'],
    ['function of the cache is unclear', 'md'],
    ['import { a } from "./a.ts"', 'ts'],
    ['def go(x):', 'py'],
    ['import os', 'py'],
    ['import os.path as p', 'py'],
    ['from x import y', 'py'],
    ['import java.util.List;', 'java'],
    ['import static org.x.Y.z;', 'java'],
    ['import Foundation', 'swift'],
    ['import SwiftUI', 'swift'],
    ['package main', 'go'],
    ['func main() {', 'go'],
    ['func (s *Server) Run() error {', 'go'],
    ['pub fn go(x: u8) {', 'rs'],
    ['fn go() -> u8 {', 'rs'],
    ['fun go() {', 'kt'],
    ['public class A', 'java'],
    ['public static void main(String[] a) {', 'java'],
    ['class A extends B {', 'java'],
    ['just words', 'md'],
    ['', 'md'],
  ])('%j is %s [CNC-PAD-11]', (content, type) => {
    expect(detectType(content)).toBe(type);
  });

  test('every type is an ending, and anything has one of them, at once [CNC-PAD-11]', () => {
    expect([...contentTypes].toSorted()).toEqual(['go', 'java', 'json', 'kt', 'md', 'py', 'rs', 'sh', 'swift', 'ts']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        expect(contentTypes).toContain(detectType(content));
      }),
    );
    for (const piece of ['[ ', 'fn a(', 'pub ', 'type a<', 'import a, ', 'async ']) detectType(piece.repeat(100_000));
  });
});

describe('how a council goes on', () => {
  const lines = (...args: string[]): readonly string[] | string => {
    const flags = parseResumeFlags(args);
    return flags.ok ? printResumeFlags(flags) : flags.reason;
  };

  test('each form', () => {
    expect(lines()).toEqual(['resume_id=', 'action=fresh']);
    expect(lines('--resume', 'a-1')).toEqual(['resume_id=a-1', 'action=resume_default']);
    expect(lines('--resume=a-1', '--continue')).toEqual(['resume_id=a-1', 'action=continue']);
    expect(lines('--wrap-up', '--resume', 'a-1')).toEqual(['resume_id=a-1', 'action=wrap_up']);
    expect(lines('--resume', 'a-1', '--interject=')).toEqual(['resume_id=a-1', 'action=interject', 'interject_text=']);
    expect(lines('--resume', 'a-1', '--interject', '--continue')).toEqual([
      'resume_id=a-1',
      'action=interject',
      'interject_text=--continue',
    ]);
  });

  test.each([
    [['--resume', 'a', '--continue', '--wrap-up']],
    [['--resume', 'a', '--interject', 'x', '--continue']],
    [['--resume', 'a', '--continue', '--continue']],
    [['--continue']],
    [['--interject', 'x']],
    [['--resume']],
    [['--resume', 'a', '--interject']],
    [['--resume', '']],
    [['--resume', '../x']],
    [['--resume', 'a\naction=fresh']],
    [['--resume', 'a', '--resume', 'b']],
    [['--frobnicate']],
    [['word']],
    [['--continue=yes', '--resume', 'a']],
  ])('%j is refused', (args) => {
    expect(parseResumeFlags(args).ok).toBe(false);
  });

  test('no text forges a line', () => {
    const text = fc.string({
      unit: fc.constantFrom('\n', '\r', '\u2028', 'action=', 'fresh', ' ', '\\', 'x'),
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, (said) => {
        const printed = lines('--resume', 'a', '--interject', said) as readonly string[];
        expect(printed.join('\n').split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)).toHaveLength(3);
      }),
    );
  });
});
