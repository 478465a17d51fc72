/** How a page is laid out: a head that is the same for every object, a main column, a context column that folds. */
import { PanelRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { IconButton } from './button.tsx';

export interface PageProps {
  /** Of the browser's window; the hall's name follows. */
  readonly title: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
  readonly context?: ReactNode;
  /** Name of the context column, for the button that folds it. */
  readonly contextLabel?: string;
}

const foldKey = 'guild-hall.context-folded';

export function Page({ title, head, children, context, contextLabel = 'Details' }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Guild Hall`;
  }, [title]);
  const [isFolded, setFolded] = useState(() => localStorage.getItem(foldKey) === 'yes');
  const [isOpenOnPhone, setOpenOnPhone] = useState(false);
  const toggle = () => {
    setOpenOnPhone(!isOpenOnPhone);
    localStorage.setItem(foldKey, isFolded ? 'no' : 'yes');
    setFolded(!isFolded);
  };
  return (
    <div className="flex min-h-full flex-1 flex-col">
      <header className="sticky top-0 z-20 border-b border-line bg-paper/95 backdrop-blur-[2px]">
        <div className="flex items-center gap-3 px-4 py-3 phone:px-8">
          <div className="min-w-0 flex-1">{head}</div>
          {context !== undefined && (
            <IconButton icon={PanelRight} label={contextLabel} aria-expanded={!isFolded} onClick={toggle} />
          )}
        </div>
      </header>
      <div className="flex flex-1 flex-col wide:flex-row">
        <div className="flex min-w-0 flex-1 flex-col">{children}</div>
        {context !== undefined && (
          <aside
            aria-label={contextLabel}
            className={`${isOpenOnPhone ? 'block' : 'hidden'} border-line px-4 py-6 phone:px-8 max-wide:order-first max-wide:border-b wide:w-80 wide:shrink-0 wide:border-l wide:px-6 ${isFolded ? 'wide:hidden' : 'wide:block'}`}
          >
            <div className="flex flex-col gap-6 wide:sticky wide:top-24">{context}</div>
          </aside>
        )}
      </div>
    </div>
  );
}

export interface ObjectHeadProps {
  readonly title: string;
  /** The worker's mark, or an icon. */
  readonly mark?: ReactNode;
  /** State, since when, branch, cost: quiet facts in one line. */
  readonly facts?: ReactNode;
  /** The two actions that matter; the rest in a menu. */
  readonly actions?: ReactNode;
}

export function ObjectHead({ title, mark, facts, actions }: ObjectHeadProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-[1_1_20rem] flex-col gap-1">
        <div className="flex min-w-0 items-center gap-2.5">
          {mark}
          <h1 className="min-w-0 truncate font-serif text-24 font-semibold" title={title}>
            {title}
          </h1>
        </div>
        {facts && <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-13 text-faint">{facts}</div>}
      </div>
      {actions && <div className="flex items-center gap-2">{actions}</div>}
    </div>
  );
}

/** A part of a page or of the context column, with a heading of its own. */
export function Section({
  title,
  count,
  action,
  children,
}: {
  readonly title: string;
  readonly count?: number | undefined;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <div className="flex min-h-8 items-center gap-2">
        <h2 className="text-13 font-semibold text-soft">{title}</h2>
        {count !== undefined && count > 0 && <span className="text-12 text-faint">{count}</span>}
        <span className="flex-1" />
        {action}
      </div>
      {children}
    </section>
  );
}
