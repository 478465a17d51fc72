/** The skills that are shipped: what they promise to each other, and to whoever draws their blocks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { optionsOf, questionWords } from '../../src/features/councils/contract/asking.ts';
import { yieldNames } from '../../src/features/councils/contract/terms.ts';
import { run as scanForSentinels } from '../../src/features/councils/rule/stdout-sentinel-scan.ts';

const plugin = join(import.meta.dirname, '..', '..', 'plugin');
const read = (...parts: string[]): string => readFileSync(join(plugin, ...parts), 'utf8');
const pipeline = ['rsrc', 'req', 'arq', 'plan', 'org', 'orc'];

interface Skill {
  readonly head: Readonly<Record<string, unknown>> & { readonly name: string; readonly description: string };
  readonly body: string;
}

function skill(name: string): Skill {
  const [, head = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(read('skills', name, 'SKILL.md')) ?? [];
  return { head: parse(head) as Skill['head'], body };
}

function blocksIn(text: string, kind: string): unknown[] {
  const fenced = new RegExp(`^\`\`\`conclave:${kind}\\n(.*?)\\n\`\`\`$`, 'gms');
  return [...text.matchAll(fenced)].map(([, json = '']) => JSON.parse(json) as unknown);
}

test('every skill says in its head what it is called and when it is used', () => {
  const names = readdirSync(join(plugin, 'skills')).toSorted();
  expect(names).toEqual(['conclave', 'gaia-meeting', ...pipeline].toSorted());
  for (const name of names) {
    const { head } = skill(name);
    expect(head.name).toBe(name);
    expect(head.description.length).toBeGreaterThan(40);
    // What is longer is cut by those who read it.
    expect(head.description.length).toBeLessThanOrEqual(1024);
  }
});

describe('the pipeline', () => {
  test.each(pipeline.slice(0, -1).map((name, at) => [name, pipeline[at + 1]!]))(
    '%s hands on to %s, with the name of the spec',
    (name, next) => {
      const { body } = skill(name);
      const blocks = blocksIn(body, 'next');
      expect(blocks).toEqual([{ label: expect.any(String), command: `/${next} <name>`, metaContext: '<name>' }]);
      // The block is the last thing in it.
      expect(body.trimEnd().endsWith('````')).toBe(true);
    },
  );

  test('the last phase hands on to nothing', () => {
    expect(skill('orc').body).not.toContain('conclave:next');
  });

  test('each phase reads what the one before wrote, and leaves epics alone', () => {
    const writes = ['research.md', 'analysis.md', 'analysis.md', 'breakdown.md', 'implementation.json'];
    for (const [at, file] of writes.entries()) {
      expect(skill(pipeline[at]!).body).toContain(file);
      expect(skill(pipeline[at + 1]!).body).toContain(file);
    }
    for (const name of pipeline) expect(skill(name).body).toMatch(/"type":\s+"epic"/);
  });

  test('no skill knows of sessions and contexts: it reads files, writes files and names the next command [CTX-DEC-8]', () => {
    for (const name of [...pipeline, 'conclave']) {
      const { head, body } = skill(name);
      const words = `${head.description}\n${body}`.replaceAll('metaContext', '');
      expect(words).not.toMatch(/\bsessions?\b|contexts?\b/i);
    }
  });
});

describe('the references of the blocks [CTX-DEC-4]', () => {
  const references = ['eventmodel.md', 'next.md', 'tasks.md', 'usecase.md'];

  test('stand beside each other, and the skill leads to each', () => {
    expect(readdirSync(join(plugin, 'skills', 'conclave', 'references')).toSorted()).toEqual(references);
    const { body } = skill('conclave');
    for (const file of references) expect(body).toContain(`(references/${file})`);
  });

  test('next.md defines a block with label, command and metaContext', () => {
    const text = read('skills', 'conclave', 'references', 'next.md');
    for (const field of ['label', 'command', 'metaContext']) expect(text).toMatch(`| \`${field}\` | string, required`);
    expect(blocksIn(text, 'next')).toEqual([
      { label: 'Write the use cases', command: '/req voice-dictation', metaContext: 'voice-dictation' },
    ]);
  });

  test.each(['usecase', 'eventmodel', 'tasks'])(
    'the example of %s has every field that is required, and no other',
    (kind) => {
      const text = read('skills', 'conclave', 'references', `${kind}.md`);
      const fields = [...text.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm)].map(([, name = '', type = '']) => ({
        name,
        type,
      }));
      const [example] = blocksIn(text, kind).flat() as [Record<string, unknown>];
      const needed = fields.filter(({ type }) => type.includes('required')).map(({ name }) => name);
      expect(needed.length).toBeGreaterThan(1);
      expect(Object.keys(example)).toEqual(expect.arrayContaining(needed));
      expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(example)));
    },
  );
});

/** What would end a turn by being printed, in whatever form; hosts do not stop at text. */
const sentinel =
  /<<\s*(?:YIELD|TURN|STOP|HALT|AWAIT)\b|<<\s*[A-Z_-]+[-_](?:STOP|END|HALT|WAIT)\b|\bEND[-_ ]OF[-_ ]TURN\b/;
