/**
 * The gate that every tool call of an agent passes before it runs. It is enforced by a hook, not asked of the model:
 * file tools stay below one folder by real path, nothing writes to `.git`, and what is not known to be safe is denied.
 */
import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { AgentAccess } from '../../contract.ts';
import type { SandboxKind, SandboxNetwork } from '../../sandbox/contract.ts';

export interface GateRules {
  readonly access: AgentAccess;
  /** Relative paths are meant from here. */
  readonly cwd: string;
  /** Names, as the agent's program calls them, of all tools that this agent was given. */
  readonly tools: ReadonlySet<string>;
  /** Names of servers of tools that the hall gave it: all their tools are its own. */
  readonly servers?: readonly string[];
  /** Absolute; folders of the hall that it may read besides. */
  readonly readable?: readonly string[];
  /** Whether the agent's program runs in a sandbox, and what is to be done where it does not. */
  readonly sandbox: { readonly kind: SandboxKind; readonly hint: string; readonly network: SandboxNetwork };
}

export type GateAnswer = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

interface ToolRule {
  /** Input fields that hold a path. */
  readonly paths: readonly string[];
  /** Input fields that hold a glob pattern, which may name folders too. */
  readonly patterns?: readonly string[];
  readonly writes?: boolean;
}

/** The agent program's own tools that the gate knows. Whatever is not here is denied, also when a worker asks for it. */
const knownTools: Readonly<Record<string, ToolRule>> = {
  Read: { paths: ['file_path'] },
  Grep: { paths: ['path'], patterns: ['glob'] },
  Glob: { paths: ['path'], patterns: ['pattern'] },
  Write: { paths: ['file_path'], writes: true },
  Edit: { paths: ['file_path'], writes: true },
  NotebookEdit: { paths: ['notebook_path'], writes: true },
  TodoWrite: { paths: [] },
  WebFetch: { paths: [] },
  WebSearch: { paths: [] },
};

/** Of the shells only the one that ends with its call; the system holds it, so its words are not looked at. */
const shell = 'Bash';
const otherShells: ReadonlySet<string> = new Set(['PowerShell', 'Monitor']);
const webTools: ReadonlySet<string> = new Set(['WebFetch', 'WebSearch']);

export const allowed: GateAnswer = { allowed: true };

function denied(reason: string): GateAnswer {
  return { allowed: false, reason };
}

/** Decides one call. Never throws: what cannot be decided is denied. */
export async function decideToolCall(rules: GateRules, tool: string, input: unknown): Promise<GateAnswer> {
  if (rules.servers?.some((name) => tool.startsWith(`mcp__${name}__`)) === true) return allowed;
  if (!rules.tools.has(tool)) return denied(`The tool "${tool}" was not given to this worker.`);
  if (tool.startsWith('mcp__hall__')) return allowed;
  if (tool === shell) return decideShell(rules, fieldsOf(input));
  if (otherShells.has(tool)) return denied(`The tool "${tool}" runs beside the turn, so it is denied. Use Bash.`);
  if (webTools.has(tool) && rules.sandbox.network === 'model-only') {
    return denied('This worker has no network but the way to its model: `sandbox.network` is model-only.');
  }
  const rule = knownTools[tool];
  if (!rule) return denied(`The tool "${tool}" is not one that the hall can watch over, so it is denied.`);
  if (rule.writes === true && !rules.access.write)
    return denied('This worker may read files here, but not change them.');
  try {
    return await decidePaths(rules, rule, fieldsOf(input));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown trouble';
    return denied(`The path of this call cannot be checked (${code}), so it is denied.`);
  }
}

function decideShell({ sandbox }: GateRules, input: Readonly<Record<string, unknown>>): GateAnswer {
  if (sandbox.kind === 'none') {
    return denied(
      `Shell commands need a sandbox, and this hall has none. Use the file tools instead. For the person: ${sandbox.hint}`,
    );
  }
  const isLeftBehind = input['run_in_background'] !== undefined && input['run_in_background'] !== false;
  return isLeftBehind ? denied('Nothing runs on after its call: leave out run_in_background.') : allowed;
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}

async function decidePaths(
  rules: GateRules,
  rule: ToolRule,
  input: Readonly<Record<string, unknown>>,
): Promise<GateAnswer> {
  for (const field of rule.patterns ?? []) {
    const pattern = input[field];
    if (typeof pattern === 'string' && leavesByPattern(pattern)) {
      return denied(
        `The pattern "${pattern}" may not be absolute or hold "..": search below ${rules.access.root} only.`,
      );
    }
  }
  for (const field of rule.paths) {
    const value = input[field];
    if (value !== undefined && typeof value !== 'string') return denied(`The field "${field}" is not a path.`);
    // A missing path means the working directory to the tools that may leave it out.
    const answer = await decidePath(rules, rule.writes === true, value ?? rules.cwd);
    if (!answer.allowed) return answer;
  }
  return allowed;
}

/** Absolute or upward, also within braces: `{a,../../b}` or `{/etc,x}/**`. */
function leavesByPattern(pattern: string): boolean {
  return pattern.split(/[/\\{},]/).some((part) => part.trim() === '..') || /(^|[{,])\s*[/\\~]/.test(pattern);
}

async function decidePath(rules: GateRules, writes: boolean, path: string): Promise<GateAnswer> {
  if (!isPlain(path))
    return denied(`The path "${path}" is not in plain form. Use an absolute path below ${rules.access.root}.`);
  const root = await realpath(rules.access.root);
  const target = await realTarget(resolve(rules.cwd, path));
  if (!writes && target !== undefined && (await isReadable(rules, target))) return allowed;
  const inside = target === undefined ? undefined : relative(root, target);
  if (inside === undefined || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    return denied(`${path} is outside ${rules.access.root}. This worker may only touch what is below that folder.`);
  }
  const hidden = (rules.access.hidden ?? []).map((folder) => relative(rules.access.root, folder));
  if (hidden.some((folder) => inside === folder || inside.startsWith(folder + sep)))
    return denied(`${path} is not for this worker.`);
  const parts = inside.split(sep).map((part) => part.toLowerCase());
  if (writes && parts.includes('.git'))
    return denied(`${path} belongs to git's own files, which only the hall changes.`);
  return allowed;
}

/** By real paths on both sides. */
async function isReadable({ readable = [] }: GateRules, target: string): Promise<boolean> {
  for (const folder of readable) {
    const real = await realpath(folder);
    if (target === real || target.startsWith(real + sep)) return true;
  }
  return false;
}

/**
 * The agent's program trims a path, turns a leading `~` into the home and composes its accents before it opens it, so a
 * path that this would change is not the path that was checked.
 */
function isPlain(path: string): boolean {
  return (
    path !== '' &&
    path === path.trim() &&
    !path.startsWith('~') &&
    path === path.normalize('NFC') &&
    !/[\0-\x1f\x7f]/.test(path)
  );
}

/**
 * Where a path leads with every link followed; the part that does not exist yet is taken as written. Undefined when it
 * passes a link that leads nowhere: a write would create its target.
 */
async function realTarget(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  if (await existsUnfollowed(path)) return undefined;
  const parent = dirname(path);
  const realParent = parent === path ? path : await realTarget(parent);
  return realParent === undefined ? undefined : join(realParent, path.slice(parent.length));
}

async function existsUnfollowed(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
