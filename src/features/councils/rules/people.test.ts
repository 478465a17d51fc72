import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knowledgeFolder, readModes, templatePath } from '../knowledge.ts';
import { parseNames, resolveInvitees, type InviteeWish } from './invitees.ts';
import { defaultMode, findMode, parseModes, type Mode } from './modes.ts';
import { speakerAt, turnOrder } from './order.ts';
import { chooseUserName, isUserToken } from './user-name.ts';

const modes = await readModes();
const mode = (name: string): Mode => findMode(modes, name)!;

type Row = readonly [name: string, aliases: readonly string[], invitees: readonly string[], bias: string];

const table: readonly Row[] = [
  ['decide', [], [], 'decision-record'],
  ['explore', [], [], 'opportunity-map'],
  ['align', [], ['Derek', 'Nate'], 'alignment-summary'],
  ['red-team', [], ['Zara', 'Sable', 'Nova'], 'risk-register'],
  ['ac', [], ['Vera', 'Sable'], 'machine-readable-ac-list'],
  ['brainstorm', [], ['Rex', 'Orion', 'Lyra', 'Elara', 'Vermeer'], 'brainstorming-document'],
  ['design', ['ux'], ['Christy', 'Suki', 'Layla', 'Talia', 'Tariq', 'Lena', 'Cleo', 'Freya'], 'ux-design-notes'],
  ['architecture', [], ['Theo', 'Soren', 'Milo', 'Juno', 'Omar', 'Priya'], 'architecture-decisions'],
  ['sprint', [], ['Nate', 'Derek', 'Rafael'], 'sprint-adjustments'],
  ['clarify', ['clarification', 'questions'], [], 'clarification-notes'],
];
const everybody = [...new Set(table.flatMap(([, , invitees]) => invitees))];

function resolve(wish: Partial<InviteeWish> & Pick<InviteeWish, 'mode'>) {
  return resolveInvitees({
    given: [],
    installed: everybody,
    override: false,
    userName: 'Ada Example',
    canAsk: true,
    ...wish,
  });
}

describe('modes', () => {
  test.each(table)(
    '%s [CNC-INV-4, CNC-INV-5, CNC-INV-6, CNC-INV-7, CNC-INV-8, CNC-INV-9, CNC-INV-10, CNC-INV-11, CNC-INV-12, CNC-INV-13]',
    (name, aliases, invitees, bias) => {
      expect(mode(name)).toMatchObject({ name, aliases, defaultInvitees: invitees, bias });
      const resolved = resolve({ mode: mode(name), given: ['Xenia'] });
      expect(resolved).toMatchObject({ resolved: ['Xenia', ...invitees], bias, mode: name, missing: [] });
    },
  );

  test('there are these and no others, in one registry, each with a template that is there [CNC-INV-17]', async () => {
    expect(modes.map(({ name }) => name)).toEqual(table.map(([name]) => name));
    for (const { bias, templateRef } of modes) {
      expect(templateRef).toBe(`notes-template-${bias}.md`);
      const path = await templatePath(bias);
      expect(path).toBe(join(knowledgeFolder, templateRef));
      await expect(access(path!)).resolves.toBeUndefined();
    }
    expect(new Set(modes.map(({ bias }) => bias)).size).toBe(modes.length);
    expect(await templatePath('no-such-bias')).toBeUndefined();
  });

  test('an alias is its mode everywhere; names match to the letter', () => {
    expect(['ux', 'clarification', 'questions'].map((alias) => mode(alias).name)).toEqual([
      'design',
      'clarify',
      'clarify',
    ]);
    expect(resolve({ mode: mode('ux') }).mode).toBe('design');
    for (const wrong of ['Decide', 'UX', ' decide', '', 'constructor']) expect(findMode(modes, wrong)).toBeUndefined();
    expect(mode(defaultMode).name).toBe('decide');
  });

  test('a name goes before an alias', () => {
    const [first, second] = [mode('decide'), mode('explore')];
    const both = [{ ...first, aliases: ['explore'] }, second];
    expect(findMode(both, 'explore')).toBe(second);
  });

  test.each([
    ['no list', {}],
    ['a mode without a name', { modes: [{ closing_artifact_bias: 'x', notes_template_ref: 'y' }] }],
    [
      'invitees that are no names',
      { modes: [{ name: 'a', closing_artifact_bias: 'x', notes_template_ref: 'y', default_invitees: [1] }] },
    ],
  ])('a broken registry is named: %s', (_, value) => {
    expect(() => parseModes(value)).toThrow(/registry of council modes/);
  });
});

