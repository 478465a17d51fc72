/** OpenCode. A plugin of the hall's own tells what it takes and says; its model is reached through the gateway. */
import { z } from 'zod';
import type { ScreenText, Signal } from '../../../terminals/contract.ts';
import type { EntryPlace, EntryStart, TerminalEntry } from './shapes.ts';
import { jsonFile } from './files.ts';
import { mcpServerName, mcpTokenVariable, mcpUrlVariable, signalsVariable } from './names.ts';
import { lastRows } from './rows.ts';
import { asWords } from './words.ts';

export const opencodeEntry: TerminalEntry = {
  name: 'opencode',
  title: 'OpenCode',
  isAgent: true,
  takesGateway: true,
  takesTools: true,
  manner: {
    name: 'opencode',
    speech: 'signal',
    takesPaste: true,
    hasReceipts: true,
    words: asWords,
    isIdle: (screen) => lastRows(screen, 6).some((line) => /ctrl\+p commands/.test(line)) && !isBusy(screen),
    isBusy,
    dialogOf,
  },
  readSignal,
  program: () => 'opencode',
  start,
};

function start({ model, permissions, mcpUrl }: EntryPlace): EntryStart {
  const provider = {
    options: { baseURL: `${model?.baseUrl ?? ''}/v1`, apiKey: '{env:ANTHROPIC_API_KEY}' },
    models: { [model?.model ?? '']: { name: model?.model ?? '' } },
  };
  const server = {
    type: 'remote',
    url: `{env:${mcpUrlVariable}}`,
    headers: { Authorization: `Bearer {env:${mcpTokenVariable}}` },
    oauth: false,
    enabled: true,
  };
  const settings = {
    autoupdate: false,
    share: 'disabled',
    permission: permissionOf(permissions),
    ...(model === undefined
      ? {}
      : {
          model: `anthropic/${model.model}`,
          small_model: `anthropic/${model.model}`,
          enabled_providers: ['anthropic'],
          provider: { anthropic: provider },
        }),
    ...(mcpUrl === undefined ? {} : { mcp: { [mcpServerName]: server } }),
  };
  return {
    args: [],
    env: {
      ...(model === undefined ? {} : { ANTHROPIC_API_KEY: model.token }),
      // Neither settings nor plugins of the repository.
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_SHARE: '1',
      OPENCODE_DISABLE_TERMINAL_TITLE: '1',
      OPENCODE_DISABLE_MOUSE: '1',
    },
    files: [
      jsonFile('xdg/config/opencode/opencode.json', settings),
      { path: 'xdg/config/opencode/plugins/guild-hall.js', text: plugin },
    ],
  };
}

function permissionOf(permissions: EntryPlace['permissions']): object {
  const own = { free: 'allow', ask: 'ask', none: 'deny' }[permissions];
  return { edit: own, bash: own, webfetch: own, external_directory: own };
}

/** Runs inside, so it is words for its runtime and no module of the hall. It tells of the sessions that the person sees. */
const plugin = `// Written by the hall; says to it what the program in this terminal tells.
import { renameSync, writeFileSync } from 'node:fs';
const folder = process.env.${signalsVariable};
let told = 0;
function tell(signal) {
  try {
    told += 1;
    const name = String(BigInt(Date.now()) * 1000000n + BigInt(told)) + '-' + process.pid;
    writeFileSync(folder + '/.' + name + '.tmp', JSON.stringify(signal), { mode: 0o600 });
    renameSync(folder + '/.' + name + '.tmp', folder + '/' + name + '.json');
  } catch {}
}
const inner = new Set();
const answers = new Map();
const roles = new Map();
export const GuildHall = async () => ({
  'chat.message': async ({ sessionID }, { parts }) => {
    if (inner.has(sessionID)) return;
    answers.delete(sessionID);
    tell({ kind: 'prompted', text: parts.filter((part) => part.type === 'text').map((part) => part.text).join('\\n') });
  },
  event: async ({ event: { type, properties } }) => {
    const { sessionID, info, part } = properties ?? {};
    if (type === 'session.created' && info?.parentID) inner.add(info.id);
    if (inner.has(sessionID)) return;
    if (type === 'message.updated') roles.set(info.id, info.role);
    if (type === 'message.part.updated' && part.type === 'text' && roles.get(part.messageID) === 'assistant') {
      const before = answers.get(sessionID);
      const parts = before?.message === part.messageID ? before.parts : new Map();
      answers.set(sessionID, { message: part.messageID, parts: parts.set(part.id, part.text) });
    }
    if (type === 'session.idle') {
      tell({ kind: 'spoke', text: [...(answers.get(sessionID)?.parts.values() ?? [])].join('\\n\\n') });
      answers.delete(sessionID);
      roles.clear();
    }
    if (type === 'permission.asked' || type === 'permission.updated') {
      const about = [properties.permission ?? properties.title, ...(properties.patterns ?? [])].filter(Boolean).join(': ');
      tell({ kind: 'dialog', text: about || 'It asks something.' });
    }
  },
});
`;

const told = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('prompted'), text: z.string() }),
  z.object({ kind: z.literal('spoke'), text: z.string() }),
  z.object({ kind: z.literal('dialog'), text: z.string() }),
]);

function readSignal(json: unknown): Signal | undefined {
  const read = told.safeParse(json);
  return read.success ? read.data : undefined;
}

function isBusy(screen: ScreenText): boolean {
  return lastRows(screen, 4).some((line) => /\besc (?:again to )?interrupt\b/.test(line));
}

function dialogOf(screen: ScreenText): string | undefined {
  const rows = lastRows(screen, 20);
  if (!rows.some((line) => /\bAllow once\b.*\bReject\b/.test(line))) return undefined;
  const at = rows.findIndex((line) => /Permission required/i.test(line));
  return rows
    .slice(Math.max(0, at), -1)
    .map((line) => line.replaceAll(/[┃│]/g, '').trim())
    .filter((line) => line !== '')
    .join('\n');
}
