/** Questions about what is written under `.lore/`: answered with the hall's own artifact tools where they are offered. */
import type { RehearsalPlay } from '../move.ts';
import type { Situation } from '../situation.ts';
import { headingOf } from './code.ts';
import { bullets, code, listed, paragraphs, plural, shortened } from './markdown.ts';
import { fillInput, offeredTool } from './offered.ts';
import { replayScript, resultText } from './script.ts';
import type { Step } from './search.ts';
import { ownWords, spokenText } from './spoken.ts';
import { readTerms, rootOf, unique } from './words.ts';

const form =
  /\b(artifacts?|\.lore\b|lore\b|our (notes|specs?|decisions|reports)|(which|what|list|show|read|open) .{0,20}\b(notes|specs|decisions|reports|documents) (do we|are there|exist|have we)|what (did|have) we (write|written))/i;

export const artifactsPlay: RehearsalPlay = {
  name: 'artifacts',
  priority: 10,
  play: (situation) => {
    if (!form.test(ownWords(situation.turn.userText)) || offeredTool(situation, 'list_artifacts') === undefined)
      return undefined;
    return replayScript(situation, artifactsScript(situation));
  },
};

function* artifactsScript(situation: Situation): Step<string> {
  const list = offeredTool(situation, 'list_artifacts')!;
  const [listing] = yield [{ name: list.name, input: {} }];
  const text = resultText(listing);
  if (text === undefined)
    return `The list of artifacts could not be had: ${shortened(listing?.result?.text ?? 'no answer', 200)}`;
  const rows = text.split('\n').filter((row) => /\.md\b/.test(row));
  const paths = unique(rows.flatMap((row) => /[\w./@-]+\.mdx?\b/.exec(row)?.[0] ?? []));
  if (paths.length === 0)
    return `There are no artifacts yet. (The list says: ${shortened(text.trim() || 'nothing', 160)})`;
  const terms = readTerms(
    spokenText(situation.turn.userText).replaceAll(/\b(artifacts?|lore|deci\w+|specs?|reports?)\b/gi, ' '),
  );
  const roots = [...terms.words.map((word) => rootOf(word)), ...terms.names.map((name) => name.toLowerCase())];
  const named = terms.files.filter((file) => /\.mdx?$/.test(file));
  const meant =
    named.length > 0 ? paths.filter((path) => named.some((file) => path.endsWith(file.replace(/^\.?\//, '')))) : [];
  const fitting = rows.filter((row) => roots.some((root) => row.toLowerCase().includes(root)));
  const chosen = meant.length > 0 ? meant : unique(fitting.flatMap((row) => /[\w./@-]+\.mdx?\b/.exec(row)?.[0] ?? []));
  const read = offeredTool(situation, 'read_artifact');
  const toRead = read === undefined ? [] : (chosen.length > 0 ? chosen : paths.length <= 2 ? paths : []).slice(0, 3);
  const calls = yield toRead.map((path) => ({ name: read!.name, input: fillInput(read!, { path }) }));
  return paragraphs(
    `There ${paths.length === 1 ? 'is' : 'are'} ${plural(paths.length, 'artifact')}${
      roots.length > 0 && meant.length === 0
        ? `; ${fitting.length === 0 ? 'none of them has' : `${fitting.length} of them ${fitting.length === 1 ? 'has' : 'have'}`} ${listed(
            terms.words.concat(terms.names).map((word) => `*${word}*`),
            'or',
          )} in path or title`
        : ''
    }.`,
    ...toRead.map((path, i) => artifactText(path, resultText(calls[i]) ?? '')),
    (toRead.length === 0 || meant.length === 0) &&
      bullets(rows.slice(0, 20).map((row) => shortened(row.replace(/^[-*\s]+/, ''), 160))),
    rows.length > 20 && `And ${rows.length - 20} more.`,
  );
}

/** Title, status, headings and the first paragraph of an artifact as it was read. */
function artifactText(path: string, source: string): string {
  const lines = source.split('\n');
  const fields = ['title', 'date', 'status', 'tags'].flatMap((field) => {
    const value = lines
      .find((line) => line.startsWith(`${field}:`))
      ?.slice(field.length + 1)
      .trim();
    return value === undefined || value === '' ? [] : [`${field} ${code(value)}`];
  });
  const end = lines.indexOf('---', 1);
  const body = lines.slice(lines[0] === '---' && end > 0 ? end + 1 : 0);
  const prose =
    body.find((line) => line.trim().length > 30 && headingOf(line) === undefined) ??
    body.find((line) => line.trim() !== '' && headingOf(line) === undefined) ??
    '';
  const headings = body.flatMap((line) => headingOf(line) ?? []);
  const number = lines.indexOf(prose) + 1;
  return paragraphs(
    `### \`${path}\``,
    fields.length > 0 && fields.join(', '),
    prose !== '' && `> ${shortened(prose.trim(), 400)}\n>\n> (\`${path}:${number}\`)`,
    headings.length > 0 &&
      `Headings: ${headings
        .slice(0, 10)
        .map((heading) => `“${heading}”`)
        .join(', ')}.`,
  );
}
