/**
 * The skills of the folders that ship with the hall, run by `/name words`. The hall puts a skill's text before the words
 * itself: were the agent's program to do it, it would read `@/any/file` of the words past the gate, and start the servers
 * that a plugin names.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArtifact } from '../../../artifacts/parse.ts';
import { readTextIfExists } from '../../../artifacts/write.ts';
import type { AgentCommand } from '../../contract.ts';

interface Skill {
  readonly plugin: string;
  /** Absolute. */
  readonly folder: string;
  readonly command: AgentCommand;
  readonly body: string;
}

/** @param plugins absolute; what cannot be read there is not known to the agent */
export async function readSkills(plugins: readonly string[]): Promise<readonly Skill[]> {
  const all = await Promise.all(plugins.map(readPlugin));
  return all.flat();
}

async function readPlugin(path: string): Promise<readonly Skill[]> {
  const plugin = await readPluginName(path);
  const names = await readdir(join(path, 'skills')).catch(() => []);
  const skills = await Promise.all(
    names
      .toSorted((a, b) => a.localeCompare(b))
      .map(async (name) => {
        const folder = join(path, 'skills', name);
        const text = await readTextIfExists(join(folder, 'SKILL.md'));
        return text === undefined ? undefined : parseSkill(plugin, folder, name, text);
      }),
  );
  return skills.filter((skill) => skill !== undefined);
}

async function readPluginName(path: string): Promise<string> {
  const text = (await readTextIfExists(join(path, '.claude-plugin', 'plugin.json'))) ?? '{}';
  const { name } = JSON.parse(text) as { name?: unknown };
  return typeof name === 'string' ? name : '';
}

function parseSkill(plugin: string, folder: string, name: string, text: string): Skill {
  const { frontmatter, body } = parseArtifact(text, join(folder, 'SKILL.md'));
  const field = (key: string): string => (typeof frontmatter[key] === 'string' ? frontmatter[key] : '');
  const command = { name, description: field('description'), hint: field('argument-hint') };
  return { plugin, folder, command, body: body.trim() };
}

/** What the model is told before words that run a skill; undefined for words that run none. */
export function skillFor(skills: readonly Skill[], words: string): string | undefined {
  const [, plugin, name, rest = ''] = /^\/(?:([\w-]+):)?([\w-]+)(?:\s+([^]*))?$/.exec(words.trim()) ?? [];
  const skill = skills.find((one) => one.command.name === name && (plugin === undefined || plugin === one.plugin));
  if (!skill) return undefined;
  const given = rest.trim();
  const body = skill.body.includes('$ARGUMENTS')
    ? skill.body.replaceAll('$ARGUMENTS', () => given)
    : `${skill.body}\n\nArguments: ${given}`;
  const intro = `The person runs the skill "${name}" with the words below. Do what it says. Its folder: ${skill.folder} (other skills lie beside it).`;
  return `${intro}\n\n${body}`;
}
