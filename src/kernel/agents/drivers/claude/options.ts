/** What the agent's program is told when it starts. */
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { LogContext } from '../../../log/log.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import type { OpenOptions } from '../../contract.ts';
import { shownName } from './map.ts';
import { askPerson, type TurnEar } from './asking.ts';
import { decideToolCall, type GateRules } from './gate.ts';
import { type Chosen, decideByMode, planRefusal } from './modes.ts';
import { createToolServer, fullToolName, hallServerName } from './tools.ts';

export interface StartOptions {
  readonly open: OpenOptions;
  readonly resume: AgentSessionId | undefined;
  /** `resume` was begun and nothing was said in it: the program takes it as the id of a new session. */
  readonly isOnlyBegun: boolean;
  readonly maxRetries: number;
  readonly sandbox: GateRules['sandbox'];
  /** What the turn that is served now does about calls. */
  readonly ear: () => TurnEar;
  readonly chosenOf: (id: AgentSessionId) => Chosen;
  readonly spawn: NonNullable<Options['spawnClaudeCodeProcess']>;
}

export function sdkOptionsOf(ctx: LogContext, start: StartOptions): Options {
  const { open, resume, isOnlyBegun, maxRetries, spawn } = start;
  return {
    cwd: open.cwd,
    model: open.model.model,
    // Not recorded in the session: a resumed turn has the prompt of now, not that of the first turn.
    systemPrompt: { type: 'custom', prompt: open.systemPrompt, snapshot: false },
    tools: [...open.builtInTools],
    // Where the person is asked, the gate's hook says of each call what becomes of it.
    allowedTools: open.ask === undefined ? [...open.builtInTools, `${fullToolName('*')}`] : [],
    mcpServers: serversOf(ctx, open),
    strictMcpConfig: true,
    settingSources: [],
    // Whatever the gate does not allow is denied without asking anybody.
    ...(open.ask === undefined ? { permissionMode: 'dontAsk' } : askingOptions(ctx, start)),
    hooks: {
      PreToolUse: [{ hooks: [gateHook(start)], onFailure: 'block' }],
      ...(open.aside === undefined ? {} : { PostToolUse: [{ hooks: [asideHook(open.aside)] }] }),
    },
    includePartialMessages: true,
    // Otherwise `@/some/file` in a prompt would be read past the gate, and `/word` would be taken for a command of the
    // program. `/word` of a skill that ships with the hall is run all the same: `skills.ts` puts it before the prompt.
    verbatimPrompts: true,
    maxTurns: open.limits.maxTurns,
    ...(open.limits.maxBudgetUsd === null ? {} : { maxBudgetUsd: open.limits.maxBudgetUsd }),
    ...(resume === undefined ? {} : isOnlyBegun ? { sessionId: resume } : { resume }),
    env: environmentOf(open, maxRetries, process.env),
    spawnClaudeCodeProcess: spawn,
  };
}

type Hook = NonNullable<NonNullable<Options['hooks']>['PreToolUse']>[number]['hooks'][number];

function serversOf(ctx: LogContext, open: OpenOptions): NonNullable<Options['mcpServers']> {
  const own = open.tools.length === 0 ? {} : { [hallServerName]: createToolServer(ctx, open.tools) };
  const others = (open.mcpServers ?? []).map(({ name, url, headers }) => {
    const given = Object.fromEntries(headers.map((header) => [header.name, header.value]));
    return [name, { type: 'http' as const, url, headers: given, alwaysLoad: true }] as const;
  });
  return { ...Object.fromEntries(others), ...own };
}

function askingOptions(ctx: LogContext, { open, resume, ear, chosenOf }: StartOptions): Partial<Options> {
  return {
    permissionMode: 'default',
    canUseTool: askPerson(ctx, { open, ear, chosen: () => chosenOf(ear().sessionId() ?? resume!) }),
  };
}

