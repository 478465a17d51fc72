/** The text of `config.yaml` → settings. Never throws. */
import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isMap, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '../artifacts/parse.ts';
import { settleFeatures } from './feature-settings.ts';
import { expandTilde } from './home.ts';
import { configShape, defaultConfig, type HallConfig, type ModelSettings, type ProjectSettings } from './settings.ts';
import { type Reading, readShape } from './shape.ts';

export interface ParsedConfig {
  /** Undefined when the text is no YAML map at all. */
  readonly config: HallConfig | undefined;
  readonly problems: readonly Problem[];
}

const maxLength = 1024 * 1024;
const maxProblems = 50;

/** @param file the file's absolute path: problems name it, and relative paths in it start from its folder */
export function parseConfig(text: string, file: string): ParsedConfig {
  const lines = new LineCounter();
  const problemAt = (offset: number, message: string): Problem => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), message };
  };
  const broken = (offset: number, message: string): ParsedConfig => ({
    config: undefined,
    problems: [problemAt(offset, `The file cannot be read from here on: ${message}`)],
  });
  if (text.length > maxLength) return broken(0, `it has more than ${maxLength} characters.`);
  try {
    const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: 'silent' } as const;
    const document = parseDocument(text, options);
    const [error] = document.errors;
    if (error !== undefined) return broken(error.pos[0], error.message);
    const { contents } = document;
    if (contents !== null && !isMap(contents) && text.trim() !== '') {
      return broken(contents.range[0], 'settings were expected, as `name: value`.');
    }
    const reading: Reading = { document, findings: [], offsets: new Map() };
    const read = (readShape(reading, configShape, contents, '') ?? {}) as Partial<HallConfig>;
    const config = settle(reading, read, dirname(file));
    const found = reading.findings.toSorted((a, b) => a.offset - b.offset).slice(0, maxProblems);
    return { config, problems: found.map(({ offset, message }) => problemAt(offset, message)) };
  } catch (error) {
    return broken(0, error instanceof RangeError ? 'it is nested too deeply.' : String(error).slice(0, 200));
  }
}

/** Puts defaults where nothing was said, and leaves out what contradicts something before it. */
function settle(reading: Reading, read: Partial<HallConfig>, folder: string): HallConfig {
  const { model, rehearsal, ...rest } = read;
  const models = withoutDoubles(reading, read.models ?? [], 'models', ['name'] as const);
  const scenario = rehearsal?.scenario;
  return {
    ...defaultConfig,
    ...rest,
    models,
    projects: withoutDoubles(reading, read.projects ?? [], 'projects', ['name', 'path'] as const),
    agents: { ...defaultConfig.agents, ...read.agents },
    sandbox: { ...defaultConfig.sandbox, ...read.sandbox },
    ...settleFeatures(read),
    ...(scenario === undefined ? {} : { rehearsal: { scenario: resolve(folder, expandTilde(scenario, homedir())) } }),
    ...(model === undefined || !isKnownModel(reading, model, models) ? {} : { model }),
  };
}

function withoutDoubles<T extends ModelSettings | ProjectSettings>(
  reading: Reading,
  entries: readonly T[],
  list: string,
  fields: readonly (keyof T & string)[],
): T[] {
  const kept: T[] = [];
  for (const entry of entries) {
    const field = fields.find((name) => kept.some((other) => other[name] === entry[name]));
    if (field === undefined) kept.push(entry);
    else {
      const message = `This entry of \`${list}\` is left out: the ${field} "${String(entry[field])}" is taken by one before it.`;
      reading.findings.push({ offset: reading.offsets.get(entry) ?? 0, message });
    }
  }
  return kept;
}

function isKnownModel(reading: Reading, model: string, models: readonly ModelSettings[]): boolean {
  if (model === 'rehearsal' || models.some(({ name }) => name === model)) return true;
  const node = isMap(reading.document.contents) ? reading.document.contents.get('model', true) : undefined;
  const known = ['rehearsal', ...models.map(({ name }) => name)].join(', ');
  const message = `\`model\` names "${model}", which is none of \`models\`; expected one of: ${known}.`;
  reading.findings.push({ offset: node?.range?.[0] ?? 0, message });
  return false;
}