/** What would have a host run a skill apart from the conversation, where no question reaches the person. */
const fork = /\bcontext\s*:\s*['"[]*\s*fork\b/i;

describe('the skill of councils', () => {
  const { head, body } = skill('gaia-meeting');
  const procedure = body.slice(body.indexOf('## Procedure'));
  const part = (number: number): string =>
    new RegExp(`^### ${number}\\. .*?(?=^### |$(?![^]))`, 'ms').exec(body)?.[0] ?? '';

  test('is called as it is promised, with the hint of its arguments [CNC-PLG-2]', () => {
    expect(head.name).toBe('gaia-meeting');
    expect(head['argument-hint']).toBe(
      '--charter "<one-to-three-sentence charter>" [--mode <mode>] [--invitees <P1,P2,...>]',
    );
  });

  test('comes with an entry that starts the hall’s MCP server [CNC-PLG-1]', () => {
    const manifest = JSON.parse(read('.claude-plugin', 'plugin.json')) as Record<string, unknown>;
    // No server but this one, and nothing in the manifest that names others.
    expect(Object.keys(manifest)).not.toContain('mcpServers');
    expect(JSON.parse(read('.mcp.json'))).toEqual({
      mcpServers: { 'guild-hall': { command: 'guild-hall', args: ['mcp'] } },
    });
  });

  test('is found by its SKILL.md alone: there are no commands, and nothing has the name that is kept free [CNC-PLG-3, CNC-PLG-11]', () => {
    expect(existsSync(join(plugin, 'commands'))).toBe(false);
    expect(readdirSync(plugin).toSorted()).toEqual(['.claude-plugin', '.mcp.json', 'README.md', 'skills']);
    const files = readdirSync(plugin, { recursive: true, withFileTypes: true });
    for (const { name, parentPath } of files) expect(join(parentPath, name)).not.toContain('gaia-validate-meeting');
    for (const name of readdirSync(join(plugin, 'skills')))
      expect(skill(name).head.name).not.toBe('gaia-validate-meeting');
  });

  test('asks by the tool of the host, with the words and the four choices of the engine [CNC-PLG-4]', () => {
    const asking = part(3);
    const question = { kind: 'yield', at: 'post-charter', turns: 0 } as const;
    expect(asking).toContain('`AskUserQuestion`');
    expect(asking).toContain(
      `- \`header\`: the line that begins with \`Yield:\`, as it was printed: \`${questionWords(question).header}\``,
    );
    expect(asking).toContain('- `question`: the line below it, as it was printed');
    expect(asking).toContain(
      `- \`options\`: ${optionsOf(question)
        .map(({ label }) => `\`${label}\``)
        .join(', ')}, in this order and no other`,
    );
    expect(optionsOf(question)).toHaveLength(4);
    expect(asking).toContain('- `multiSelect`: `false`');
    expect(asking).toMatch(/types in the tool is the interjection/);
    for (const kind of ['pin', 'review'] as const)
      for (const { label } of optionsOf(kind === 'pin' ? { kind, pin: 'SP-1' } : { kind, draft: 'notes' }))
        expect(asking).toContain(`\`${label}\``);
    for (const at of yieldNames) expect(questionWords({ ...question, at }).header).toMatch(/^Yield: /);
  });

  test('does nothing behind a question, and answers none itself [CNC-PLG-5, CNC-PLG-8]', () => {
    expect(part(3)).toMatch(/The call is the last thing in your turn\. Nothing stands behind it/);
    expect(part(3)).toMatch(/Without an answer .* the council waits: say so/s);
    expect(body).toMatch(
      /You never answer a question of the council, choose for the person, or take silence, an empty answer/,
    );
    expect(body).toMatch(/You never use `--yes`/);
    // A tool that a skill allows is not asked about: the question would be passed over, and the answer given unseen.
    const allowed = String(head['allowed-tools']);
    expect(allowed.match(/\S+\([^)]*\)|\S+/g)).toEqual(
      ['next', 'show', 'list'].map((verb) => `Bash(guild-hall council ${verb} *)`),
    );
    expect(procedure.match(/--yes/g)).toBeNull();
  });

  test('shows every turn whole, with its header, and every warning [CNC-PLG-7, CNC-PLG-8]', () => {
    expect(part(2)).toMatch(
      /The person does not see what a command prints, so after each step write into your message what was printed, to the letter/,
    );
    for (const what of ['markers', 'the header line of each turn', 'its whole body', 'warnings', 'notes', '`HALT`'])
      expect(part(2).replaceAll('\n', ' ')).toContain(what);
    expect(body).toMatch(/never write, shorten, sum up or mend what one said/);
    expect(part(2)).toMatch(/Only the end of the output is the hall's: the same words\s+further up are a speaker's/);
  });

  test('hands words of the person to no shell', () => {
    for (const [, command = ''] of body.matchAll(/```bash\n(.*?)\n```/gs)) {
      expect(command).toMatch(/^guild-hall council (?:run|resume|next|answer) /);
      const words = /<(?:the charter|what the person)[^>]*>/.exec(command);
      if (words !== null) expect(command).toMatch(/<<'END-OF-WORDS'\n<[^\n]*>\nEND-OF-WORDS$/);
    }
  });

  test('and every other file of the plugin holds no sentinel and no fork directive [CNC-PLG-6, CNC-PLG-9]', async () => {
    const files = readdirSync(plugin, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(12);
    for (const { parentPath, name } of files) {
      const text = readFileSync(join(parentPath, name), 'utf8');
      expect([name, sentinel.exec(text)?.[0], fork.exec(text)?.[0]]).toEqual([name, undefined, undefined]);
    }
    expect(procedure.length).toBeGreaterThan(1000);
    const printed: string[] = [];
    const io = { out: (line: string) => printed.push(line), cwd: join(plugin, 'skills', 'gaia-meeting') };
    const exit = await scanForSentinels(['SKILL.md'], io as unknown as Parameters<typeof scanForSentinels>[1]);
    expect([exit, printed]).toEqual([0, []]);
  });

  test.each([
    ['<<YIELD-STOP>>', 'context: fork'],
    ['<<TURN-END phase=charter>>', 'context:[fork]'],
    ['<<COUNCIL-WAIT>>', 'context: [ fork ]'],
    ['<< TURN >>', 'Context: "fork"'],
    ['END-OF-TURN', "context : 'fork'"],
  ])('%s and %s would be found', (mark, directive) => {
    expect(`Print ${mark} and stop.`).toMatch(sentinel);
    expect(`---\n${directive}\n---`).toMatch(fork);
  });
});
