/** Gemini CLI. Its hooks tell what it takes and says; its model is its own: the gateway does not speak its language. */
import { z } from 'zod';
import type { ScreenText, Signal } from '../../../terminals/contract.ts';
import type { EntryPlace, EntryStart, TerminalEntry } from './shapes.ts';
import { jsonFile, tellHook } from './files.ts';
import { mcpServerName, mcpTokenVariable, mcpUrlVariable } from './names.ts';
import { isBlank, lastRows } from './rows.ts';
import { asWordsWithoutFiles } from './words.ts';

export const geminiEntry: TerminalEntry = {
  name: 'gemini',
  title: 'Gemini CLI',
  isAgent: true,
  takesGateway: false,
  takesTools: true,
  manner: {
    name: 'gemini',
    speech: 'signal',
    takesPaste: true,
    hasReceipts: true,
    words: asWordsWithoutFiles,
    isIdle: (screen) => inputRow(screen) !== undefined && !isBusy(screen),
    isBusy,
    dialogOf,
    inputOf,
  },
  readSignal,
  program: () => 'gemini',
  start,
};

const approvals = { free: 'yolo', ask: 'default', none: 'plan' } as const;

function start(place: EntryPlace): EntryStart {
  const { configDir, permissions, mcpUrl } = place;
  const hook = [{ matcher: '*', hooks: [{ ...tellHook, name: 'guild-hall', timeout: 10_000 }] }];
  const settings = {
    security: {
      ...(place.variables.includes('GEMINI_API_KEY') ? { auth: { selectedType: 'gemini-api-key' } } : {}),
      // What the repository sets counts only where a sandbox is around it, or when the person says so in its dialog.
      folderTrust: { enabled: permissions !== 'free' },
    },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ui: { hideTips: true, hideBanner: true, hideWindowTitle: true },
    hooksConfig: { enabled: true, notifications: false },
    hooks: { SessionStart: hook, BeforeAgent: hook, AfterAgent: hook, Notification: hook },
    ...(mcpUrl === undefined ? {} : { mcpServers: { [mcpServerName]: server } }),
  };
  return {
    args: ['--approval-mode', approvals[permissions]],
    env: { GEMINI_CLI_HOME: configDir, GEMINI_CLI_NO_RELAUNCH: 'true' },
    files: [jsonFile('.gemini/settings.json', settings)],
  };
}

const server = {
  httpUrl: `$${mcpUrlVariable}`,
  headers: { Authorization: `Bearer $${mcpTokenVariable}` },
  trust: true,
};

const told = z.discriminatedUnion('hook_event_name', [
  z.object({ hook_event_name: z.literal('SessionStart') }),
  z.object({ hook_event_name: z.literal('BeforeAgent'), prompt: z.string() }),
  z.object({ hook_event_name: z.literal('AfterAgent'), prompt_response: z.string() }),
  z.object({
    hook_event_name: z.literal('Notification'),
    notification_type: z.literal('ToolPermission'),
    message: z.string(),
    details: z.looseObject({ command: z.string().optional() }).optional(),
  }),
]);

function readSignal(json: unknown): Signal | undefined {
  const read = told.safeParse(json);
  if (!read.success) return undefined;
  const { data } = read;
  if (data.hook_event_name === 'SessionStart') return { kind: 'started' };
  if (data.hook_event_name === 'BeforeAgent') return { kind: 'prompted', text: data.prompt };
  if (data.hook_event_name === 'AfterAgent') return { kind: 'spoke', text: data.prompt_response };
  const command = data.details?.command;
  return { kind: 'dialog', text: command === undefined ? data.message : `${data.message}: ${command}` };
}

/** By its mode: asks, acts unasked, takes commands of the shell. */
const inputMark = /^ [>*!] /;
const placeholder = 'Type your message or @path/to/file';

/** Below the last rule. */
function inputRow({ lines, firstVisible }: ScreenText): number | undefined {
  const rule = lines.findLastIndex((line) => /^─{20,}$/.test(line));
  const at = lines.findIndex((line, index) => index > rule && inputMark.test(line));
  return rule < firstVisible || at === -1 ? undefined : at;
}

function inputOf(screen: ScreenText): string | undefined {
  const at = inputRow(screen);
  if (at === undefined) return undefined;
  const rows: string[] = [];
  for (const line of screen.lines.slice(at)) {
    if (rows.length > 0 && !line.startsWith('   ') && !isBlank(line)) break;
    rows.push(line.slice(3));
  }
  const text = rows.join('\n').trim();
  return text === placeholder ? '' : text;
}

function isBusy(screen: ScreenText): boolean {
  return lastRows(screen, 14).some((line) => /\(esc to cancel\b/.test(line));
}

/** A frame at the end of the screen with choices in it. */
function dialogOf(screen: ScreenText): string | undefined {
  if (inputRow(screen) !== undefined) return undefined;
  const rows = lastRows(screen, 30);
  const first = rows.findIndex((line) => /^[│\s]*(?:● )?1\. /.test(line));
  if (first === -1) return undefined;
  const question = rows.slice(0, first).findLast((line) => /\?\s*│?$/.test(line)) ?? 'It asks something.';
  return question.replaceAll('│', '').trim();
}
