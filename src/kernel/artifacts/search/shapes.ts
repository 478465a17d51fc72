/** What search is told of where texts lie, and what it answers. Plain data: it passes between threads. */

/** How a file's text is cut into passages. */
export type Form =
  /** Markdown, with or without frontmatter. */
  | { readonly kind: 'page' }
  /**
   * Entries one after the other, added at the end. `heading`: pattern of the line that begins one, with a group `at` for
   * when; `skip`: of lines that are no words of anybody.
   */
  | { readonly kind: 'talk'; readonly heading: string; readonly skip: string }
  /** JSON values, one a line, added at the end. */
  | LinesForm;

export interface LinesForm {
  readonly kind: 'lines';
  /** What a line begins with before its JSON, where it is more than that. */
  readonly lead?: string;
  /** Field that says what a line is; empty where all are the same. */
  readonly tag: string;
  /** By that word: paths of the fields with words in them, like `turn.body`. Other lines have none. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
  /** Words whose lines go on with what the line before said. */
  readonly joined: readonly string[];
  /** Paths of the field that says when; the first that is there counts. */
  readonly at: readonly string[];
}

/** Where files of one kind of source lie. */
export interface Shelf {
  /** Of all shelves of a project, the only one of this name. */
  readonly name: string;
  /** What its sources are, in a word that means something to whoever asks. */
  readonly kind: string;
  /** Absolute. Nothing is reached through a link below it. */
  readonly root: string;
  /** Relative to it; what follows is below this folder. Empty for the root itself. */
  readonly folder: string;
  /** Patterns of names, one a level; the last one is of files. Empty: every Markdown file at any depth. A group `id` names the source. */
  readonly names: readonly string[];
  /** What stands before the path below the folder where a file has an address in its project: `.lore/`. */
  readonly shownBelow?: string;
  /** Of another kind are those whose shown path begins so; the first that fits. Their file's name is their id. */
  readonly others?: readonly { readonly under: string; readonly kind: string }[];
  /** The file to be read in place of the one that was found. Absolute, with `<id>` in it. */
  readonly instead?: string;
  readonly form: Form;
  /** Where it is given: only sources with these ids, and their titles. */
  readonly titles?: ReadonlyMap<string, string>;
  /** Key of the source that has its title, with `<id>` in it: a shelf's name, and the path below that. */
  readonly titleOf?: string;
}

export interface SearchedProject {
  readonly name: string;
  readonly shelves: readonly Shelf[];
}

export interface FindRequest {
  /** Folder of the search's own files; absolute. */
  readonly home: string;
  readonly projects: readonly SearchedProject[];
  /** As `parseQuery` gives it; without terms the texts are only brought up to date. */
  readonly terms: readonly Term[];
  /** Kinds of sources; all when empty. */
  readonly kinds: readonly string[];
  readonly limit: number;
  /** So many bytes of changed sources are read before the answer; what is left is told as `unread`. */
  readonly readBytes: number;
  /** Milliseconds since 1970: newer texts come before older ones. */
  readonly nowMs: number;
}

/** One thing that is looked for, folded. */
export interface Term {
  readonly text: string;
  /** Words of a phrase come one after the other; a phrase that is found comes before all else. */
  readonly isPhrase: boolean;
  /** It may begin within a word: scripts that put no blanks between words. */
  readonly isInfix: boolean;
}

/** The best passage of a source. */
export interface FoundSource {
  readonly project: string;
  readonly kind: string;
  /** Null for a source that only has a path. */
  readonly id: string | null;
  /** Null for what has no address in its project. */
  readonly path: string | null;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly score: number;
  /** How many passages of it matched. */
  readonly passages: number;
  readonly text: string;
  /** What stands around it, as far as it is needed to see what a secret is. */
  readonly before: string;
  readonly after: string;
}

export interface Found {
  readonly hits: readonly FoundSource[];
  /** Sources that matched. */
  readonly total: number;
  readonly searched: {
    readonly sources: number;
    readonly passages: number;
    /** Changed sources that were not read yet. */
    readonly unread: number;
    /** Sources that are not searched, or only their beginning is: no text, or too long. */
    readonly leftOut: number;
  };
}
