/** What the agent's program is told when it starts. */
import { join } from 'node:path';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import type { LogContext } from '../../../log/log.ts';
import type { AgentSessionId } from '../../../pure/ids.ts';
import type { OpenOptions } from '../../contract.ts';
import { shownName } from './map.ts';
import { decideToolCall, type GateRules } from './gate.ts';
import { createToolServer, fullToolName, hallServerName } from './tools.ts';

/** A call that the gate denied, for the turn's reader. */
export interface Denial {
  readonly callId: string;
  readonly name: string;
  readonly input: unknown;
  readonly reason: string;
}

export interface StartOptions {
  readonly open: OpenOptions;
  readonly resume: AgentSessionId | undefined;
  readonly maxRetries: number;
  readonly sandbox: GateRules['sandbox'];
  readonly onDenied: (denial: Denial) => void;
  readonly spawn: NonNullable<Options['spawnClaudeCodeProcess']>;
}

export function sdkOptionsOf(ctx: LogContext, start: StartOptions): Options {
  const { open, resume, maxRetries, sandbox, onDenied, spawn } = start;
  return {
    cwd: open.cwd,
    model: open.model.model,
    // Not recorded in the session: a resumed turn has the prompt of now, not that of the first turn.
    systemPrompt: { type: 'custom', prompt: open.systemPrompt, snapshot: false },
    tools: [...open.builtInTools],
    allowedTools: [...open.builtInTools, `${fullToolName('*')}`],
    mcpServers: open.tools.length === 0 ? {} : { [hallServerName]: createToolServer(ctx, open.tools) },
    strictMcpConfig: true,
    settingSources: [],
    // Whatever the gate does not allow is denied without asking anybody.
    permissionMode: 'dontAsk',
    hooks: {
      PreToolUse: [{ hooks: [gateHook(open, sandbox, onDenied)], onFailure: 'block' }],
      ...(open.aside === undefined ? {} : { PostToolUse: [{ hooks: [asideHook(open.aside)] }] }),
    },
    includePartialMessages: true,
    // Otherwise `@/some/file` in a prompt would be read past the gate, and `/word` would be taken for a command.
    verbatimPrompts: true,
    maxTurns: open.limits.maxTurns,
    ...(open.limits.maxBudgetUsd === null ? {} : { maxBudgetUsd: open.limits.maxBudgetUsd }),
    ...(resume === undefined ? {} : { resume }),
    env: environmentOf(open, maxRetries, process.env),
    spawnClaudeCodeProcess: spawn,
  };
}

type Hook = NonNullable<NonNullable<Options['hooks']>['PreToolUse']>[number]['hooks'][number];

function gateHook(open: OpenOptions, sandbox: GateRules['sandbox'], onDenied: StartOptions['onDenied']): Hook {
  const tools = new Set([...open.builtInTools, ...open.tools.map((tool) => fullToolName(tool.name))]);
  const rules: GateRules = { access: open.access, cwd: open.cwd, tools, sandbox };
  return async (input) => {
    if (input.hook_event_name !== 'PreToolUse') return {};
    const answer = await decideToolCall(rules, input.tool_name, input.tool_input);
    if (!answer.allowed) {
      const { tool_use_id: callId, tool_name: name, tool_input: toolInput } = input;
      onDenied({ callId, name: shownName(name), input: toolInput, reason: answer.reason });
    }
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: answer.allowed ? 'allow' : 'deny',
        ...(answer.allowed ? {} : { permissionDecisionReason: answer.reason }),
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