function gateHook({ open, sandbox, ear, chosenOf }: StartOptions): Hook {
  const tools = new Set([...open.builtInTools, ...open.tools.map((tool) => fullToolName(tool.name))]);
  const servers = (open.mcpServers ?? []).map(({ name }) => name);
  const rules: GateRules = {
    access: open.access,
    cwd: open.cwd,
    tools,
    servers,
    readable: open.plugins ?? [],
    sandbox,
  };
  return async (input) => {
    if (input.hook_event_name !== 'PreToolUse') return {};
    const { tool_use_id: callId, tool_name: name, tool_input: toolInput } = input;
    const answer = await decideToolCall(rules, name, toolInput);
    const chosen = open.ask === undefined ? undefined : chosenOf(input.session_id as AgentSessionId);
    const byMode = chosen === undefined ? 'go' : decideByMode(chosen, name, toolInput);
    const reason = answer.allowed ? (byMode === 'refuse' ? planRefusal : undefined) : answer.reason;
    if (reason !== undefined) ear().onDenied({ callId, name: shownName(name), input: toolInput, reason });
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: reason !== undefined ? 'deny' : byMode === 'ask' ? 'ask' : 'allow',
        ...(reason === undefined ? {} : { permissionDecisionReason: reason }),
      },
    };
  };
}

/** What there is to say stands behind the answer of the call. */
function asideHook(aside: NonNullable<OpenOptions['aside']>): Hook {
  return async (input) => {
    const additionalContext = input.hook_event_name === 'PostToolUse' ? await aside() : undefined;
    return additionalContext === undefined
      ? {}
      : { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext } };
  };
}

/**
 * Of the hall's own environment only these; keys, tokens and proxies of the person stay out. The last one marks what
 * belongs to one process that works by itself, so that everything below it can be found when it has died.
 */
const passedOn = ['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TERM', 'GUILD_HALL_ATTEMPT'] as const;

/** The whole environment of the agent's program. */
export function environmentOf(open: OpenOptions, maxRetries: number, hall: NodeJS.ProcessEnv): Record<string, string> {
  const kept = passedOn.flatMap((name) => (hall[name] === undefined ? [] : [[name, hall[name]] as const]));
  return {
    ...Object.fromEntries(kept),
    HOME: open.configDir,
    XDG_CONFIG_HOME: join(open.configDir, 'xdg', 'config'),
    XDG_CACHE_HOME: join(open.configDir, 'xdg', 'cache'),
    XDG_DATA_HOME: join(open.configDir, 'xdg', 'data'),
    XDG_STATE_HOME: join(open.configDir, 'xdg', 'state'),
    TMPDIR: open.tmpDir,
    CLAUDE_CODE_TMPDIR: open.tmpDir,
    CLAUDE_CONFIG_DIR: open.configDir,
    ANTHROPIC_BASE_URL: open.model.baseUrl,
    ANTHROPIC_API_KEY: open.model.token,
    NO_PROXY: '127.0.0.1,localhost,::1',
    CLAUDE_CODE_MAX_RETRIES: String(maxRetries),
    ...(open.limits.maxOutputTokens === undefined
      ? {}
      : { CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(open.limits.maxOutputTokens) }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    DISABLE_AUTOUPDATER: '1',
    // The hall caps output itself; above this limit the agent would put it into a file that the gate then denies.
    MAX_MCP_OUTPUT_TOKENS: '100000',
    // Characters of one shell command's output; what is more is cut off in the middle.
    BASH_MAX_OUTPUT_LENGTH: '30000',
    BASH_DEFAULT_TIMEOUT_MS: '120000',
    BASH_MAX_TIMEOUT_MS: '600000',
    // The hall has a memory of its own, and a turn leaves nothing running behind it.
    // Every tool is told at once: none is kept back to be searched for, and no placeholder stands for those.
    ENABLE_TOOL_SEARCH: 'false',
    CLAUDE_CODE_DISABLE_AUTO_MEMORY: '1',
    CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
  };
}
