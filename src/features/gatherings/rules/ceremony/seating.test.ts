import { describe, expect, test } from 'vitest';
import { terminalIdSchema } from '../../../../kernel/terminals/contract.ts';
import { type Asked, type Guest, type Known, seatingOf, seatsOf } from './seating.ts';

const guest = (name: string): Guest => ({
  id: terminalIdSchema.parse(`${name.toLowerCase()}-1`),
  name,
  isAlive: name !== 'Gone',
  isShell: false,
  takenBy: undefined,
});
const running = ['Ada', 'Grace', 'Hal', 'Gone'].map(guest);
const known: Known = {
  entries: ['claude', 'codex'],
  taken: ['Ada', 'Grace', 'Hal'],
  find: (given) => running.find(({ name, id }) => name.toLowerCase() === given.toLowerCase() || id === given),
};

const seated = (asked: Partial<Asked>): string[] => {
  const seating = seatingOf({ participants: ['Ada', 'Grace'], harvester: 'Hal', human: undefined, ...asked }, known);
  const started = new Map([['Kim', terminalIdSchema.parse('kim-1')]]);
  return seatsOf(seating, started, true).map(
    ({ number, name, role, terminal, isSpawned }) =>
      `${number} ${name} ${role} ${terminal ?? 'person'}${isSpawned ? ' started' : ''}`,
  );
};

describe('who sits where [GTH-HUMAN-1, GTH-PIECE-5, GTH-SEED-14]', () => {
  test('speakers in the order in which they are named, the harvester last', () => {
    expect(seated({ participants: ['Grace', 'ada-1', 'Kim=claude'] })).toEqual([
      '1 Grace speaker grace-1',
      '2 Ada speaker ada-1',
      '3 Kim speaker kim-1 started',
      '4 Hal harvester hal-1',
    ]);
  });

  test('the person where they are named, else the last to speak', () => {
    expect(seated({ human: 'Mo' })).toEqual([
      '1 Ada speaker ada-1',
      '2 Grace speaker grace-1',
      '3 Mo speaker person',
      '4 Hal harvester hal-1',
    ]);
    expect(seated({ human: 'Mo', participants: ['Ada', 'mo', 'Grace'] })[1]).toBe('2 Mo speaker person');
  });

  test('a harvester that is named among the speakers does not speak', () => {
    expect(seated({ participants: ['Ada', 'Hal', 'Grace'] }).at(-1)).toBe('3 Hal harvester hal-1');
    expect(() => seated({ participants: ['Ada', 'Hal'] })).toThrow('needs two speakers or more');
  });

  test('one that has ended, and a name twice, are refused', () => {
    expect(() => seated({ participants: ['Ada', 'Gone'] })).toThrow('The terminal "Gone" has ended.');
    expect(() => seated({ participants: ['claude', 'claude'] })).toThrow('Two members would be called "claude".');
  });
});
