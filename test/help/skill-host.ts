/**
 * The real Claude Code with the plugin of this repository, before a model that does what the skill `gaia-meeting` says and
 * nothing else: it runs the commands that stand in the skill's text and in what they print.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PermissionResult, query } from '@anthropic-ai/claude-agent-sdk';
import type { ScriptedBlock } from '../../src/kernel/agents/conformance-bench.ts';
import { startScriptedModel } from '../fixtures/scripted-model.ts';
import { packageRoot, programFile, type Home } from './programs.ts';

/** A call of the host's own question tool, as the person sees it. */
export interface HostQuestion {
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiSelect: boolean;
}

export interface HostRequest {
  readonly home: Home;
  /** Where the person has started Claude Code. */
  readonly cwd: string;
  /** What the person types. */
  readonly prompt: string;
  /** What the person answers: a label, other text, or undefined for who dismisses the question. */
  readonly answer: (question: HostQuestion) => string | undefined;
}

export interface Hosted {
  readonly questions: readonly HostQuestion[];
  /** Commands for which the host asked the person's leave. */
  readonly permitted: readonly string[];
  /** Everything that was said to the person, message by message; a question is `?`. */
  readonly said: readonly string[];
  /** Every tool that was used, in order; of a shell its command. */
  readonly used: readonly string[];
  /** The commands that it knows. */
  readonly commands: readonly string[];
  /** Tools of the hall that the model was offered at last, without their prefix. */
  readonly tools: readonly string[];
  /** What the model was given for what the person typed. */
  readonly skill: string;
}

const key = 'a-key';

