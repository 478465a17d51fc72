/** The look of the picker, in the words of the house. */
import type { ClassNamesConfig, GroupBase } from 'react-select';
import type { Entry } from '../../kit/session-entries.ts';

export const pickerClasses: ClassNamesConfig<Entry, false, GroupBase<Entry> & { readonly label: string }> = {
  container: () => 'w-full min-w-0',
  control: ({ isFocused, menuIsOpen }) =>
    `min-h-9! rounded-md border bg-raised px-3 text-15 text-ink max-phone:min-h-10! ${isFocused || menuIsOpen ? 'border-ember' : 'border-line hover:border-line-strong'}`,
  valueContainer: () => 'gap-1 min-w-0',
  singleValue: () => 'truncate font-medium',
  placeholder: () => 'text-faint',
  input: () => 'text-ink',
  dropdownIndicator: () => 'text-soft',
  loadingIndicator: () => 'text-faint',
  menu: () =>
    'z-40! mt-1 animate-arrive overflow-hidden rounded-md border border-line bg-raised shadow-float max-phone:min-w-[calc(100vw-2rem)]',
  option: ({ isFocused, isSelected }) =>
    `h-full px-3 text-15 text-ink ${isFocused ? 'bg-hover' : ''} ${isSelected ? 'font-medium' : ''}`,
  noOptionsMessage: () => 'px-3 py-3 text-left! text-13 text-soft',
  loadingMessage: () => 'px-3 py-3 text-left! text-13 text-soft',
};
