/** A council of four from its charter to its files, from the command line alone, with a hall that is restarted in between. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CouncilHome, councilHome, filesBelow, headersOf, idOf, parseHeader, readAll } from '../help/councils.ts';
import { type Up, useBuiltProgram } from '../help/programs.ts';

useBuiltProgram();

const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const speakers = ['Researcher', 'Reviewer', 'Developer', 'Writer'];

/** One raised hand, one pin, one challenge; every other turn takes one decision. */
const scenario = `
- match: '/in RESEARCH: your [\\s\\S]*keep its order/'
  activity: council
  say: "Sources consulted:\\n  src/parser.ts:1\\nWhat I know:\\n  - The parser splits at commas. [inference]\\n  - What do we lose if it refuses?"
- match: '/DISCUSS: turn 8,[\\s\\S]*keep its order/'
  activity: council
  do:
    - call: { tool: pin, input: { content: "| case | answer |\\n|---|---|\\n| empty | refused |", intent: "cases" } }
    - say: "I would refuse an empty line; let the table be our list. [raise-hand → respond to Writer]"
- match: '/DISCUSS: turn 9,[\\s\\S]*keep its order/'
  activity: council
  say: "As for me, the words of the message matter most. [inference]"
- match: '/DISCUSS: turn 7,[\\s\\S]*keep its order/'
  activity: council
  do:
    - call: { tool: decide, input: { decision: "Empty lines are refused" } }
    - say: "I propose that we refuse empty lines. [challenge] Nobody has said what a quoted comma means. [inference]"
- match: '/DISCUSS: turn \\d+,[\\s\\S]*keep its order/'
  activity: council
  do:
    - call: { tool: decide, input: { decision: "We go on from there" } }
    - say: "I propose that we go on from there."
- match: '/keep its order[\\s\\S]*submit_drafts/'
  activity: council
  do:
    - call:
        tool: submit_drafts
        input:
          actionItems:
            - { type: feature, assignee: Developer, contextForTarget: "Refuse empty lines in src/parser.ts:1.", acceptance: "An empty line gives an error.", pins: [SP-1] }
            - { type: adr-draft, priority: high, contextForTarget: "Write down why.\\nIn two parts.", acceptance: "It stands in docs." }
          memory:
            - { agent: Researcher, tags: [parser, order], decided: ["Empty lines are refused"], constraints: ["No new format"], tracking: [], sources: ["src/parser.ts:1"] }
            - { agent: Developer, tags: [parser], decided: ["I take the change"], constraints: [], tracking: [], sources: [] }
          notes: { summary: "The parser keeps its order.", sections: { Decision: "Empty lines are refused.", Context: "It splits at commas." }, openQuestions: ["What of quoted commas?"], minority: "Reviewer would rather warn." }
`;

test('a council of four is held to its end by commands alone, over a pause and a restart of the hall [CNC-INV-2, CNC-INV-3, CNC-INV-19, CNC-YLD-12, CNC-YLD-7, CNC-YLD-13, CNC-YLD-22, CNC-YLD-26, CNC-SAV-25]', async () => {
  const home = await councilHome(scenario);
  const id = await itBegins(home);
  await itIsPausedAndGoesOn(home, id);
  await whatItWroteIsRight(home, id);
}, 240_000);

