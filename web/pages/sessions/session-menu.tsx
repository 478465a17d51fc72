/** The rest of what can be done with a session. */
import { Ellipsis } from 'lucide-react';
import type { SessionState } from '../../../src/features/sessions/contract.ts';
import { IconButton } from '../../kit/button.tsx';
import { Menu } from '../../kit/overlay.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';
import { setHidden, useHidden } from './hidden.ts';
import { saveText } from './save-text.ts';

export interface SessionMenuProps {
  readonly project: string;
  readonly id: string;
  readonly title: string | undefined;
  readonly metaContext: SessionState['metaContext'];
  readonly isClosed: boolean;
  readonly onBegin: () => void;
  readonly onOver: (what: 'rename' | 'remove' | 'find') => void;
}

export function SessionMenu({ project, id, title, metaContext, isClosed, onBegin, onOver }: SessionMenuProps) {
  const away = useAwayReason();
  const closing = useAct('session.close');
  const reopening = useAct('session.reopen');
  const hidden = useHidden(project);
  const entry = metaContext?.id ?? id;
  const saving = useAct('session.export', { isRepeatable: true });
  const savingAll = useAct('context.export', { isRepeatable: true });
  const problem = closing.problem ?? reopening.problem ?? saving.problem ?? savingAll.problem;
  const keep = async () => {
    const saved = await saving.act({ project, id });
    if (saved) saveText(`${id}.md`, saved.markdown);
  };
  const keepAll = async (name: string) => {
    const saved = await savingAll.act({ project, name: entry });
    if (saved) saveText(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.md`, saved.markdown);
  };
  if (title === undefined) return null;
  const isHidden = hidden.has(entry);
  return (
    <>
      <Menu
        trigger={<IconButton icon={Ellipsis} label="More" />}
        items={[
          { label: 'New session', onSelect: onBegin, isPhoneOnly: true },
          { label: 'Find in what was said', onSelect: () => onOver('find') },
          { label: 'Rename…', onSelect: () => onOver('rename'), blockedBecause: away },
          { label: 'Save as Markdown', onSelect: () => inBackground(keep()), blockedBecause: away },
          ...(metaContext === null
            ? []
            : [
                {
                  label: 'Save all phases as Markdown',
                  onSelect: () => inBackground(keepAll(metaContext.name)),
                  blockedBecause: away,
                },
              ]),
          {
            label: isHidden ? 'Show in the picker' : 'Hide from the picker',
            onSelect: () => setHidden(project, entry, !isHidden),
          },
          isClosed
            ? {
                label: 'Open it again',
                onSelect: () => inBackground(reopening.act({ project, id })),
                blockedBecause: away,
              }
            : { label: 'Close', onSelect: () => inBackground(closing.act({ project, id })), blockedBecause: away },
          { label: 'Remove…', onSelect: () => onOver('remove'), isDanger: true, blockedBecause: away },
        ]}
      />
      {problem && (
        <div className="absolute top-full right-4 z-30 max-w-sm">
          <Problem facts={problem} />
        </div>
      )}
    </>
  );
}
