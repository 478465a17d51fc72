/** Commands for shells and programs: what completes command lines, and what describes the HTTP door. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ruleNames } from '../features/councils/rule/list.ts';
import { findHall } from '../interfaces/cli/client.ts';
import type { OwnCommand } from '../interfaces/cli/parts.ts';
import type { Terminal } from '../interfaces/cli/terminal.ts';
import { nearestOf } from '../kernel/pure/nearest.ts';
import { fail } from '../kernel/pure/errors.ts';
import type { HomePaths } from '../kernel/projects/home.ts';
import { packageRoot } from './package.ts';

const shells = ['bash', 'zsh', 'fish'];

/** @param home found when a command needs it */
export function shellCommands(terminal: Terminal, home: () => HomePaths): OwnCommand[] {
  return [ruleCommand(), completionCommand(terminal), openApiCommand(terminal, home)];
}

/** For the list of commands and for Tab. `cli.ts` runs it before any of this is loaded, with words that only it reads. */
function ruleCommand(): OwnCommand {
  return {
    name: 'rule',
    summary: 'Run one rule of a council by itself, for scripts; its exit codes are its own',
    places: [{ name: 'helper', help: 'which rule', choices: ruleNames }],
    options: [],
    examples: [{ line: 'guild-hall rule --help', does: 'lists them with what each is for' }],
    run: async (_, words) => {
      const { runRuleHere } = await import('./rule.ts');
      return await runRuleHere(words);
    },
  };
}

function completionCommand(terminal: Terminal): OwnCommand {
  return {
    name: 'completion',
    summary: 'Print the script that makes Tab complete commands, ids and names',
    places: [{ name: 'shell', help: 'the shell that is to read it', choices: shells }],
    options: [],
    examples: [
      { line: 'eval "$(guild-hall completion bash)"', does: 'in ~/.bashrc' },
      { line: 'eval "$(guild-hall completion zsh)"', does: 'in ~/.zshrc, after compinit' },
      { line: 'guild-hall completion fish | source', does: 'in ~/.config/fish/config.fish' },
    ],
    run: async ({ json }, [shell = '']) => {
      const script = await completionScript(shell);
      terminal.out(json === true ? `${JSON.stringify({ shell, script })}\n` : script);
      return 0;
    },
  };
}

async function completionScript(shell: string): Promise<string> {
  if (!shells.includes(shell)) {
    const near = nearestOf(shell, shells);
    throw fail(
      'invalid',
      `There is no completion for "${shell.slice(0, 60)}"; expected one of ${shells.join(', ')}.`,
      `${near === undefined ? '' : `Did you mean ${near}? `}See: guild-hall completion --help`,
    );
  }
  const folder = join(packageRoot(), 'src', 'interfaces', 'cli', 'completion');
  return await readFile(join(folder, `guild-hall.${shell}`), 'utf8');
}

function openApiCommand(terminal: Terminal, home: () => HomePaths): OwnCommand {
  return {
    name: 'openapi',
    summary: 'Print the description of the HTTP door: OpenAPI 3.1, as JSON',
    options: [],
    examples: [{ line: 'guild-hall openapi > openapi.json', does: 'needs no running hall' }],
    run: async ({ json }) => {
      const { openApi } = await import('./openapi.ts');
      const url = (await findHall(home().root))?.url;
      const document = url === undefined ? openApi() : openApi(Number(new URL(url).port));
      terminal.out(`${JSON.stringify(document, null, json === true ? 0 : 2)}\n`);
      return 0;
    },
  };
}
