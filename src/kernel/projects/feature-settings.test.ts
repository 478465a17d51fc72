import { describe, expect, test } from 'vitest';
import { defaultConfig } from './config.ts';
import { parseConfig } from './parse-config.ts';

describe('settings of features', () => {
  test.each([
    ['commissions: {perProject: 0}', '1:27 `commissions.perProject` is 0; expected a whole number from 1 to 100.'],
    ['commissions: {global: lots}', '1:23 `commissions.global` is "lots"; expected a whole number from 1 to 1000.'],
    [
      'commissions: {retry: {attempts: -1}}',
      /`commissions\.retry\.attempts` is -1; expected a whole number from 0 to 20/,
    ],
    ['conversations: {turns: 0}', '1:24 `conversations.turns` is 0; expected a whole number from 1 to 1000.'],
    ['gatherings: {graceSeconds: 0}', /is 0; expected a whole number of seconds from 1 to 600/],
    ['gatherings: {beats: 3}', /beats/],
    ['conversations: {idleMinutes: 0}', /is 0; expected a whole number of minutes from 1 to 1440/],
    ['commissions: {heartbeatSeconds: 0}', /is 0; expected a whole number of seconds from 1 to 86400/],
    ['sessions: {default: Claude!}', /`sessions\.default` is "Claude!"; expected the name of an agent, like claude/],
    ['sessions: {agents: {mine: {variables: ["a b"]}}}', /the name of a variable of the environment/],
    ['sessions: {agents: {mine: {command: x, args: --acp}}}', /expected a list of words, like \[--acp\]/],
    ['sessions: {agents: {mine: {command: x, env: {A: 1}}}}', /`sessions\.agents\.mine\.env\.A` .*expected a text/],
    ['commissions: {limit: 2}', /^1:15 There is no setting `commissions\.limit`\./],
  ])('%s', (text, message) => {
    const { problems } = parseConfig(text, '/h/config.yaml');
    expect(problems.map((problem) => `${problem.line}:${problem.column} ${problem.message}`)).toEqual([
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
  });

  test('what the hall waits for in a gathering', () => {
    const { config } = parseConfig('gatherings: { harvestSeconds: 60 }', '/h/config.yaml');
    expect(config!.gatherings).toEqual({ graceSeconds: 20, extraBeats: 2, harvestSeconds: 60 });
  });

  test('agents of sessions, ready ones and those of the person', () => {
    expect(defaultConfig.sessions).toEqual({ default: 'claude', agents: {} });
    const mine = '{ command: my-agent, args: [--acp, -v], env: { MODE: fast }, title: Mine }';
    const { config, problems } = parseConfig(
      `sessions: { default: mine, agents: { mine: ${mine} } }`,
      '/h/config.yaml',
    );
    expect(problems).toEqual([]);
    expect(config!.sessions).toEqual({
      default: 'mine',
      agents: { mine: { command: 'my-agent', args: ['--acp', '-v'], env: { MODE: 'fast' }, title: 'Mine' } },
    });
  });

  test('how long conversations go on before the person is asked', () => {
    expect(defaultConfig.conversations).toEqual({ turns: 8, idleMinutes: 10 });
    const { config } = parseConfig('conversations: { turns: 3 }', '/h/config.yaml');
    expect(config!.conversations).toEqual({ turns: 3, idleMinutes: 10 });
  });

  test('[COM-13.3] [COM-23.1] how many commissions run, and how long they may be silent', () => {
    const { commissions } = defaultConfig;
    expect(commissions).toMatchObject({ perProject: 3, global: 10, heartbeatSeconds: 180, graceSeconds: 30 });
    const text = `commissions: { global: 4, heartbeatSeconds: 60, retry: { attempts: 2 } }
projects:
  - { name: a, path: /a, commissions: { limit: 1, verify: [npm, run, "test all"] } }
  - { name: b, path: /b }
`;
    const { config, problems } = parseConfig(text, '/h/config.yaml');
    expect(problems).toEqual([]);
    expect(config!.commissions).toEqual({
      ...commissions,
      global: 4,
      heartbeatSeconds: 60,
      retry: { attempts: 2, backoffSeconds: 60 },
    });
    expect(config!.projects[0]!.commissions).toEqual({ limit: 1, verify: ['npm', 'run', 'test all'] });
    const shell = parseConfig('projects: [{name: a, path: /a, commissions: {verify: npm test}}]', '/h/config.yaml');
    const isNoList =
      /^`projects\[1\]\.commissions\.verify` is "npm test"; expected a program and its arguments as a list/;
    expect(shell.problems.map(({ message }) => message)).toEqual([expect.stringMatching(isNoList)]);
  });
});
