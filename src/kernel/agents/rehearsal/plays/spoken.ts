/** What in a message the person says, and what it only quotes: quoted words are never an order. */

/** Stands for each character that is quoted, so that places in the text stay the same. */
const filler = '·';

const writingVerb =
  /\b(write|draft|create|save|record|compose|put|produce|prepare|document|store|make|update|rewrite|replace|append|remember|decide)\b/i;

/** The lead of a part that tells what was before, or what the message is attached to. */
const historyHead =
  /^\s*(?:#+\s*)?\**(?:comes from|referenced artifacts?|history|earlier(?: (?:turns?|questions?))?|previously|so far|what was said|from the conversation|log|transcript)\b[^.?!\n]{0,60}:/i;
const listItem = /^\s*(?:[-*+•]|\d+[.)])\s/;
/** A list that follows this is a list of orders. */
const orderHead = /\b(please|do|tasks?|to-?dos?|now|following)\b[^.?!\n]*:\s*$/i;

function blanked(text: string): string {
  return text.replaceAll(/[^\n]/g, filler);
}

/** The text with history, block quotes, code blocks and lists of what was said blanked; of the same length. */
function withoutHistory(text: string): string {
  const plain = text.replaceAll(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1[^\n]*$|(?![\s\S]))/gm, blanked);
  const lines: string[] = [];
  let inHistory = false;
  let hadContent = false;
  let takesOrders = false;
  for (const [i, line] of plain.split('\n').entries()) {
    const isList = listItem.test(line) || (/^\s{2,}\S/.test(line) && lines.at(-1)?.startsWith(filler) === true);
    const isText = line.trim() !== '' && !isList;
    if (historyHead.test(line)) [inHistory, hadContent] = [true, false];
    else if (inHistory && isText && hadContent && plain.split('\n')[i - 1]?.trim() === '') inHistory = false;
    if (inHistory && line.trim() !== '') hadContent = true;
    if (isText && !inHistory) takesOrders = orderHead.test(line);
    const isQuoted = /^\s*>/.test(line) || inHistory || (isList && !takesOrders);
    lines.push(isQuoted ? blanked(line) : line);
  }
  return lines.join('\n');
}

const inlineQuotes = /“[^”]*(?:”|$)|„[^“”]*[“”]|«[^»]*»|"[^"\n]*"|`[^`\n]+`/g;

/** What is left of a message when all quoted words are blanked too; of the same length. A quoted path stays. */
export function ownWords(text: string): string {
  return withoutHistory(text).replaceAll(inlineQuotes, (quote) => {
    const inner = quote.slice(1, -1);
    const isPath = /\.(?:mdx?|txt|ya?ml|json)$/i.test(inner) && inner.length < 160 && !writingVerb.test(inner);
    const isCode = quote.startsWith('`') && !(/\s/.test(inner) && writingVerb.test(inner));
    return isPath || isCode ? quote : blanked(quote);
  });
}

/** The person's words without history, for reading a subject out of them. */
export function spokenText(text: string): string {
  const rest = withoutHistory(text)
    .replaceAll(/^[·\s]*·$/gm, '')
    .replaceAll(/·+/g, ' ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return rest === '' ? text : rest;
}