/** Up to the first pause: the charter is scrubbed, the person says something, the preludes land. */
async function itBegins(home: CouncilHome): Promise<string> {
  const charter = `Shall the parser keep its order? Our token ${token} is in it.`;
  const words = ['run', '--charter', charter, '--invitees', speakers.join(','), '--turns', '9', '--no-web'];
  const run = await home.council(...words);
  expect(run.err).toBe('');
  expect(run.exitCode).toBe(0);
  const id = idOf(run);
  expect(id).toMatch(/^\d{4}-\d{2}-\d{2}-shall-the-parser-keep-its-order$/);
  // Markers, the charter, then the question with its one line of choices, and how a script answers it.
  expect(run.out).toMatch(/## Phase: INVITE\n\n## Phase: CHARTER\n/);
  expect(run.out).toContain('Yield: post-CHARTER\npost-CHARTER yield — review charter and decide how to proceed\n');
  expect(run.out).toContain('--no-web is advised');
  expect(run.out).toContain('[c]ontinue / [p]ause / [i]nterject "..." / [w]rap-up / [a]bort\n');
  expect(run.out).toContain(`guild-hall council answer ${id} continue`);
  expect(headersOf(run.out)).toEqual([]);
  // From the first write on nothing holds the secret.
  expect(readFileSync(join(home.worktree, `.gaia/memory/meeting-sessions/${id}.yaml`), 'utf8')).not.toContain(token);
  expect(run.out).toContain('REDACTED-GITHUB-TOKEN');

  const said = await home.council('answer', 'shall', 'interject', 'What of *empty* lines?');
  expect(said.out).toMatch(/^\[round 0 \/ turn 1 \/ Test Person \(User\) \/ per-turn-cost 0 tokens/m);
  expect(said.out).toContain('origin: interject');
  expect(said.out).toContain('Yield: post-CHARTER');

  const preludes = await home.council('answer', id, 'continue');
  expect(preludes).toEqual({ exitCode: 0, err: '', out: expect.stringContaining('Yield: post-RESEARCH') });
  const headers = headersOf(preludes.out).map(parseHeader);
  expect(headers.map(({ speaker, turn, round }) => `${round} ${turn} ${speaker}`)).toEqual(
    speakers.map((name, index) => `0 ${index + 2} ${name}`),
  );
  expect(preludes.out.match(/^\[Prelude\] /gm)).toHaveLength(4);
  expect(preludes.out).toContain('post-RESEARCH yield — review preludes and decide how to proceed');
  return id;
}

async function itIsPausedAndGoesOn(home: CouncilHome, id: string): Promise<void> {
  const first = await home.council('answer', id, 'c');
  expect(headersOf(first.out).map((line) => parseHeader(line).turn)).toEqual([6, 7, 8, 9]);
  expect(first.out).toContain('[raise-hand cycle=1 requesting=Developer target=Writer status=honored]');
  expect(parseHeader(headersOf(first.out)[3]!).speaker).toBe('Writer');
  expect(first.out).toContain('discuss-cadence yield — 4 DISCUSS turns since last yield;');
  const pause = await home.council('answer', id, 'pause');
  expect(pause.exitCode).toBe(0);
  expect(pause.err).toContain(`guild-hall council resume ${id}`);
  const before = await home.show(id);

  await home.json('down');
  await home.json<Up>('up', '--detach', '--port', '0');
  const after = await home.show(id);
  const { cursor: _, ...kept } = after;
  expect(kept).toEqual({ ...before, cursor: undefined, ...kept });
  expect(after.transcript).toEqual(before.transcript);
  expect(after.costs).toEqual(before.costs);

  const second = await home.council('run', '--resume', id, '--continue');
  // The hand was an insertion of its own: Writer keeps its slot, and the order goes on.
  expect(
    headersOf(second.out)
      .map((line) => parseHeader(line).speaker)
      .slice(0, 2),
  ).toEqual(['Writer', 'Researcher']);
  expect(second.out).toMatch(/turn 10 \/ [^\n]+\n(?:(?!\[round)[\s\S])*\[cost-check after turn 10: \d+ tokens/);
  expect(second.out).toContain('discuss-cadence yield — 4 DISCUSS turns since last yield;');
  const ran = await home.council('answer', id, 'continue');
  expect(headersOf(ran.out).map((line) => parseHeader(line).turn)).toEqual([14, 15]);
  expect(ran.out).toContain('pre-CLOSE yield — about to draft close-time triage and artifacts;');
  expect(ran.out).not.toContain('## Phase: CLOSE');

  const close = await home.council('answer', id, 'continue');
  expect(close.out).toContain('## Phase: CLOSE');
  expect(close.out).toContain('Pin: SP-1');
  const review = await home.council('answer', id, 'extract');
  expect(review.out).toContain('## Phase: REVIEW');
  expect(review.out).toContain('Refuse empty lines in src/parser.ts:1.');
  await home.council('answer', id, 'accept', '--question', 'action-items');
  await home.council('answer', id, 'accept', '--question', 'memory:Researcher');
  let next = await home.show(id);
  while (next.asked?.question.kind === 'review') {
    const { draft } = next.asked.question;
    await home.council('answer', id, draft === 'memory:Developer' ? 'drop' : 'accept', '--question', draft);
    next = await home.show(id);
  }
  expect(next.asked?.header).toBe('Yield: pre-SAVE');
  expect(filesBelow(join(home.worktree, '.gaia')).filter((file) => !file.includes('meeting-sessions'))).toEqual([]);
  const saved = await home.council('answer', id, 'continue');
  expect(saved.exitCode).toBe(0);
  expect(saved.out.trimEnd().split('\n').at(-1)).toBe('## Phase: SAVE');
  expect(saved.out).toContain('.gaia/state/action-items.yaml');
}

async function whatItWroteIsRight(home: CouncilHome, id: string): Promise<void> {
  const [, date = '', slug = ''] = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(id)!;
  const read = (path: string): string => readFileSync(join(home.worktree, path), 'utf8');
  const notes = read(`.gaia/artifacts/creative-artifacts/meeting-notes/meeting-${id}.md`);
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(notes)!;
  expect([...front.matchAll(/^([a-z_]+):/gm)].map((found) => found[1])).toEqual([
    'date',
    'slug',
    'charter',
    'mode',
    'closing_artifact_bias',
    'default_invitees_resolved',
    'missing_invitees',
    'invitees_override',
    'cost_breakdown',
    'total_tokens',
    'scratchpad_extractions',
    'action_items',
    'research_phase',
    'web_search',
  ]);
  expect(front).toContain('mode: decide');
  expect(front).toContain('web_search: disabled');
  expect(front).toContain(`action_items: [AI-${date}-1, AI-${date}-2]`);
  const sections = [...body.matchAll(/^## (?!Phase: )(.+)$/gm)].map((found) => found[1]);
  expect(sections.slice(0, 10)).toEqual([
    'Charter',
    'Summary',
    'Research preludes',
    'Transcript',
    'Decisions',
    'Risks identified',
    'Open questions',
    'Scratchpad final state',
    'Action items',
    'Memory write-through',
  ]);
  const markers = [...body.matchAll(/^## Phase: (\w+)$/gm)].map((found) => found[1]);
  expect(markers).toEqual(['INVITE', 'CHARTER', 'RESEARCH', 'DISCUSS', 'CLOSE', 'REVIEW', 'SAVE']);
  expect(body).toContain('dispatched_via: interject');

  const registry = read('.gaia/state/action-items.yaml');
  expect(registry).toContain('schema_version: 2');
  expect(registry).toMatch(
    new RegExp(`- id: AI-${date}-1\\n  created: "[^"]+Z"\\n  source_meeting: ${slug}\\n  type: feature\\n`),
  );
  expect(registry).toContain('/gaia-add-feature');
  expect(registry).toContain('no target — manual');
  expect(existsSync(join(home.worktree, `.gaia/memory/Researcher-sidecar/decisions/${id}.md`))).toBe(true);
  expect(existsSync(join(home.worktree, '.gaia/memory/Developer-sidecar'))).toBe(false);
  const month = join(home.worktree, '.gaia/artifacts/creative-artifacts/meeting-scratchpad', date.slice(0, 7), slug);
  expect(filesBelow(month)).toEqual(['SP-1-case-answer.md']);

  // One commit on the integration branch, without the session; nothing of the secret anywhere.
  const git = (...args: string[]): string => home.repository.git(...args);
  const changed = git('show', '--name-only', '--format=', 'claude/main').split('\n');
  expect(changed.every((file) => file.startsWith('.gaia/'))).toBe(true);
  expect(changed.join('\n')).not.toContain('meeting-sessions');
  expect(changed).toContain('.gaia/state/action-items.yaml');
  expect(git('-C', home.worktree, 'status', '--porcelain')).toBe('');
  expect(readAll(join(home.worktree, '.gaia'))).not.toContain(token);
  expect(readAll(join(home.path, 'state'))).not.toContain(token);
}