export async function hostCouncil(request: HostRequest): Promise<Hosted> {
  const folder = await mkdtemp(join(request.home.folder, 'claude-'));
  const model = await startScriptedModel();
  const bodyOf = (): Body => model.requests(key).at(-1)!.body as unknown as Body;
  // Read when it is asked for, so that each answer follows from the conversation so far.
  model.otherwise(key, {
    get blocks() {
      return follow(bodyOf());
    },
  });
  const seen = {
    questions: [] as HostQuestion[],
    permitted: [] as string[],
    said: [] as string[],
    used: [] as string[],
  };
  let commands: readonly string[] = [];
  try {
    const env = await environmentFor(request.home, folder, model.baseUrl);
    const turn = query({
      prompt: request.prompt,
      options: {
        cwd: request.cwd,
        tools: ['Bash', 'AskUserQuestion', 'Skill'],
        settingSources: [],
        persistSession: false,
        plugins: [{ type: 'local', path: join(packageRoot, 'plugin') }],
        canUseTool: async (name, input) => decide(name, input, seen, request.answer),
        env,
      },
    });
    for await (const message of turn) {
      if (message.type === 'system' && message.subtype === 'init') commands = message.slash_commands;
      if (message.type !== 'assistant') continue;
      for (const block of message.message.content) {
        if (block.type === 'text') seen.said.push(block.text);
        if (block.type !== 'tool_use') continue;
        if (block.name === 'AskUserQuestion') seen.said.push('?');
        seen.used.push(block.name === 'Bash' ? (block.input as { command: string }).command : block.name);
      }
    }
    return { ...seen, commands, tools: toolsOf(bodyOf()), skill: skillIn(bodyOf()) ?? '' };
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function environmentFor({ path }: Home, folder: string, baseUrl: string): Promise<Record<string, string>> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await mkdir(join(folder, 'config'));
  // Where an agent's program gets its shell from says nothing about a person's.
  await symlink(process.execPath, join(bin, 'node'));
  await writeFile(join(bin, 'guild-hall'), `#!/bin/sh\nexec '${process.execPath}' '${programFile()}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    PATH: `${bin}:${process.env['PATH']}`,
    HOME: folder,
    CLAUDE_CONFIG_DIR: join(folder, 'config'),
    GUILD_HALL_HOME: path,
    NO_COLOR: '1',
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_API_KEY: key,
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
  };
}

function decide(
  name: string,
  input: Record<string, unknown>,
  seen: { readonly questions: HostQuestion[]; readonly permitted: string[] },
  answer: HostRequest['answer'],
): PermissionResult {
  if (name !== 'AskUserQuestion') {
    seen.permitted.push(String(input['command'] ?? name));
    return { behavior: 'allow', updatedInput: input };
  }
  const [question] = input['questions'] as HostQuestion[];
  seen.questions.push(question!);
  const said = answer(question!);
  if (said === undefined) return { behavior: 'deny', message: 'The person dismissed the question.' };
  return { behavior: 'allow', updatedInput: { ...input, answers: { [question!.question]: said } } };
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly name?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

interface Body {
  readonly tools?: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: string | readonly Block[] }[];
}

function toolsOf({ tools = [] }: Body): string[] {
  const prefix = 'mcp__plugin_conclave_guild-hall__';
  return tools.flatMap(({ name }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));
}

interface Call {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError: boolean;
}

const textOf = (content: Block['content'] = ''): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');

function blocksOf({ messages }: Body): Block[] {
  return messages.flatMap(({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content));
}

function skillIn(body: Body): string | undefined {
  return blocksOf(body).find(({ text = '' }) => text.includes('## Procedure'))?.text;
}

function callsIn(body: Body): Call[] {
  const blocks = blocksOf(body);
  const results = blocks.filter(({ type }) => type === 'tool_result');
  return blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ name = '', input = {} }, at) => {
      const { content, is_error: isError = false } = results[at] ?? { type: '' };
      return { name, input, result: textOf(content), isError };
    });
}

const say = (text: string): ScriptedBlock => ({ type: 'text', chunks: [text] });
const bash = (command: string): ScriptedBlock => ({
  type: 'tool_use',
  name: 'Bash',
  input: { command, description: 'Go along with the council', timeout: 600_000 },
});

/** The next thing that the skill's procedure says, from what was said so far. */
function follow(body: Body): ScriptedBlock[] {
  const skill = skillIn(body);
  if (skill === undefined) return [say('There is no skill.')];
  const calls = callsIn(body);
  const last = calls.at(-1);
  if (last === undefined) return [bash(firstCommand(skill))];
  const steps = calls.filter(({ name, input }) => name === 'Bash' && /council next /.test(String(input['command'])));
  const printed = steps.at(-1)?.result ?? '';
  if (last.name === 'AskUserQuestion')
    return answered(skill, last, printed.slice(printed.lastIndexOf('\nAnswer it:\n')));
  if (last.isError) return [say(last.result)];
  if (last === steps.at(-1)) return shown(printed);
  const after = /\nAfter the answer: (.+)\s*$/.exec(printed)?.[1];
  if (after !== undefined) return [bash(after)];
  const { id, project, from } = JSON.parse(last.result) as { id: string; project: string; from: number };
  const number = /council run /.test(String(last.input['command'])) ? 0 : from;
  const [step = ''] = commandsIn(skill, 'council next');
  return [bash(step.replace('<id>', id).replace('<project>', project).replace('<number>', String(number)))];
}

/** Commands in fences of the skill's text. */
function commandsIn(skill: string, what: string): string[] {
  const fenced = [...skill.matchAll(/```bash\n(.*?)\n```/gs)].map(([, command = '']) => command);
  return fenced.filter((command) => command.includes(what));
}

function firstCommand(skill: string): string {
  const given = /^Arguments: `(.*)`$/m.exec(skill)?.[1] ?? '';
  const resumed = /^--resume (\S+)(.*)$/.exec(given);
  if (resumed !== null) {
    const [command = ''] = commandsIn(skill, 'council resume');
    return command.replace('<id>', resumed[1]!).replace('<the other arguments>', resumed[2]!.trim());
  }
  const [, charter = '', rest = ''] = /^--charter "([^"]*)"\s*(.*)$/.exec(given) ?? [];
  const [command = ''] = commandsIn(skill, 'council run');
  return command.replace('<the other arguments>', rest).replace('<the charter, as it was given>', charter);
}

/** What was printed, without the commands; then the next command, the question, or nothing more. */
function shown(printed: string): ScriptedBlock[] {
  const goesOn = /\nIt goes on: (.+)\s*$/.exec(printed)?.[1];
  if (goesOn !== undefined) return [say(printed.replace(/\n*It goes on: .+\s*$/, '')), bash(goesOn)];
  const at = printed.lastIndexOf('\nAnswer it:\n');
  if (at === -1) return [say(printed)];
  const asked = [...printed.slice(0, at).matchAll(/^((?:Yield|Pin|Review): .+)\n(.+)$/gm)].at(-1);
  const [, header = '', question = ''] = asked ?? [];
  const kind = header.split(':')[0] as keyof typeof labels;
  const options = labels[kind].map((label) => ({ label, description: `${label}.` }));
  const input = { questions: [{ header, question, options, multiSelect: false }] };
  return [say(printed.slice(0, at)), { type: 'tool_use', name: 'AskUserQuestion', input }];
}

const labels = {
  Yield: ['[c]ontinue', '[p]ause', '[w]rap-up', '[a]bort'],
  Pin: ['Extract', 'Keep in notes only', 'Drop'],
  Review: ['Accept', 'Edit', 'Drop'],
} as const;

/** The command that is printed for what the person chose; other text is an interjection. */
function answered(skill: string, { result, isError }: Call, printed: string): ScriptedBlock[] {
  const said = /"="([^]*)"\. (?:You can now|Read the answers)/.exec(result)?.[1];
  const id = /council answer (\S+)/.exec(printed)?.[1] ?? '';
  if (isError || said === undefined) return [say(`The council waits. Go on: /gaia-meeting --resume ${id}`)];
  const word = said.replaceAll(/[[\]]/g, '').split(' ')[0]!.toLowerCase();
  const command = new RegExp(`^  (guild-hall council answer \\S+ ${word} .+)$`, 'm').exec(printed)?.[1];
  if (command !== undefined) return [bash(command)];
  const own = /^ {2}(guild-hall council answer \S+ interject - .+)$/m.exec(printed)?.[1] ?? '';
  const [template = ''] = commandsIn(skill, 'interject -');
  return [bash(template.replace(/^guild-hall council answer .+(?= <<)/, own).replace('<what the person typed>', said))];
}
