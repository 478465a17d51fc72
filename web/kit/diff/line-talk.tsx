/** What is said of the lines of a change, and the place to say it: under the line. */
import type { ReactNode } from 'react';

export interface LineTalk {
  /** How many remarks there are on the file. */
  readonly count: number;
  /** What was said, by the line's number in the new text. */
  readonly said: ReadonlyMap<number, readonly string[]>;
  /** The line that is being written about. */
  readonly at: number | null;
  /** The field, which stands under that line. */
  readonly field: ReactNode;
  /** Left out: nothing can be said now. */
  readonly onBegin?: ((line: number) => void) | undefined;
}

export function LineTalkRow({ talk, line }: { readonly talk: LineTalk; readonly line: number }) {
  const said = talk.said.get(line) ?? [];
  if (said.length === 0 && talk.at !== line) return null;
  return (
    <tr>
      <td colSpan={3} className="p-0">
        {/* As wide as what is seen of the lines, however far these go. */}
        <div className="sticky left-0 flex w-[min(100%,44rem)] max-w-[calc(100vw-2rem)] flex-col gap-2 px-3 py-2 font-sans phone:pl-12">
          {said.map((text, nth) => (
            <Remark key={nth} text={text} />
          ))}
          {talk.at === line && talk.field}
        </div>
      </td>
    </tr>
  );
}

/** The person's words about a line, or about the whole of it. */
export function Remark({ text }: { readonly text: string }) {
  return (
    <p dir="auto" className="border-l-2 border-note pl-3 text-13 leading-normal whitespace-pre-wrap text-ink">
      <span className="sr-only">Remark: </span>
      {text}
    </p>
  );
}
