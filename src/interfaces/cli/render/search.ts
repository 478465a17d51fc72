/** What was found, for a person: by project, the words that were looked for in bold. */
import type { SearchAnswer, SearchHit, Touch } from '../../../features/search/contract.ts';
import type { Renderer } from '../parts.ts';
import { oneLine, plainText, type Terminal } from '../terminal.ts';
import { hanging } from '../wrap.ts';

function renderSearch(answer: SearchAnswer, term: Terminal): string {
  const { hits, terms } = answer;
  const parts = [
    renderTouched(answer, term),
    hits.length === 0 ? '' : headOf(answer, term),
    ...byProject(hits).map(([project, own]) => renderProject(project, own, answer, term)),
    hits.length === 0 && terms.length > 0 ? renderNothing(answer, term) : '',
    renderRest(answer, term),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function headOf({ hits, total, terms }: SearchAnswer, term: Terminal): string {
  const many =
    hits.length < total
      ? `The best ${hits.length} of ${counted(total, 'match', 'matches')}`
      : counted(total, 'match', 'matches');
  return `${term.style('dim', `${many} for ${wordsOf(terms)}`)}\n`;
}

/** In the order of the best hit of each. */
function byProject(hits: readonly SearchHit[]): [string, SearchHit[]][] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) groups.set(hit.project, [...(groups.get(hit.project) ?? []), hit]);
  return [...groups];
}

function renderProject(
  project: string,
  hits: readonly SearchHit[],
  { searched }: SearchAnswer,
  term: Terminal,
): string {
  const head = searched.projects.length > 1 ? `${term.style('bold', plainText(project))}\n\n` : '';
  return head + hits.map((hit) => renderHit(hit, term)).join('\n');
}

function renderHit(hit: SearchHit, term: Terminal): string {
  const facts = [hit.kind, dayOf(hit.at), hit.more > 0 ? `${hit.more} more in it` : ''].filter((fact) => fact !== '');
  const title = `${term.style('cyan', '●')} ${term.style('bold', oneLine(hit.title, Math.max(40, term.width - 30)))}`;
  return [
    `${title}  ${term.style('dim', facts.join(' · '))}\n`,
    hit.snippet.text === '' ? '' : `  ${snippetFor(hit, term)}\n`,
    hit.command === '' ? '' : `  ${term.style('dim', term.hint(plainText(hit.command)))}\n`,
  ].join('');
}

/** Broken into lines first, so that the marks do not count as columns. */
function snippetFor({ snippet: { text, marks } }: SearchHit, term: Terminal): string {
  const lines = term.isTty ? hanging(text, 2, term.width) : text;
  let out = '';
  let at = 0;
  // What breaks a line stands for one blank of the text.
  const places = placesOf(text, lines);
  for (const [from, to] of marks) {
    const [start, end] = [places[from] ?? lines.length, places[to] ?? lines.length];
    out +=
      plainText(lines.slice(at, start)) + term.style('yellow', term.style('bold', plainText(lines.slice(start, end))));
    at = end;
  }
  return out + plainText(lines.slice(at));
}

/** For each unit of the text, and its end, where it stands in its lines. */
function placesOf(text: string, lines: string): number[] {
  const places: number[] = [];
  let at = 0;
  for (let unit = 0; unit <= text.length; unit += 1) {
    places.push(at);
    at += lines[at] === '\n' ? 3 : 1;
  }
  return places;
}

function renderTouched({ file, touched }: SearchAnswer, term: Terminal): string {
  if (file === null) return '';
  if (touched.length === 0) return `No commit of the hall’s branch has touched ${plainText(file)}.\n`;
  const head = `${term.style('bold', plainText(file))} was touched by\n`;
  return `${head}${touched.map((touch) => renderTouch(touch, term)).join('')}`;
}

function renderTouch({ activity, author, at, subject, commit, command }: Touch, term: Terminal): string {
  const who = activity === null ? plainText(author) : `${activity.kind} ${activity.id}`;
  const next = command === null ? '' : `    ${term.style('dim', term.hint(command))}\n`;
  return `  ${who}  ${term.style('dim', `${dayOf(at)} · ${commit}`)}  ${oneLine(subject, 80)}\n${next}`;
}

function renderNothing({ terms, searched }: SearchAnswer, term: Terminal): string {
  const { projects, kinds, sources } = searched;
  const where = projects.length === 1 ? `project ${projects[0]}` : counted(projects.length, 'project', 'projects');
  const what = `${counted(sources, 'text', 'texts')} of ${where}`;
  const looked = `Searched: ${what} (${kinds.join(', ')}).`;
  return `Nothing was found for ${wordsOf(terms)}.\n${term.style('dim', looked)}\n`;
}

function renderRest({ searched: { unread, leftOut } }: SearchAnswer, term: Terminal): string {
  const notes = [
    unread > 0 ? `${counted(unread, 'text is', 'texts are')} still being read; search again in a moment.` : '',
    leftOut > 0
      ? `${counted(leftOut, 'text is', 'texts are')} not searched, or not to the end: no plain text, or very long.`
      : '',
  ];
  return notes.map((note) => (note === '' ? '' : `${term.style('dim', note)}\n`)).join('');
}

function wordsOf(terms: readonly string[]): string {
  return terms.length === 0 ? 'these words' : oneLine(terms.join(' '), 80);
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

export const searchRenderers: Readonly<Record<string, Renderer>> = { search: renderSearch };
