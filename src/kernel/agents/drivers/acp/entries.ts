/** Which ACP agents there are: the ready ones, and those that the person names in config.yaml. */
import { claudeAcpEntry } from './entries/claude.ts';
import { codexAcpEntry } from './entries/codex.ts';
import { geminiAcpEntry } from './entries/gemini.ts';
import { opencodeAcpEntry } from './entries/opencode.ts';
import type { AcpEntry, AcpSettings } from './entry.ts';

export type { AcpEntry, AcpSettings } from './entry.ts';

const ready: readonly AcpEntry[] = [claudeAcpEntry, codexAcpEntry, geminiAcpEntry, opencodeAcpEntry];

/** The ready entries first, then the person's own: any command that speaks the protocol. */
export function acpEntries(own: Readonly<Record<string, AcpSettings>>): AcpEntry[] {
  const known = ready.map((entry) => ({ ...entry, title: own[entry.name]?.title ?? entry.title }));
  const more = Object.entries(own).filter(([name]) => !ready.some((entry) => entry.name === name));
  return [...known, ...more.map(([name, settings]) => ownEntry(name, settings))];
}

/** Nobody knows how it reaches its model, so it is offered the gateway as those do who speak the Messages API. */
function ownEntry(name: string, { title, command }: AcpSettings): AcpEntry {
  const program = command?.[0] ?? name;
  return {
    name,
    title: title ?? name,
    takesGateway: true,
    command: command ?? [name],
    install: `see: command -v ${program}`,
    signIn: `Start "${program}" in a terminal of the project and sign in there, or give it its key with \`env\` in config.yaml.`,
    start: ({ configDir, model }) => ({
      env: {
        CLAUDE_CONFIG_DIR: configDir,
        ANTHROPIC_BASE_URL: model.baseUrl,
        ANTHROPIC_API_KEY: model.token,
        ANTHROPIC_MODEL: model.model,
      },
      files: [],
    }),
  };
}