describe('invitees', () => {
  test('names are trimmed, empty ones dropped, case and order kept [CNC-WHO-1]', () => {
    expect(parseNames(' b , A,, c\t,')).toEqual(['b', 'A', 'c']);
    expect(turnOrder(resolve({ mode: mode('decide'), given: [' b ', 'A', 'b'] }).resolved, 3)).toEqual(['b', 'A', 'b']);
  });

  test('then come the defaults that are installed and not named already, in order [CNC-WHO-2, CNC-WHO-6]', () => {
    const answer = resolve({ mode: mode('red-team'), given: ['Nova', 'Ivo'], installed: ['Sable', 'Zara', 'Nova'] });
    expect(answer.resolved).toEqual(['Nova', 'Ivo', 'Zara', 'Sable']);
    expect(answer.defaultsResolved).toEqual(['Zara', 'Sable']);
    expect([answer.missing, answer.warnings]).toEqual([[], []]);
  });

  test('installed names match whole and to the case; without a list none is there [CNC-WHO-3]', () => {
    const names = { mode: mode('align') };
    expect(resolve({ ...names, installed: ['derek', 'Nate Smith'] }).missing).toEqual(['Derek', 'Nate']);
    expect(resolve({ ...names, installed: null }).missing).toEqual(['Derek', 'Nate']);
  });

  test('one line tells of all that are missing [CNC-WHO-5]', () => {
    expect(resolve({ mode: mode('red-team'), installed: ['Sable'] }).warnings).toEqual([
      '[gaia-meeting] WARNING: missing default invitee(s) for mode red-team: Zara, Nova (resolved subset: Sable)',
    ]);
  });

  test('with the override the list is final and nothing is looked up', () => {
    const answer = resolve({ mode: mode('align'), given: ['Ivo'], installed: null, override: true });
    expect(answer).toMatchObject({
      resolved: ['Ivo'],
      missing: [],
      defaultsResolved: [],
      override: true,
      warnings: [],
    });
  });

  test('the person has one seat, at the first of their names, whatever the case [CNC-WHO-10, CNC-WHO-12]', () => {
    const given = ['A', 'ADA example', 'me', 'B', 'User'];
    expect(resolve({ mode: mode('decide'), given })).toMatchObject({
      resolved: ['A', 'ADA example', 'B'],
      attendance: true,
      warnings: [],
    });
    expect(resolve({ mode: mode('decide'), given: ['A', 'B'] }).attendance).toBe(false);
  });

  test('where the person cannot be asked each such name is dropped aloud [CNC-WHO-11]', () => {
    const answer = resolve({ mode: mode('decide'), given: ['me', 'A', 'Ada Example'], canAsk: false });
    expect(answer).toMatchObject({ resolved: ['A'], attendance: false });
    expect(answer.warnings).toEqual(
      ['me', 'Ada Example'].map(
        (token) =>
          `[gaia-meeting] WARNING: invitee token "${token}" resolves to the user — the user is not an agent and is not auto-included; user authoring uses --charter / [i]nterject only`,
      ),
    );
  });
});

describe('the name of the person', () => {
  test('the settings go before git, and what is no name is passed over', () => {
    expect(chooseUserName('Ada', 'Git')).toBe('Ada');
    for (const nothing of [undefined, null, '', '  ', 7, ['Ada'], {}])
      expect(chooseUserName(nothing, 'Git\n')).toBe('Git');
    expect(chooseUserName(undefined, '\n')).toBeUndefined();
    expect(chooseUserName('Ada\nTurn: T9', undefined)).toBe('Ada Turn: T9');
  });

  test('an empty name matches nobody', () => {
    expect([isUserToken('', ''), isUserToken('', ' '), isUserToken('me', null)]).toEqual([false, false, true]);
  });
});

describe('order', () => {
  test('turn i is the invitee at i modulo their number, always the same [CNC-DIS-1]', () => {
    const names = ['A', 'B', 'C'];
    expect(turnOrder(names, 7)).toEqual(['A', 'B', 'C', 'A', 'B', 'C', 'A']);
    for (let slot = 0; slot < 20; slot += 1) expect(speakerAt(names, slot)).toBe(turnOrder(names, 20)[slot]);
    expect([turnOrder([], 3), speakerAt([], 0)]).toEqual([[], undefined]);
  });
});
