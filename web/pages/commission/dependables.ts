/** What a commission can wait for, by the words that were typed. Pure. */

export interface Dependable {
  readonly kind: 'commission' | 'artifact' | 'path';
  /** The id or the path. */
  readonly on: string;
  readonly title: string;
  readonly detail: string;
}

export interface Known {
  readonly artifacts: readonly { readonly path: string; readonly title: string }[];
  readonly commissions: readonly { readonly id: string; readonly title: string; readonly status: string | null }[];
}

/** So many are offered of each kind; more words make fewer. */
const offeredAtOnce = 4;

export function offersFor(words: string, known: Known, chosen: readonly string[]): readonly Dependable[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const isMeant = ({ on, title }: Dependable) => {
    const text = `${on} ${title}`.toLowerCase();
    return !chosen.includes(on) && wanted.every((word) => text.includes(word));
  };
  const commissions = known.commissions.map(({ id, title, status }): Dependable => ({
    kind: 'commission',
    on: id,
    title,
    detail: (status ?? 'unreadable').replace('_', ' '),
  }));
  const artifacts = known.artifacts.map(({ path, title }): Dependable => ({
    kind: 'artifact',
    on: path,
    title,
    detail: path,
  }));
  const found = [commissions, artifacts].flatMap((all) => all.filter(isMeant).slice(0, offeredAtOnce));
  const path = words.trim();
  const isNew = looksLikePath(path) && !chosen.includes(path) && found.every(({ on }) => on !== path);
  const asPath: Dependable = { kind: 'path', on: path, title: path, detail: 'a file that may not be there yet' };
  return isNew ? [...found, asPath] : found;
}

/** `notes/x.md`, `README.md`; not two words, and nothing that leads out of the project. */
function looksLikePath(text: string): boolean {
  return /^[^\s/][^\s]*$/.test(text) && /[./]/.test(text.slice(1)) && !text.split('/').includes('..');
}
