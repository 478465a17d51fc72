/** Which part of the project a question is about. */
import type { Situation } from '../situation.ts';
import { type Hit, pathsOf } from './evidence.ts';
import { code } from './markdown.ts';
import { lookUpNames } from './names.ts';
import { offeredTool } from './offered.ts';
import type { Question } from './question.ts';
import type { Step } from './search.ts';
import { rootOf } from './words.ts';

export interface Place {
  /** Relative to the working directory, without a slash at the end. */
  readonly path: string;
  readonly kind: 'folder' | 'file';
}

export interface Scope {
  /** Options of a Grep. */
  readonly options: Record<string, unknown>;
  /** ` in …`; empty for the whole project. */
  readonly says: string;
  accepts(hit: Hit): boolean;
  /** What was named and is not there. */
  readonly missing?: string;
}

const everywhere: Scope = { options: {}, says: '', accepts: () => true };

/** The folder or file that is meant by `src/core`, `core/` or `core`; undefined when there is none. */
export function* resolvePlace(situation: Situation, named: string): Step<Place | undefined> {
  const path = named.replace(/^\.?\/+/, '').replace(/[/.]+$/, '');
  if (path === '') return undefined;
  if (offeredTool(situation, 'Glob') === undefined) return { path, kind: /\.\w+$/.test(path) ? 'file' : 'folder' };
  const isFileName = /\.\w+$/.test(path);
  const [first] = yield [{ name: 'Glob', input: { pattern: isFileName ? path : `${path}/**` } }];
  if (pathsOf(situation, first).length > 0) return { path, kind: isFileName ? 'file' : 'folder' };
  const calls = yield [`**/${path}/**`, `**/${path}`].map((pattern) => ({ name: 'Glob', input: { pattern } }));
  const [below, files] = calls.map((call) => pathsOf(situation, call));
  const folders = (below ?? []).flatMap((file) => {
    const at = `/${file}`.indexOf(`/${path}/`);
    return at < 0 ? [] : [file.slice(0, at + path.length)];
  });
  const shortest = (list: readonly string[]): string | undefined => list.toSorted((a, b) => a.length - b.length)[0];
  const folder = shortest(folders);
  if (folder !== undefined) return { path: folder, kind: 'folder' };
  const file = shortest(files ?? []);
  if (file !== undefined) return { path: file, kind: 'file' };
  // A sentence that begins with a path gives it a capital.
  return /^[A-Z]/.test(path) ? yield* resolvePlace(situation, path.charAt(0).toLowerCase() + path.slice(1)) : undefined;
}

/** The word after `in`, when it may be the name of a folder: `in core?`, `in the v3 folder`. */
function folderWord(text: string): string | undefined {
  return /\b(?:in|under|inside|within|of)\s+(?:the\s+)?`?([\w@-]+)`?(?:\s+(?:folder|directory|package|code))?\s*[?.!]*$/i.exec(
    text.trim(),
  )?.[1];
}

/** What part of the project is meant: what is named, the file that defines a name, or paths and lines with a word. */
export function* scopeOf(situation: Situation, question: Question, notScope: RegExp): Step<Scope> {
  const { files, names, words } = question.terms;
  const named = files[0] ?? folderWord(question.text);
  if (named !== undefined && !notScope.test(named)) {
    const place = yield* resolvePlace(situation, named);
    if (place !== undefined) return withinPlace(place);
    if (files[0] !== undefined) return { ...everywhere, missing: files[0] };
  }
  const own = names.filter((name) => !notScope.test(name));
  const [finding] = yield* lookUpNames(situation, own.slice(0, 1));
  const home = finding?.definitions[0];
  if (home !== undefined) {
    const says = ` in \`${home.path}\`, where \`${finding!.name}\` is defined`;
    return { options: { path: home.path }, says, accepts: () => true };
  }
  const word = words.find((candidate) => !notScope.test(candidate));
  if (word === undefined) return everywhere;
  const root = rootOf(word);
  return {
    options: {},
    says: ` that have to do with *${word}* by path or text`,
    accepts: (hit) => `${hit.path} ${hit.text}`.toLowerCase().includes(root),
  };
}

function withinPlace(place: Place): Scope {
  const says = ` in ${code(place.kind === 'folder' ? `${place.path}/` : place.path)}`;
  return { options: { path: place.path }, says, accepts: () => true };
}

/** Said instead of an answer where a place is named that is not there. */
export function missingPlace(named: string): string {
  return `There is no file or folder ${code(named)} here, so I searched nothing. *Give me an overview* shows which folders there are.`;
}
