/** The open list of the picker: of thousands of entries only those in sight are drawn, and the one that has the focus. */
import {
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { GroupBase, GroupProps, MenuListProps } from 'react-select';
import type { Entry } from '../../kit/session-entries.ts';

type Group = GroupBase<Entry> & { readonly label: string };

/** What is done when the list was scrolled near to its end. */
export const NearEnd = createContext<() => void>(() => {});

/** So near, more comes. Pixels. */
const nearEnd = 1200;

/** So much is drawn beyond what is in sight. Pixels. */
const margin = 300;

interface Sight {
  readonly list: RefObject<HTMLDivElement | null>;
  /** How far it is scrolled, and how high it is. Pixels. */
  readonly top: number;
  readonly height: number;
  readonly focused: Entry | null;
  /** Where each group begins. Pixels. */
  readonly starts: ReadonlyMap<Group, number>;
}

const SightContext = createContext<Sight | null>(null);

/** Of an entry: a finger wants more room. Pixels. */
const narrow = matchMedia('(max-width: 40rem)');
const rowHeight = (): number => (narrow.matches ? 44 : 36);
const headHeight = 30;

export function WindowedMenuList(props: MenuListProps<Entry, false, Group>) {
  const { children, innerRef, innerProps, maxHeight, focusedOption } = props;
  const onNearEnd = use(NearEnd);
  const list = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: maxHeight });
  const look = () => {
    const { scrollTop = 0, clientHeight = 0 } = list.current ?? {};
    setPlace({ top: scrollTop, height: clientHeight });
  };
  useLayoutEffect(look, [children]);
  return (
    <SightContext value={{ list, ...place, focused: focusedOption, starts: startsOf(children) }}>
      <div
        {...innerProps}
        ref={(element) => {
          list.current = element;
          if (typeof innerRef === 'function') innerRef(element);
          else if (innerRef) innerRef.current = element;
        }}
        onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
          look();
          if (scrollHeight - scrollTop - clientHeight < nearEnd) onNearEnd();
        }}
        style={{ maxHeight }}
        className="relative overflow-y-auto overscroll-contain pb-1 [overflow-anchor:none]"
      >
        {children}
      </div>
    </SightContext>
  );
}

/** @param children groups, or the words that there is nothing */
function startsOf(children: ReactNode): ReadonlyMap<Group, number> {
  const starts = new Map<Group, number>();
  let top = 0;
  for (const child of Array.isArray(children) ? (children as readonly ReactElement<Partial<ShownGroup>>[]) : []) {
    const { data, children: rows } = child.props;
    if (data === undefined || rows === undefined) continue;
    starts.set(data, top);
    top += headHeight + rows.length * rowHeight();
  }
  return starts;
}

interface ShownGroup {
  readonly data: Group;
  readonly children: readonly ReactElement<{ readonly data: Entry }>[];
}

export function WindowedGroup({ children, headingProps, label, data }: GroupProps<Entry, false, Group>) {
  const sight = use(SightContext);
  const rows = children as unknown as ShownGroup['children'];
  const height = rowHeight();
  const start = sight?.starts.get(data) ?? 0;
  // Of the whole group only those are here that fit what was typed.
  const focused = sight?.focused ? rows.findIndex(({ props }) => props.data === sight.focused) : -1;
  useFocusedInSight(sight, focused === -1 ? -1 : start + headHeight + focused * height, height);
  const above = (sight?.top ?? 0) - start - headHeight;
  const first = clamp(Math.floor((above - margin) / height), rows.length);
  const last = clamp(Math.ceil((above + (sight?.height ?? 0) + margin) / height), rows.length);
  return (
    <div role="group" aria-labelledby={headingProps.id}>
      <div
        id={headingProps.id}
        className="sticky top-0 z-10 flex h-7.5 items-center bg-raised px-3 text-12 font-semibold text-soft"
      >
        {label}
      </div>
      <div className="relative" style={{ height: rows.length * height }}>
        {focused !== -1 && (focused < first || focused >= last) && at(rows, focused, height)}
        {Array.from({ length: last - first }, (_, nth) => at(rows, first + nth, height))}
      </div>
    </div>
  );
}

function at(rows: readonly ReactElement[], nth: number, height: number) {
  const row = rows[nth]!;
  return (
    <div key={row.key} className="absolute inset-x-0" style={{ top: nth * height, height }}>
      {row}
    </div>
  );
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}

/** The list goes along with the keyboard. */
function useFocusedInSight(sight: Sight | null, top: number, height: number): void {
  const list = sight?.list;
  useEffect(() => {
    const element = list?.current;
    if (top === -1 || !element) return;
    // Nothing stands in the way of the first of a group: not its heading.
    if (top - headHeight < element.scrollTop) element.scrollTop = top - headHeight;
    else if (top + height > element.scrollTop + element.clientHeight)
      element.scrollTop = top + height - element.clientHeight + 4;
  }, [list, top, height]);
}
