/** Unified hunks as lines with their numbers. Pure. */

export interface DiffLine {
  /** `begin`: the text begins here. `gap`: lines between that are as they were. `note`: a word of git's about the line before. */
  readonly kind: 'same' | 'added' | 'removed' | 'begin' | 'gap' | 'note';
  /** Number in the text before, and after; null where the line is not in it. */
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** What stands before the first hunk is git's own head of the file, which the page says in words. */
export function readDiff(text: string): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const head = hunkHead.exec(line);
    if (head !== null) {
      before = Number(head[1]);
      after = Number(head[2]);
      const isBegin = lines.length === 0 && before <= 1 && after <= 1;
      lines.push({ kind: isBegin ? 'begin' : 'gap', before: null, after: null, text: head[3] ?? '' });
    } else if (lines.length > 0) {
      const read = readLine(line, before, after);
      if (read.before !== null) before += 1;
      if (read.after !== null) after += 1;
      lines.push(read);
    }
  }
  return lines;
}

function readLine(line: string, before: number, after: number): DiffLine {
  const text = line.slice(1);
  switch (line.charAt(0)) {
    case '+':
      return { kind: 'added', before: null, after, text };
    case '-':
      return { kind: 'removed', before, after: null, text };
    case '\\':
      return { kind: 'note', before: null, after: null, text: text.trim() };
    default:
      return { kind: 'same', before, after, text };
  }
}

/** Git's letter as a word. */
export function sayStatus(letter: string): string {
  const words: Readonly<Record<string, string>> = {
    A: 'new',
    M: 'changed',
    D: 'deleted',
    R: 'moved',
    C: 'copied',
    T: 'became something else',
  };
  return words[letter.charAt(0)] ?? 'changed';
}
