/** The files that say what a project is made of. */
import type { Situation } from '../situation.ts';
import { offeredTool } from './offered.ts';
import type { ToolRequest } from './script.ts';

export const manifests =
  '{package.json,pyproject.toml,Cargo.toml,go.mod,pom.xml,build.gradle*,Gemfile,composer.json,requirements*.txt,*.csproj,CMakeLists.txt,Makefile}';

export function glob(situation: Situation, pattern: string): ToolRequest[] {
  return offeredTool(situation, 'Glob') === undefined ? [] : [{ name: 'Glob', input: { pattern } }];
}

/** The fields of a `package.json` that answers use. */
export interface Manifest {
  name?: string;
  version?: string;
  description?: string;
  main?: string;
  bin?: unknown;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export function parseManifest(text: string): Manifest | undefined {
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    // Not JSON, or only its beginning was read: its lines are shown as they are.
    return undefined;
  }
}
