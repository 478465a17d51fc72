/** Aider. What it says is read from its screen, between two of its prompts; its model is reached through the gateway. */
import type { ScreenText, Signal } from '../../../terminals/contract.ts';
import type { EntryPlace, EntryStart, TerminalEntry } from './shapes.ts';
import { beforeCursor } from './rows.ts';
import { tellCommand } from './tell-script.ts';
import { asWords } from './words.ts';

export const aiderEntry: TerminalEntry = {
  name: 'aider',
  title: 'Aider',
  isAgent: true,
  takesGateway: true,
  obeys: ['.aider.conf.yml', '.env'],
  manner: {
    name: 'aider',
    speech: 'marker',
    hasReceipts: false,
    words: asWords,
    isIdle,
    dialogOf,
    inputOf: (screen) => (promptOf(screen) === undefined ? undefined : inputOf(screen)),
    isNoise,
  },
  readSignal,
  program: () => 'aider',
  start,
};

function start({ configDir, model, permissions, maxRetries }: EntryPlace): EntryStart {
  const kept = (name: string): string => `${configDir}/${name}`;
  return {
    args: [
      ...(model === undefined ? [] : ['--model', `anthropic/${model.model}`]),
      // Its own files stay out of the repository.
      '--input-history-file',
      kept('input.history'),
      '--chat-history-file',
      kept('chat.history.md'),
      '--no-gitignore',
      '--no-check-update',
      '--no-show-release-notes',
      '--analytics-disable',
      '--no-show-model-warnings',
      '--no-detect-urls',
      '--no-suggest-shell-commands',
      '--no-pretty',
      ...(permissions === 'ask' ? [] : ['--yes-always']),
      ...(permissions === 'none' ? ['--dry-run'] : []),
      '--notifications',
      '--notifications-command',
      `${tellCommand} '{"waits":true}'`,
    ],
    env: {
      ...(model === undefined
        ? {}
        : {
            ANTHROPIC_API_KEY: model.token,
            ANTHROPIC_API_BASE: model.baseUrl,
            ANTHROPIC_BASE_URL: model.baseUrl,
          }),
      AIDER_LLM_RETRIES: String(maxRetries),
    },
    files: [],
  };
}

/** It rings when it waits again: with it comes nothing that it said. */
function readSignal(json: unknown): Signal | undefined {
  const isBell = typeof json === 'object' && json !== null && 'waits' in json;
  return isBell ? { kind: 'started' } : undefined;
}

/** `> `, or with a mode before it: `architect> `, `ask multi> `. */
const prompt = /^(?:[a-z]+ ){0,2}[a-z]*> ?/;

function promptOf({ lines, cursorLine }: ScreenText): string | undefined {
  return prompt.exec(lines[cursorLine] ?? '')?.[0];
}

function inputOf(screen: ScreenText): string {
  return (screen.lines[screen.cursorLine] ?? '').slice(promptOf(screen)?.length ?? 0);
}

function isIdle(screen: ScreenText): boolean {
  return promptOf(screen) !== undefined;
}

/** `Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: ` */
function dialogOf(screen: ScreenText): string | undefined {
  const row = beforeCursor(screen);
  return /\(Y\)es\/\(N\)o.*:\s*$/.test(row) ? row.trim() : undefined;
}

const status = /^(?:Tokens: |Aider v\d|Main model: |Weak model: |Git repo: |Repo-map: |Cost: |─{8,}$)/;

function isNoise(line: string): boolean {
  return status.test(line) || prompt.test(line);
}
