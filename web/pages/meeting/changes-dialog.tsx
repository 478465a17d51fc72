/** What the work of the meeting would change in the project: file by file. */
import { Counts, FileDiff } from '../../kit/diff/file-diff.tsx';
import { Dialog } from '../../kit/overlay.tsx';
import { Empty, Problem, Skeleton } from '../../kit/states.tsx';
import { useRead } from '../../state/hall.tsx';

export interface ChangesDialogProps {
  readonly project: string;
  readonly id: string;
  /** The file to be shown open; `all`: the first ones. */
  readonly file: string;
  readonly onClose: () => void;
}

/** So many files are open at first, when none was asked for. */
const openAtFirst = 4;

export function ChangesDialog({ project, id, file, onClose }: ChangesDialogProps) {
  const { data, problem } = useRead('meeting.diff', { project, id });
  const files = data?.files ?? [];
  const added = files.reduce((sum, each) => sum + each.added, 0);
  const removed = files.reduce((sum, each) => sum + each.removed, 0);
  return (
    <Dialog
      width="page"
      title="Changes"
      description={
        data &&
        files.length > 0 && (
          <>
            {files.length + data.more} {files.length + data.more === 1 ? 'file' : 'files'},{' '}
            <Counts added={added} removed={removed} />; not merged yet
          </>
        )
      }
      isOpen
      onOpenChange={onClose}
    >
      {problem && <Problem facts={problem} />}
      {data === undefined && !problem && <Skeleton lines={8} label="Reading the changes" />}
      {data !== undefined && files.length === 0 && <Empty>Nothing is changed that is not merged.</Empty>}
      <div className="flex flex-col">
        {files.map((each, nth) => (
          <FileDiff
            key={each.path}
            file={each}
            nameClass="sticky -top-5 z-10 bg-raised phone:-top-6"
            isOpen={file === 'all' ? nth < openAtFirst : file === each.path}
            isAsked={file === each.path}
          />
        ))}
      </div>
      {data !== undefined && data.more > 0 && (
        <p className="text-13 text-soft">{data.more} more files are changed; look at the branch to see them.</p>
      )}
    </Dialog>
  );
}
