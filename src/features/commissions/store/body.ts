/**
 * The words below a record's frontmatter: title, prompt and result for a reader. Each part stands between two comments,
 * so that a part is replaced and what a person wrote around it stays. Pure.
 */
const promptMarks = ['<!-- prompt -->', '<!-- end of the prompt -->'] as const;
const resultMarks = ['<!-- result -->', '<!-- end of the result -->'] as const;
type Marks = typeof promptMarks | typeof resultMarks;

export function bodyOfNew(title: string, prompt: string): string {
  return `${headingOf(title)}\n\n${part(promptMarks, prompt)}`;
}

/** The body with another prompt and title; the heading is changed where it says the old title. */
export function withPrompt(body: string, before: { readonly title: string }, title: string, prompt: string): string {
  const old = `${headingOf(before.title)}\n`;
  const headed = body.startsWith(old) ? `${headingOf(title)}\n${body.slice(old.length)}` : body;
  return replacePart(headed, promptMarks, prompt);
}

/** The body with the result at its end; null takes it out. */
export function withResult(body: string, summary: string | null): string {
  if (summary !== null) {
    return replacePart(body, resultMarks, `## Result\n\n${withoutMarks(summary.trim())}`);
  }
  const place = placeOfPart(body, resultMarks);
  return place === undefined ? body : `${body.slice(0, place.from).trimEnd()}\n${body.slice(place.to).trimStart()}`;
}

/** The prompt as it stands in the body, unchanged; undefined where its comments are not there. */
export function promptOfBody(body: string): string | undefined {
  const place = placeOfPart(body, promptMarks);
  return place === undefined ? undefined : body.slice(place.textFrom, place.textTo);
}

function headingOf(title: string): string {
  return `# ${title.replaceAll(/\s+/g, ' ').trim()}`;
}

function part([open, close]: Marks, text: string): string {
  return `${open}\n${text}\n${close}\n`;
}

function replacePart(body: string, marks: Marks, text: string): string {
  const place = placeOfPart(body, marks);
  if (place !== undefined) return body.slice(0, place.from) + part(marks, text) + body.slice(place.to);
  return `${body.trimEnd()}${body.trim() === '' ? '' : '\n\n'}${part(marks, text)}`;
}

interface Place {
  readonly from: number;
  readonly textFrom: number;
  readonly textTo: number;
  readonly to: number;
}

/** From the first opening comment to the last closing one: a prompt may hold such comments itself. */
function placeOfPart(body: string, marks: Marks): Place | undefined {
  const [open, close] = marks;
  // A prompt that talks of results ends before the result does.
  const earliest = marks === resultMarks ? body.lastIndexOf(`\n${promptMarks[1]}\n`) + 1 : 0;
  const from = body.startsWith(`${open}\n`, earliest) ? earliest : body.indexOf(`\n${open}\n`, earliest) + 1;
  if (!body.startsWith(`${open}\n`, from)) return undefined;
  const textFrom = from + open.length + 1;
  const textTo = body.lastIndexOf(`\n${close}\n`);
  return textTo < textFrom ? undefined : { from, textFrom, textTo, to: textTo + close.length + 2 };
}

function withoutMarks(text: string): string {
  return [...promptMarks, ...resultMarks].reduce(
    (safe, mark) => safe.replaceAll(mark, mark.replace('<!--', '<! --')),
    text,
  );
}
