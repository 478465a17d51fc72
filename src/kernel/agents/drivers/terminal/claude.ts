/** Claude Code: the program that the Agent SDK brings, in a terminal. */
import { z } from 'zod';
import type { Manner, Signal } from '../../../terminals/contract.ts';
import { agentProgram } from '../claude/program.ts';
import { claudeDialog, claudeInput, isClaudeBusy, isClaudeIdle, isClaudeNoise, plainClaude } from './claude-screen.ts';
import type { EntryFile, EntryPlace, EntryStart, TerminalEntry } from './shapes.ts';
import { jsonFile, tellHook } from './files.ts';
import { mcpServerName, mcpTokenVariable, mcpUrlVariable } from './names.ts';
import { asWords } from './words.ts';

const manner: Manner = {
  name: 'claude',
  speech: 'signal',
  takesPaste: true,
  hasReceipts: true,
  words: asWords,
  isIdle: isClaudeIdle,
  isBusy: isClaudeBusy,
  dialogOf: claudeDialog,
  inputOf: claudeInput,
  isNoise: isClaudeNoise,
  plain: plainClaude,
};

export const claudeEntry: TerminalEntry = {
  name: 'claude',
  title: 'Claude Code',
  isAgent: true,
  takesGateway: true,
  takesTools: true,
  manner,
  readSignal: readClaudeSignal,
  program: agentProgram,
  start: startOf,
};

/** All of its own tools but those that start something which outlives a turn. */
const tools = 'Agent,Bash,Edit,Glob,Grep,NotebookEdit,Read,TodoWrite,WebFetch,WebSearch,Write';

function startOf(place: EntryPlace): EntryStart {
  const { model, mcpUrl, permissions } = place;
  return {
    args: [
      ...(model === undefined ? [] : ['--model', model.model]),
      '--permission-mode',
      permissions === 'ask' ? 'manual' : 'dontAsk',
      // The repository's own settings may hold commands; nothing that stands in it starts anything here.
      '--setting-sources',
      'user',
      '--strict-mcp-config',
      ...(mcpUrl === undefined ? [] : ['--mcp-config', `${place.configDir}/mcp.json`]),
      '--tools',
      permissions === 'ask' ? `${tools},AskUserQuestion` : tools,
    ],
    env: environmentOf(place),
    files: filesOf(place),
  };
}

function environmentOf({ configDir, tmpDir, model, maxRetries }: EntryPlace): Record<string, string> {
  return {
    CLAUDE_CONFIG_DIR: configDir,
    CLAUDE_CODE_TMPDIR: tmpDir,
    ...(model === undefined ? {} : { ANTHROPIC_BASE_URL: model.baseUrl, ANTHROPIC_API_KEY: model.token }),
    NO_PROXY: '127.0.0.1,localhost,::1',
    CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
    // What is said scrolls off into the terminal, where it can be read again.
    CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // Else it clones its maker's plugins at every start.
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_TERMINAL_TITLE: '1',
    CLAUDE_CODE_DISABLE_MOUSE: '1',
    CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: '1',
    CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false',
    // Otherwise `@/some/file` in words that came from another terminal would be read.
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_CRON: '1',
    ENABLE_TOOL_SEARCH: 'false',
  };
}

function filesOf(place: EntryPlace): EntryFile[] {
  return [
    jsonFile('.claude.json', {
      hasCompletedOnboarding: true,
      projects: { [place.cwd]: { hasTrustDialogAccepted: true } },
      // By their ends it knows keys that it may use. This one opens the gateway alone.
      ...(place.model === undefined ? {} : { customApiKeyResponses: { approved: [place.model.token.slice(-20)] } }),
    }),
    jsonFile('settings.json', settingsOf(place)),
    ...(place.mcpUrl === undefined ? [] : [jsonFile('mcp.json', mcpConfig)]),
  ];
}

const mcpConfig = {
  mcpServers: {
    [mcpServerName]: {
      type: 'http',
      alwaysLoad: true,
      url: `\${${mcpUrlVariable}}`,
      headers: { Authorization: `Bearer \${${mcpTokenVariable}}` },
    },
  },
};

const hooked = ['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'PermissionRequest'];

function settingsOf({ permissions }: EntryPlace): object {
  const hook = [{ hooks: [{ ...tellHook, timeout: 10 }] }];
  const everything = ['Bash', 'Edit', 'NotebookEdit', 'Read', 'WebFetch', 'WebSearch', 'Write'];
  return {
    hooks: Object.fromEntries(hooked.map((name) => [name, hook])),
    permissions: { allow: [`mcp__${mcpServerName}`, ...(permissions === 'free' ? everything : [])] },
    spinnerTipsEnabled: false,
  };
}

const told = z.discriminatedUnion('hook_event_name', [
  z.object({ hook_event_name: z.literal('SessionStart') }),
  z.object({ hook_event_name: z.literal('UserPromptSubmit'), prompt: z.string() }),
  z.object({ hook_event_name: z.literal('Stop'), last_assistant_message: z.string().nullish() }),
  z.object({ hook_event_name: z.literal('StopFailure') }),
  z.object({
    hook_event_name: z.literal('PermissionRequest'),
    tool_name: z.string(),
    tool_input: z.looseObject({}).optional(),
  }),
]);

/** What a hook of Claude Code wrote to standard input. */
export function readClaudeSignal(json: unknown): Signal | undefined {
  const read = told.safeParse(json);
  if (!read.success) return undefined;
  const { data } = read;
  switch (data.hook_event_name) {
    case 'SessionStart':
      return { kind: 'started' };
    case 'UserPromptSubmit':
      return { kind: 'prompted', text: data.prompt };
    case 'PermissionRequest':
      return { kind: 'dialog', text: questionOf(data.tool_name, data.tool_input) };
    case 'Stop':
      return { kind: 'spoke', text: data.last_assistant_message ?? '' };
    case 'StopFailure':
      // The model could not be reached: the turn is over, and nobody said anything.
      return { kind: 'spoke', text: '' };
  }
}

function questionOf(tool: string, input: Record<string, unknown> = {}): string {
  const asked = z.array(z.looseObject({ question: z.string() })).safeParse(input['questions']);
  if (asked.success && asked.data[0] !== undefined) return asked.data[0].question;
  const about = ['command', 'file_path', 'url', 'query', 'description']
    .map((name) => input[name])
    .find((value) => typeof value === 'string');
  return about === undefined ? `May ${tool} be used?` : `May ${tool} be used: ${(about as string).slice(0, 4_000)}`;
}
