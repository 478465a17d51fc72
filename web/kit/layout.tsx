/** How a page is laid out: a head that is the same for every object, a main column, a context column that folds. */
import { useRouterState } from '@tanstack/react-router';
import { PanelRight, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { createContext, type ReactNode, use, useEffect, useState, useSyncExternalStore } from 'react';
import { keep, readKept } from '../state/kept.ts';
import { IconButton } from './button.tsx';
import { useFocusBack } from './focus.ts';
import { plainTitle } from './plain-title.ts';

export interface PageProps {
  /** Of the browser's window; the hall's name follows. */
  readonly title: string;
  readonly head: ReactNode;
  readonly children: ReactNode;
  readonly context?: ReactNode;
  /** Name of the context column, for the button that folds it. */
  readonly contextLabel?: string;
  /** The main column wants the room: the context stands beside it in very wide windows alone. */
  readonly isRoomy?: boolean;
}

/** What hangs below the head of every page, over what is scrolled there: it comes and goes, and moves nothing. */
export const BelowHead = createContext<ReactNode>(null);

const foldKey = 'guild-hall.context-folded';

export function Page({ title, head, children, context, contextLabel = 'Details', isRoomy = false }: PageProps) {
  useEffect(() => {
    document.title = `${plainTitle(title)} · Guild Hall`;
  }, [title]);
  const isWide = useIsWide(isRoomy ? veryWide : wideEnough);
  const [isFolded, setFolded] = useState(() => readKept(foldKey) === 'yes');
  const [isSheetOpen, setSheetOpen] = useState(false);
  const address = useRouterState({ select: ({ location }) => location.href });
  // What was chosen in the sheet comes instead of it, not over it.
  useEffect(() => setSheetOpen(false), [address]);
  const toggle = () => {
    if (!isWide) return setSheetOpen(true);
    keep(foldKey, isFolded ? 'no' : 'yes');
    setFolded(!isFolded);
  };
  return (
    <div className="flex min-h-full flex-1 flex-col">
      <header className="sticky top-0 z-20 border-b border-line bg-paper">
        <div className="flex items-center gap-3 px-4 py-3 phone:px-8">
          <div className="min-w-0 flex-1">{head}</div>
          {context !== undefined && (
            <IconButton
              icon={PanelRight}
              label={contextLabel}
              aria-expanded={isWide ? !isFolded : isSheetOpen}
              onClick={toggle}
              // On a phone beside the title: the line of actions below it wants the whole width.
              className="max-phone:self-start"
            />
          )}
        </div>
        <div className="absolute inset-x-0 top-full">{use(BelowHead)}</div>
      </header>
      <div className="flex flex-1">
        <div className="flex min-w-0 flex-1 flex-col">{children}</div>
        {context !== undefined && isWide && !isFolded && (
          <aside aria-label={contextLabel} className="w-80 shrink-0 border-l border-line">
            <div className="sticky top-20 flex max-h-[calc(100dvh-5rem)] flex-col gap-6 overflow-y-auto px-6 py-6">
              {context}
            </div>
          </aside>
        )}
        {context !== undefined && !isWide && (
          <Sheet label={contextLabel} isOpen={isSheetOpen} onOpenChange={setSheetOpen}>
            {context}
          </Sheet>
        )}
      </div>
    </div>
  );
}

/** The context where there is no room beside the page: over it, from the right, and gone again with Esc. */
function Sheet({
  label,
  isOpen,
  onOpenChange,
  children,
}: {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children: ReactNode;
}) {
  useFocusBack(isOpen);
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-50 flex w-[min(24rem,calc(100vw-2rem))] animate-arrive flex-col gap-6 overflow-y-auto border-l border-line bg-paper px-5 py-4 shadow-float"
        >
          <div className="flex items-center gap-2">
            <Dialog.Title className="min-w-0 flex-1 truncate font-serif text-18 font-semibold">{label}</Dialog.Title>
            <Dialog.Close asChild>
              <IconButton icon={X} label="Close this" className="-mr-2" />
            </Dialog.Close>
          </div>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** `wide` of tokens.css. */
const wideEnough = matchMedia('(min-width: 77rem)');

const veryWide = matchMedia('(min-width: 100rem)');

function useIsWide(enough: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      enough.addEventListener('change', listener);
      return () => enough.removeEventListener('change', listener);
    },
    () => enough.matches,
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
      <div className="flex min-w-0 flex-[1_1_11rem] flex-col gap-1 max-phone:pt-1.5 phone:flex-[1_1_20rem]">
        <div className="flex min-w-0 items-center gap-2.5">
          {mark}
          <h1
            dir="auto"
            className="line-clamp-2 min-w-0 font-serif text-18 font-semibold phone:line-clamp-1 phone:text-24"
            title={plainTitle(title)}
          >
            {plainTitle(title)}
          </h1>
        </div>
        {facts && (
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-13 text-faint phone:gap-x-4">{facts}</div>
        )}
      </div>
      {actions && <div className="flex items-center gap-2 max-phone:self-start">{actions}</div>}
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
