/** An artifact as it stands in the meeting's work, before it is merged. */
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { addressesFrom } from '../../kit/artifact-address.ts';
import { CodeBlock } from '../../kit/markdown/code-block.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { withoutTitle } from '../../kit/markdown/without-title.ts';
import { Dialog } from '../../kit/overlay.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { useRead } from '../../state/hall.tsx';

export interface ArtifactDialogProps {
  readonly project: string;
  readonly id: string;
  readonly path: string;
  readonly onClose: () => void;
}

const words = {
  new: 'New in this meeting, not merged yet',
  changed: 'Changed in this meeting, not merged yet',
  same: 'As it is in the project',
};

export function ArtifactDialog({ project, id, path, onClose }: ArtifactDialogProps) {
  const { data, problem } = useRead('meeting.artifact', { project, id, path });
  const addressOf = useMemo(() => addressesFrom(project, path), [project, path]);
  return (
    <Dialog
      width="wide"
      title={data?.title ?? path.split('/').at(-1) ?? path}
      description={
        <span className="flex flex-wrap gap-x-4 text-13">
          <span className="font-mono text-12">{path}</span>
          {data && <span>{words[data.status]}</span>}
          {data?.status === 'same' && (
            <Link to="/projects/$project/artifacts/$" params={{ project, _splat: path }} className="underline">
              To its page
            </Link>
          )}
        </span>
      }
      isOpen
      onOpenChange={onClose}
    >
      {problem && <Problem facts={problem} />}
      {data === undefined && !problem && <Skeleton lines={8} label="Reading the artifact" />}
      {data?.problems.map(({ line, message }) => (
        <Problem
          key={`${line}${message}`}
          facts={{ code: 'invalid', message: `Line ${line}: ${message}`, hint: 'Ask the worker to mend it.' }}
        />
      ))}
      {data &&
        (!data.isText ? (
          <p className="text-15 text-soft">It is no text, so it is not shown here.</p>
        ) : /\.md$/i.test(path) ? (
          <Markdown
            text={withoutTitle(data.body, data.title) || '*It has fields and no text.*'}
            addressOf={addressOf}
          />
        ) : (
          <CodeBlock text={data.content} language={path.split('.').at(-1)} />
        ))}
    </Dialog>
  );
}
