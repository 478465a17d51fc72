/** Another title; the id, the branch and the links stay. */
import type { MeetingRecord } from '../../../src/features/meetings/contract.ts';
import { TitleDialog } from '../../kit/title-dialog.tsx';
import { useAct } from '../../state/hall.tsx';

export interface RenameDialogProps {
  readonly meeting: Pick<MeetingRecord, 'id' | 'project'>;
  readonly title: string;
  readonly onClose: () => void;
}

export function RenameDialog({ meeting: { id, project }, title, onClose }: RenameDialogProps) {
  const { act, problem, isBusy } = useAct('meeting.rename');
  return (
    <TitleDialog
      heading="Rename the meeting"
      description="Its id, its branch and every link to it stay as they are."
      title={title}
      maxLength={300}
      problem={problem}
      isBusy={isBusy}
      onRename={async (text) => await act({ id, project, title: text })}
      onRenameAllTheSame={async (text) => await act({ id, project, title: text, allowSecrets: true })}
      onClose={onClose}
    />
  );
}
