import { expect, test } from 'vitest';
import { admissionOfTerminal, type TerminalOf } from './terminal-tokens.ts';

const terminals = [
  { project: 'shop', id: 'ada-20261122-101112-k3f9', token: 'a-token-of-ada-1234567890' },
  { project: 'shop', id: 'ben-20261122-101113-x7q2', token: 'a-token-of-ben-1234567890' },
  { project: 'tally', id: 'empty', token: '' },
];
const terminalOf: TerminalOf = (given) => terminals.find(({ token }) => token === given && token !== '');

test('the token of a terminal admits as that terminal while it lives, and nobody else [SEC-MCP]', () => {
  for (const { project, id, token } of terminals.slice(0, 2)) {
    expect(admissionOfTerminal(terminalOf, token)).toEqual({
      caller: { kind: 'agent', activity: { project, kind: 'terminal', id } },
    });
  }
  const [ada] = terminals;
  for (const given of [undefined, '', ada!.id, ada!.token.slice(0, -1), `${ada!.token}x`, ada!.token.toUpperCase()]) {
    expect(admissionOfTerminal(terminalOf, given)).toBeUndefined();
  }
  expect(admissionOfTerminal(() => undefined, ada!.token)).toBeUndefined();
  // What a record says that somebody else wrote is no project and no id until it looks like one.
  expect(admissionOfTerminal(() => ({ project: '../shop', id: 'x' }), 'x')).toBeUndefined();
  expect(admissionOfTerminal(() => ({ project: 'shop', id: 'a/b' }), 'x')).toBeUndefined();
});
