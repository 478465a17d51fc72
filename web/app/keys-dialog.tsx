/** The map of the keyboard as it is at this moment. */
import { useState } from 'react';
import { Keys } from '../kit/key.tsx';
import { Dialog } from '../kit/overlay.tsx';
import { type Shortcut, useKeyboard } from './keyboard.tsx';

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const { shortcuts } = useKeyboard();
  const [groups] = useState(() =>
    Object.entries(groupsOf(uniqueOf(shortcuts))).toSorted(([a], [b]) => placeOf(a) - placeOf(b)),
  );
  return (
    <Dialog title="Keyboard" isOpen onOpenChange={onClose}>
      <div className="grid gap-6 phone:grid-cols-2">
        {groups.map(([group, all]) => (
          <section key={group} aria-label={group}>
            <h3 className="pb-1 text-13 font-semibold text-soft">{group}</h3>
            <dl>
              {all.map(({ keys, label }) => (
                <div key={keys} className="flex items-center justify-between gap-4 py-1 text-13">
                  <dt>{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

/** Where two pieces took one key, the later one has it. */
function uniqueOf(shortcuts: ReadonlySet<Shortcut>): Shortcut[] {
  return [...new Map([...shortcuts].map((shortcut) => [shortcut.keys, shortcut])).values()];
}

function groupsOf(shortcuts: readonly Shortcut[]): Record<string, Shortcut[]> {
  const groups: Record<string, Shortcut[]> = {};
  for (const shortcut of shortcuts) (groups[shortcut.group] ??= []).push(shortcut);
  return groups;
}

/** What is of this page alone comes first, what holds everywhere last. */
function placeOf(group: string): number {
  return { Lists: 1, Anywhere: 2 }[group] ?? 0;
}
