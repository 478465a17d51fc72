/** Lists of things: one line each, a thin rule between, the whole line to press. */
import type { ReactNode } from 'react';
import { plainTitle } from './plain-title.ts';

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
          <Line className="text-15 text-ink">{title}</Line>
          {detail !== undefined && <Line className="text-13 text-faint">{detail}</Line>}
        </span>
        {facts !== undefined && (
          // Each in its own width, but none pushes the title out; a state of many words is cut, a time never is.
          <span className="flex max-w-full min-w-0 items-baseline gap-3 text-13 text-faint phone:max-w-[50%] [&>*]:min-w-0 [&>*]:truncate [&>time]:shrink-0">
            {facts}
          </span>
        )}
      </span>
    </>
  );
}

/** In the direction of its own words, at the row's beginning. */
function Line({ className, children }: { readonly className: string; readonly children: ReactNode }) {
  return (
    <span dir="auto" className={`max-w-full self-start truncate ${className}`}>
      {typeof children === 'string' ? plainTitle(children) : children}
    </span>
  );
}
