/** Codex CLI. It tells the end of a turn to its notify program; its model is its own: the gateway does not speak its language. */
import { z } from 'zod';
import type { ScreenText, Signal } from '../../../terminals/contract.ts';
import type { EntryPlace, EntryStart, TerminalEntry } from './shapes.ts';
import { tomlText } from './files.ts';
import { mcpServerName, mcpTokenVariable } from './names.ts';
import { lastRows } from './rows.ts';
import { tellPath } from './tell-script.ts';
import { asWords } from './words.ts';

export const codexEntry: TerminalEntry = {
  name: 'codex',
  title: 'Codex CLI',
  isAgent: true,
  takesGateway: false,
  takesTools: true,
  manner: {
    name: 'codex',
    speech: 'signal',
    takesPaste: true,
    // It tells what it took only when the turn is over.
    hasReceipts: false,
    words: asWords,
    isIdle: (screen) => hasInputRow(screen) && !isBusy(screen) && dialogOf(screen) === undefined,
    isBusy,
    dialogOf,
  },
  readSignal,
  program: () => 'codex',
  start,
};

const modes = {
  free: { approval: 'never', sandbox: 'danger-full-access' },
  ask: { approval: 'on-request', sandbox: 'workspace-write' },
  none: { approval: 'never', sandbox: 'read-only' },
} as const;

function start({ cwd, configDir, permissions, mcpUrl, variables }: EntryPlace): EntryStart {
  const { approval, sandbox } = modes[permissions];
  const lines = [
    `notify = ["sh", ${tomlText(`${configDir}/${tellPath}`)}]`,
    `approval_policy = "${approval}"`,
    `sandbox_mode = "${sandbox}"`,
    'check_for_update_on_startup = false',
    ...(variables.includes('OPENAI_API_KEY') ? ['model_provider = "with-key"'] : []),
    '[analytics]',
    'enabled = false',
    '[tui]',
    'notifications = false',
    'animations = false',
    'show_tooltips = false',
    '[model_providers.with-key]',
    'name = "OpenAI"',
    'base_url = "https://api.openai.com/v1"',
    'env_key = "OPENAI_API_KEY"',
    'wire_api = "responses"',
    // What the repository sets counts only where a sandbox is around it.
    `[projects.${tomlText(cwd)}]`,
    `trust_level = "${permissions === 'free' ? 'trusted' : 'untrusted'}"`,
    ...(mcpUrl === undefined
      ? []
      : [
          `[mcp_servers.${mcpServerName}]`,
          `url = ${tomlText(mcpUrl)}`,
          `bearer_token_env_var = "${mcpTokenVariable}"`,
        ]),
  ];
  return {
    // What is said scrolls off into the terminal, where it can be read again.
    args: ['--no-alt-screen'],
    env: { CODEX_HOME: configDir },
    files: [{ path: 'config.toml', text: `${lines.join('\n')}\n` }],
  };
}

const told = z.object({
  type: z.literal('agent-turn-complete'),
  'input-messages': z.array(z.string()).optional(),
  'last-assistant-message': z.string().nullish(),
});

/** It has a model find a title for the session, and tells of that as of a turn. */
const titleAsked = /^Generate a concise, single-line task title\b/;

function readSignal(json: unknown): Signal | undefined {
  const read = told.safeParse(json);
  if (!read.success || titleAsked.test(read.data['input-messages']?.[0] ?? '')) return undefined;
  return { kind: 'spoke', text: read.data['last-assistant-message'] ?? '' };
}

function hasInputRow(screen: ScreenText): boolean {
  return lastRows(screen, 12).some((line) => line.startsWith('› '));
}

function isBusy(screen: ScreenText): boolean {
  return lastRows(screen, 12).some((line) => /\besc to interrupt\b/i.test(line));
}

function dialogOf(screen: ScreenText): string | undefined {
  const rows = lastRows(screen, 20);
  const first = rows.findLastIndex((line) => /^\s*(?:› )?1\. /.test(line));
  if (first === -1 || !/\b(?:esc|enter)\b/i.test(rows.at(-1)!) || rows.at(-1)!.includes('? for shortcuts'))
    return undefined;
  return rows
    .slice(Math.max(0, first - 6), first)
    .map((line) => line.trim())
    .join('\n');
}
