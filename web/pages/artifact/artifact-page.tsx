/** One artifact: read like a document, edited as the text that it is; who made it, what it links, what links it. */
import { useParams } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { type Ref, useEffect, useMemo, useRef } from 'react';
import { useIntent } from '../../app/intents.tsx';
import { useShortcut } from '../../app/keyboard.tsx';
import { addressesFrom } from '../../kit/artifact-address.ts';
import { Button } from '../../kit/button.tsx';
import { ObjectHead, Page } from '../../kit/layout.tsx';
import { Markdown } from '../../kit/markdown/markdown.tsx';
import { withoutTitle } from '../../kit/markdown/without-title.ts';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { ArtifactContext } from './artifact-context.tsx';
import { ArtifactEditor } from './artifact-editor.tsx';
import { useArtifactDraft } from './artifact-draft.ts';

export function ArtifactPage() {
  const { project, _splat: path = '' } = useParams({ from: '/projects/$project/artifacts/$' });
  // Another artifact is another page: nothing of the one before stays.
  return <Artifact key={`${project}:${path}`} project={project} path={path} />;
}

function Artifact({ project, path }: { readonly project: string; readonly path: string }) {
  const read = useRead('artifact.show', { project, path });
  const draft = useArtifactDraft(project, path);
  const artifact = read.data;
  const name = path.split('/').at(-1) ?? path;
  const edit = () => {
    if (artifact && artifact.locked === null) draft.begin(artifact.raw, artifact.revision);
  };
  useShortcut('e', 'Edit the text', edit);
  const isEditing = draft.held !== null;
  const editButton = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(isEditing);
  useEffect(() => {
    // The field is gone, and the focus that was in it.
    if (wasEditing.current && !isEditing && document.activeElement === document.body) editButton.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  return (
    <Page
      title={artifact?.title ?? name}
      contextLabel="Where it comes from"
      context={artifact && <ArtifactContext artifact={artifact} />}
      head={
        <Head artifact={artifact} name={name} path={path} isEditing={isEditing} editButton={editButton} onEdit={edit} />
      }
    >
      <div className="flex min-h-0 flex-1 flex-col gap-6 px-4 py-8 phone:px-8">
        {read.problem && <Problem facts={read.problem} />}
        {read.isLoading && !read.problem && <Skeleton lines={8} />}
        {artifact?.problems.map(({ line, message }) => (
          <Problem
            key={`${line}:${message}`}
            facts={{ code: 'invalid', message: `Line ${line}: ${message}`, hint: 'Edit the text to mend it.' }}
          />
        ))}
        {artifact && (draft.held ? <ArtifactEditor artifact={artifact} draft={draft} /> : <Text artifact={artifact} />)}
      </div>
    </Page>
  );
}

type Shown = OutputOf<'artifact.show'>;

interface HeadProps {
  readonly artifact: Shown | undefined;
  readonly name: string;
  readonly path: string;
  readonly isEditing: boolean;
  readonly editButton: Ref<HTMLButtonElement>;
  readonly onEdit: () => void;
}

function Head({ artifact, name, path, isEditing, editButton, onEdit }: HeadProps) {
  const show = useIntent();
  const away = useAwayReason();
  const { status, date } = artifact?.frontmatter ?? {};
  return (
    <ObjectHead
      title={artifact?.title ?? name}
      facts={
        // One line, however long the path: the head stays where it is while one reads.
        <span className="flex max-w-full min-w-0 items-baseline gap-x-3 phone:gap-x-4">
          <span className="truncate font-mono text-12" title={path}>
            {path}
          </span>
          {typeof status === 'string' && status !== '' && (
            <span className="max-w-[16ch] shrink-0 truncate" title={status}>
              {status}
            </span>
          )}
          {typeof date === 'string' && date !== '' && (
            <span className="shrink-0 whitespace-nowrap">
              <TimeAgo at={date} />
            </span>
          )}
        </span>
      }
      actions={
        artifact && (
          <>
            <Button
              blockedBecause={away}
              onClick={() => show({ kind: 'meeting', project: artifact.project, artifact: path })}
            >
              Talk about it
            </Button>
            {!isEditing && (
              <Button ref={editButton} icon={PencilLine} blockedBecause={artifact.locked?.message} onClick={onEdit}>
                Edit
              </Button>
            )}
          </>
        )
      }
    />
  );
}

function Text({ artifact }: { readonly artifact: Shown }) {
  const addressOf = useMemo(() => addressesFrom(artifact.project, artifact.path), [artifact.project, artifact.path]);
  const body = withoutTitle(artifact.body, artifact.title);
  if (body.trim() === '') return <p className="text-15 text-soft">It has fields and no text.</p>;
  return (
    <article aria-label={artifact.title}>
      <Markdown text={body} addressOf={addressOf} />
    </article>
  );
}
