/** The picker's list: react-select with its own groups, of which only what is in sight is drawn. */
import { getNonce } from 'get-nonce';
import { ChevronDown } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import Select, {
  components,
  type DropdownIndicatorProps,
  type GroupBase,
  NonceProvider,
  type OptionProps,
  type SelectInstance,
} from 'react-select';
import { useShortcut } from '../../app/keyboard.tsx';
import { plainTitle } from '../../kit/plain-title.ts';
import { StateMark } from '../../kit/state-mark.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import type { Entry } from '../../kit/session-entries.ts';
import { pickerClasses } from './picker-classes.ts';
import { sessionMark } from '../../kit/session-words.ts';
import { NearEnd, WindowedGroup, WindowedMenuList } from './windowed-menu.tsx';

export interface PickerSelectProps {
  readonly contexts: readonly Entry[];
  readonly sessions: readonly Entry[];
  readonly current: Entry | null;
  readonly isBusy: boolean;
  readonly onChoose: (entry: Entry) => void;
}

type Group = GroupBase<Entry> & { readonly label: string };

/** So many entries are given to the list at first, and as many more whenever its end comes near. */
const atOnce = 200;
/** Of the sessions, however many contexts stand before them. */
const atLeast = 50;

function thatFit(entries: readonly Entry[], typed: string): readonly Entry[] {
  const words = typed.trim().toLowerCase();
  return words === '' ? entries : entries.filter(({ label }) => label.toLowerCase().includes(words));
}

export function PickerSelect({ contexts, sessions, current, isBusy, onChoose }: PickerSelectProps) {
  const select = useRef<SelectInstance<Entry, false, Group>>(null);
  useShortcut('s', 'Choose a session', () => {
    select.current?.focus();
    select.current?.openMenu('first');
  });
  const [typed, setTyped] = useState('');
  const [limit, setLimit] = useState(atOnce);
  const fit = useMemo(
    () => ({ contexts: thatFit(contexts, typed), sessions: thatFit(sessions, typed) }),
    [contexts, sessions, typed],
  );
  const count = fit.contexts.length + fit.sessions.length;
  const options = useMemo(() => {
    const left = Math.max(atLeast, limit - fit.contexts.length);
    return [
      { label: 'Specs', options: fit.contexts.slice(0, limit) },
      { label: 'Sessions', options: fit.sessions.slice(0, left) },
    ];
  }, [fit, limit]);
  return (
    <NonceProvider nonce={getNonce() ?? ''} cacheKey="picker">
      <NearEnd value={() => setLimit((before) => (before < count ? before + atOnce : before))}>
        <Select<Entry, false, Group>
          ref={select}
          unstyled
          aria-label="Session"
          placeholder="Choose a session"
          inputId="session-picker"
          options={options}
          value={current}
          onChange={(entry) => entry !== null && onChoose(entry)}
          getOptionValue={({ id }) => id}
          getOptionLabel={({ label }) => plainTitle(label)}
          // Done above: what react-select is given it goes through at each key, thousands of entries several times.
          filterOption={null}
          inputValue={typed}
          onInputChange={(text) => {
            setTyped(text);
            setLimit(atOnce);
          }}
          isLoading={isBusy}
          components={parts}
          classNames={pickerClasses}
          classNamePrefix="picker"
          maxMenuHeight={420}
          noOptionsMessage={({ inputValue }) => (inputValue === '' ? 'No session yet' : 'Nothing is called so')}
          loadingMessage={() => 'Reading the sessions'}
          screenReaderStatus={() => `${count} ${count === 1 ? 'entry' : 'entries'}`}
          ariaLiveMessages={liveMessages}
          menuPlacement="bottom"
          openMenuOnFocus={false}
          tabSelectsValue={false}
          blurInputOnSelect={false}
        />
      </NearEnd>
    </NonceProvider>
  );
}

const liveMessages = {
  guidance: ({ context }: { readonly context: string }) =>
    context === 'menu'
      ? 'Up and Down go through the entries, Enter shows one, Escape closes the list.'
      : 'Type to find a session, Down opens the list.',
};

const parts = {
  Option: PickerOption,
  Group: WindowedGroup,
  MenuList: WindowedMenuList,
  DropdownIndicator,
  IndicatorSeparator: null,
};

function DropdownIndicator(props: DropdownIndicatorProps<Entry, false, Group>) {
  return (
    <components.DropdownIndicator {...props}>
      <ChevronDown aria-hidden size={15} />
    </components.DropdownIndicator>
  );
}

function PickerOption(props: OptionProps<Entry, false, Group>) {
  const { kind, label, session } = props.data;
  return (
    <components.Option {...props}>
      <span className="flex h-full items-center gap-4">
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {plainTitle(label)}
        </span>
        {session === undefined ? (
          <span className="shrink-0 text-12 text-faint">no session of it is left</span>
        ) : (
          <span className="flex shrink-0 items-baseline gap-3 text-12 text-faint">
            {session.state !== 'idle' && <StateMark {...sessionMark(session.state)} />}
            {kind === 'session' && <span className="max-phone:hidden">{session.agent}</span>}
            <TimeAgo at={session.lastAt} />
          </span>
        )}
      </span>
    </components.Option>
  );
}
