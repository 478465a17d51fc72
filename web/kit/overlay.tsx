/** What lies over the page: a dialog for one decision, a menu for the rest of the actions. Never one upon another. */
import { X } from 'lucide-react';
import { Dialog as Radix, DropdownMenu } from 'radix-ui';
import { createContext, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { useFocusBack } from './focus.ts';
import { plainTitle } from './plain-title.ts';

/** True for the pieces of a dialog: their keys count while it is open. */
export const WithinDialog = createContext(false);

export interface DialogProps {
  readonly title: string;
  /** What it is about, in a sentence; what is lost and what is kept, where something is. */
  readonly description?: ReactNode;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly children?: ReactNode;
  /** `page`: something to read that wants the room of a page. */
  readonly width?: 'narrow' | 'wide' | 'page';
}

const widths = {
  narrow: 'top-[max(2rem,12vh)] max-h-[80vh] max-w-lg',
  wide: 'top-[max(2rem,12vh)] max-h-[80vh] max-w-3xl',
  page: 'top-[max(0.75rem,5vh)] max-h-[90vh] max-w-5xl',
};

export function Dialog({ title, description, isOpen, onOpenChange, children, width = 'narrow' }: DialogProps) {
  useFocusBack(isOpen);
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
          onOpenAutoFocus={focusFirstField}
          className={`fixed inset-x-3 z-50 mx-auto flex animate-arrive flex-col gap-4 scroll-pb-20 overflow-y-auto outline-none rounded-lg border border-line bg-raised p-5 shadow-float phone:p-6 ${widths[width]}`}
        >
          <div className="flex items-start gap-4">
            <div className="flex min-w-0 flex-1 flex-col gap-1.5">
              <Radix.Title dir="auto" className="font-serif text-18 font-semibold">
                {plainTitle(title)}
              </Radix.Title>
              {description !== undefined && (
                <Radix.Description asChild>
                  <div className="text-15 text-soft">{description}</div>
                </Radix.Description>
              )}
            </div>
            <Radix.Close asChild>
              <IconButton icon={X} label="Close this" className="-mt-1 -mr-2" />
            </Radix.Close>
          </div>
          <WithinDialog value>{children}</WithinDialog>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Its first field has the focus, or the whole of it: then the keys that scroll, scroll it. */
function focusFirstField(event: Event): void {
  const content = event.currentTarget as HTMLElement;
  event.preventDefault();
  if (content.contains(document.activeElement)) return;
  (content.querySelector<HTMLElement>('input, textarea, select') ?? content).focus();
}

/** The line of buttons at the end of a dialog; in sight, however long what is before it. */
export function DialogActions({ children }: { readonly children: ReactNode }) {
  return (
    <div className="sticky -bottom-5 z-10 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 bg-raised px-5 pt-2 pb-5 phone:-bottom-6 phone:-mx-6 phone:-mb-6 phone:px-6 phone:pb-6">
      {children}
    </div>
  );
}

export interface MenuItem {
  readonly label: string;
  readonly onSelect: () => void;
  readonly isDanger?: boolean;
  readonly blockedBecause?: string | undefined;
  /** Where there is room it is a button of its own. */
  readonly isPhoneOnly?: boolean;
}

/** @param trigger a button, which gets the menu's behaviour */
export function Menu({ trigger, items }: { readonly trigger: ReactNode; readonly items: readonly MenuItem[] }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-44 animate-arrive rounded-md border border-line bg-raised p-1 shadow-float"
        >
          {items.map(({ label, onSelect, isDanger = false, blockedBecause, isPhoneOnly = false }) => (
            <DropdownMenu.Item
              key={label}
              onSelect={onSelect}
              disabled={blockedBecause !== undefined}
              title={blockedBecause}
              className={`flex cursor-pointer items-center rounded-sm px-2.5 py-1.5 text-13 outline-none max-phone:min-h-10 max-phone:text-15 data-disabled:cursor-default data-disabled:opacity-55 data-highlighted:bg-hover ${isDanger ? 'text-failed' : 'text-ink'} ${isPhoneOnly ? 'phone:hidden' : ''}`}
            >
              {plainTitle(label)}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
