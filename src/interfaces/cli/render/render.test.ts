import { expect, test } from 'vitest';
import { projectNameSchema, workerNameSchema } from '../../../kernel/pure/ids.ts';
import { createTerminal } from '../terminal.ts';
import { renderArtifactList, renderArtifactShown } from './artifacts.ts';
import { renderConfigChecked, renderConfigShown, renderDoctor } from './doctor.ts';
import { renderProjectAdded, renderProjectList, renderProjectRemoved, renderProjectSynced } from './projects.ts';
import { renderWorkerList, renderWorkerMade, renderWorkerShown } from './workers.ts';

const term = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, {});
const name = projectNameSchema.parse('shop');
const problem = { file: 'config.yaml', line: 3, column: 5, message: 'a number was expected' };
const project = {
  name,
  path: '/code/shop',
  integrationBranch: 'claude/main',
  worktree: '/h/projects/shop',
  problems: [],
};

test('projects', () => {
  expect(renderProjectAdded({ ...project, added: true, notes: ['Good to know.'] }, term)).toBe(
    '● Registered shop, /code/shop\n◆ Good to know.\n',
  );
  expect(renderProjectAdded({ ...project, added: false, notes: [] }, term)).toContain('Already registered');
  expect(renderProjectList({ projects: [], problems: [problem] }, term)).toBe(
    'No project yet: guild-hall project add <path>\n▲ config.yaml:3:5: a number was expected\n',
  );
  const listed = renderProjectList({ projects: [{ ...project, problems: ['It is gone.'] }], problems: [] }, term);
  expect(listed).toBe('name  repository  integration branch\nshop  /code/shop  claude/main\n▲ shop: It is gone.\n');
  const removed = renderProjectRemoved({ name, path: '/code/shop', branches: ['claude/main'], notes: [] }, term);
  expect(removed).toContain('Branches that stay in the repository:\n  claude/main\n');
  expect(renderProjectRemoved({ name, path: '/code/shop', branches: [], notes: [] }, term)).not.toContain('Branches');
  const synced = {
    name,
    outcome: 'conflict' as const,
    commit: null,
    files: ['a.txt'],
    notes: ['Nothing was changed.'],
  };
  expect(renderProjectSynced(synced, term)).toBe('▲ conflict: shop\n  a.txt\n◆ Nothing was changed.\n');
});

test('artifacts', () => {
  const artifacts = [
    { path: '.lore/a.md', title: 'A\u001b[2J', date: null, status: 'open', tags: [], problems: [problem] },
  ];
  expect(renderArtifactList({ project: name, artifacts }, term)).toBe(
    'date  status  path        title\n–     open    .lore/a.md  ▲ A[2J\n',
  );
  expect(renderArtifactList({ project: name, artifacts: [] }, term)).toBe('No artifacts in shop yet.\n');
  const shown = {
    project: name,
    path: '.lore/a.md',
    frontmatter: { title: 'A', tags: ['x', 'y'], empty: [], deep: { z: 1, many: [{ a: 1 }, { a: 2 }] } },
    body: '\nText.\n',
    problems: [problem],
    produced_by: [{ kind: 'job', id: 'job-1', title: 'J' }],
    title: 'A',
    raw: '',
    revision: 'abc',
    locked: null,
    history: [
      {
        commit: '123',
        at: '2026-03-01T10:00:00Z',
        author: 'P',
        subject: 'Edit it',
        by: 'artifact edit',
        activity: null,
      },
    ],
    linksTo: [{ path: '.lore/b.md', title: null, exists: false, where: ['text'] }],
    linkedFrom: [{ path: '.lore/c.md', title: 'C', exists: true, where: ['related'] }],
  };
  expect(renderArtifactShown(shown, term)).toBe(
    'A\npath         .lore/a.md\ntags         x, y\nmade by      job job-1\nchanged      2026-03-01 Edit it\nlinks to     .lore/b.md (missing)\nlinked from  .lore/c.md\nrevision     abc\ndeep: z: 1, many: a: 1; a: 2\n▲ line 3: a number was expected\n\nText.\n',
  );
});

test('doctor and settings', () => {
  const checks = [
    { name: 'node', state: 'good' as const, found: 'Node 20.', hint: '' },
    { name: 'agent', state: 'bad' as const, found: 'Not there.', hint: 'npm install' },
  ];
  expect(renderDoctor({ healthy: false, checks }, term)).toBe(
    '✓ node   Node 20.\n▲ agent  Not there.\n         Next: npm install\n\n1 thing to mend.\n',
  );
  expect(renderDoctor({ healthy: true, checks: checks.slice(0, 1) }, term)).toMatch(/All is well\.\n$/);
  expect(renderConfigChecked({ file: 'config.yaml', exists: true, problems: [] }, term)).toBe(
    '✓ config.yaml can be read.\n',
  );
  expect(renderConfigChecked({ file: 'config.yaml', exists: true, problems: [problem] }, term)).toBe(
    '▲ config.yaml:3:5: a number was expected\n',
  );
  expect(
    renderConfigShown({ file: 'config.yaml', config: { port: 1, caps: {}, models: [] }, problems: [] }, term),
  ).toBe('config.yaml\nport  1\n');
  expect(renderConfigChecked({ file: 'config.yaml', exists: false, problems: [] }, term)).toBe(
    '✓ There is no config.yaml; the defaults hold.\n',
  );
});

test('workers', () => {
  const worker = {
    name: workerNameSchema.parse('mender'),
    displayName: 'Mender',
    displayTitle: 'Mender of things',
    description: 'Mends.',
    checkoutScope: 'full' as const,
    toolboxes: [],
    builtInTools: ['Read', 'Grep'],
    origin: 'home' as const,
    insteadOf: null,
    councillor: false,
  };
  const clone = createTerminal({ out: { write: () => {} }, err: { write: () => {} } }, { npm_command: 'exec' });
  expect(renderWorkerList({ workers: [worker], councillors: 0, toolboxes: [], problems: [problem] }, clone)).toBe(
    'name    title             from   what for\nmender  Mender of things  yours  Mends.\n' +
      '▲ config.yaml:3:5: a number was expected\n\nMeet one: npx guild-hall meeting open --worker <name> "…"\n',
  );
  const hints = (councillors: number, councillor = false): string =>
    renderWorkerList({ workers: [{ ...worker, councillor }], councillors, toolboxes: [], problems: [] }, term);
  expect(hints(26)).toContain('\n26 more speak in councils: guild-hall worker list --councillors\n');
  expect(hints(1, true)).toContain('\nAny worker can be invited to a council, by the name above.\nMeet one: ');
  const more = { source: '/h/mender', model: null, maxTurns: 9, maxBudgetUsd: 2, hasOwnActivation: false };
  expect(renderWorkerShown({ ...worker, ...more, posture: 'Mend it.\n' }, term)).toBe(
    'Mender, Mender of things\nMends.\n\nname        mender\ntools       Read, Grep\n' +
      'sees        the whole repository\nmodel       the one of the hall\nlimits      9 steps an answer, 2 USD\n' +
      'folder      /h/mender\n\nMend it.\n',
  );
  const made = { name: worker.name, from: worker.name, source: '/h/mender', edit: ['/h/mender/posture.md'] };
  expect(renderWorkerMade(made, term)).toBe(
    '✓ Made mender out of mender, in /h/mender\n\nNext:\n  Say how it works: edit /h/mender/posture.md\n' +
      '  See it: guild-hall worker show mender\n  Meet it: guild-hall meeting open --worker mender "…"\n',
  );
});
