/** Ctrl-K: everything that has a name, what can be done from anywhere, and what was written down and said. */
import { Command } from 'cmdk';
import {
  ArrowRight,
  CircleDotDashed,
  FileText,
  FolderGit2,
  type LucideIcon,
  MessageSquareCode,
  MessagesSquare,
  Search,
  SquareChevronRight,
  SquareTerminal,
  Workflow,
} from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { WorkerGlyph } from '../../kit/glyph.tsx';
import { Keys } from '../../kit/key.tsx';
import { Problem } from '../../kit/states.tsx';
import { createScores, type Find, type FindKind, groupsFor, keepRecent, readRecent } from './finds.ts';
import { piecesOf, type Snippet } from './snippet.ts';
import { useFinds } from './use-finds.ts';
import { useTexts } from './use-texts.ts';

export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [recent] = useState(readRecent);
  const { finds, told, problem, isReading } = useFinds(onClose);
  const [scores] = useState(createScores);
  // Typing does not wait for the names to be compared.
  const compared = useDeferredValue(text);
  const texts = useTexts(text, onClose);
  const inTexts = texts.finds.length === 0 ? [] : [{ heading: 'In texts', finds: texts.finds }];
  const groups = [...groupsFor(finds, compared, recent, scores), ...inTexts];
  const enter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || compared === text) return;
    // What is on the screen belongs to an earlier text.
    event.preventDefault();
    const first = groupsFor(finds, text, recent)[0]?.finds[0];
    if (first) choose(first);
  };
  // Until somebody moves, the first one is chosen, also when a better first one comes in late.
  const [moved, setMoved] = useState<string>();
  const keys = groups.flatMap((group) => group.finds.map(({ key }) => key));
  const chosen = moved !== undefined && keys.includes(moved) ? moved : (keys[0] ?? '');
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[max(1rem,10vh)] z-50 mx-auto flex max-h-[min(80vh,34rem)] max-w-xl animate-arrive flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float"
        >
          <Radix.Title className="sr-only">Find and do</Radix.Title>
          <Command
            label="Find and do"
            shouldFilter={false}
            loop
            onKeyDown={enter}
            value={chosen}
            onValueChange={(key) => key !== keys[0] && setMoved(key)}
            className="flex min-h-0 flex-1 flex-col"
          >
            <div className="flex items-center gap-3 border-b border-line px-4">
              <Search aria-hidden size={17} className="shrink-0 text-faint" />
              <Command.Input
                value={text}
                onValueChange={(next) => {
                  setText(next);
                  setMoved(undefined);
                }}
                placeholder="Find names and texts, or say what to do"
                className="h-13 min-w-0 flex-1 bg-transparent text-15 text-ink outline-none placeholder:text-faint"
              />
              <Radix.Close className="rounded-sm text-12 text-faint hover:text-ink">
                <Keys keys="Esc" />
                <span className="sr-only">Close the search</span>
              </Radix.Close>
            </div>
            <div role="status" className="px-3 empty:hidden">
              {problem ? (
                <div className="py-2">
                  <Problem facts={problem} />
                </div>
              ) : (
                told && <p className="px-1 pt-3 text-13 text-soft">{told}</p>
              )}
            </div>
            <Command.List className="min-h-0 flex-1 scroll-py-2 overflow-y-auto px-2 pb-2">
              {groups.map(({ heading, finds: found }) => (
                <Command.Group
                  key={heading}
                  heading={heading}
                  className="pt-2 **:[[cmdk-group-heading]]:px-2 **:[[cmdk-group-heading]]:py-1 **:[[cmdk-group-heading]]:text-12 **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-faint"
                >
                  {found.map((find) => (
                    <Row key={find.key} find={find} />
                  ))}
                </Command.Group>
              ))}
              <Command.Empty className="px-3 py-8 text-15 text-soft">
                {isReading && 'Reading names.'}
                {!isReading && texts.isReading && 'Reading what was written down and said.'}
                {!isReading && !texts.isReading && `Nothing is called “${compared.trim()}”, and no text has it.`}
              </Command.Empty>
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const icons: Readonly<Record<Exclude<FindKind, 'worker'>, LucideIcon>> = {
  page: ArrowRight,
  command: SquareChevronRight,
  meeting: MessagesSquare,
  commission: Workflow,
  terminal: SquareTerminal,
  conversation: MessagesSquare,
  gathering: CircleDotDashed,
  session: MessageSquareCode,
  project: FolderGit2,
  artifact: FileText,
};

function choose({ key, snippet, run }: Find): void {
  if (snippet === undefined) keepRecent(key);
  run();
}

function Row({ find }: { readonly find: Find }) {
  const { kind, title, glyph = '', detail, snippet, keys, key } = find;
  const Icon = kind === 'worker' ? undefined : icons[kind];
  return (
    <Command.Item
      value={key}
      onSelect={() => choose(find)}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 py-1.5 text-15 text-ink data-[selected=true]:bg-hover"
    >
      {Icon ? <Icon aria-hidden size={16} className="shrink-0 text-faint" /> : <WorkerGlyph name={glyph} size={16} />}
      <span className="flex min-w-0 flex-col">
        <span className="truncate">{title}</span>
        {snippet && <Passage snippet={snippet} />}
      </span>
      {detail !== undefined && (
        <span className="ml-auto max-w-[40%] shrink-0 truncate text-13 text-faint max-phone:max-w-[34%]">{detail}</span>
      )}
      {keys !== undefined && (
        <span className="ml-auto max-phone:hidden">
          <Keys keys={keys} />
        </span>
      )}
    </Command.Item>
  );
}

function Passage({ snippet }: { readonly snippet: Snippet }) {
  return (
    <span className="line-clamp-2 text-13 text-soft">
      {piecesOf(snippet).map(({ text, isMark }, nth) =>
        isMark ? (
          <mark key={nth} className="bg-transparent font-semibold text-ink">
            {text}
          </mark>
        ) : (
          <span key={nth}>{text}</span>
        ),
      )}
    </span>
  );
}
