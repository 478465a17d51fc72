/** Lists of things: one line each, a thin rule between, the whole line to press. */
import type { ReactNode } from 'react';

export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-y border-line">
      {children}
    </ul>
  );
}

/** Classes of the link or button that is the row. */
export const rowClass =
  '-mx-2 flex min-h-11 items-center gap-3 rounded-md px-2 py-2 transition-colors duration-120 hover:bg-hover focus-visible:outline-offset-0';

export interface RowTextProps {
  readonly mark?: ReactNode;
  readonly title: ReactNode;
  /** A second, quiet line. */
  readonly detail?: ReactNode;
  /** At the end of the line: state, time. */
  readonly facts?: ReactNode;
}

/** What stands in a row. At phone width the facts come under the title. */
export function RowText({ mark, title, detail, facts }: RowTextProps) {
  return (
    <>
      {mark}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4 gap-y-0.5">
        <span className="flex min-w-0 flex-[1_1_14rem] flex-col">
          <span className="truncate text-15 text-ink">{title}</span>
          {detail !== undefined && <span className="truncate text-13 text-faint">{detail}</span>}
        </span>
        {facts !== undefined && <span className="flex shrink-0 items-baseline gap-3 text-13 text-faint">{facts}</span>}
      </span>
    </>
  );
}
