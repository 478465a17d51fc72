/** Registering a repository, from anywhere. */
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../kit/button.tsx';
import { TextField } from '../kit/field.tsx';
import { Dialog } from '../kit/overlay.tsx';
import { Problem } from '../kit/states.tsx';
import { inBackground } from '../state/background.ts';
import { useDraft } from '../state/drafts.ts';
import { useAct, useAwayReason } from '../state/hall.tsx';

/** @param onAdded called when it is registered, before its page is shown */
export function AddProjectForm({ onAdded }: { readonly onAdded?: () => void }) {
  const away = useAwayReason();
  const navigate = useNavigate();
  const add = useAct('project.add');
  const [path, setPath] = useDraft('project-path');
  const submit = async () => {
    const made = await add.act({ path: path.trim() });
    if (made === undefined) return;
    setPath('');
    onAdded?.();
    await navigate({ to: '/projects/$project', params: { project: made.name } });
  };
  return (
    <form
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (away === undefined && path.trim() !== '') inBackground(submit());
      }}
    >
      <div className="w-full">
        <TextField
          label="Folder of the repository"
          placeholder="/home/you/code/shop"
          value={path}
          onChange={(event) => setPath(event.target.value)}
          hint="An absolute path on this machine. Its branches stay; work is gathered on a new branch, claude/main."
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <Button
        type="submit"
        isBusy={add.isBusy}
        blockedBecause={away ?? (path.trim() === '' ? 'Name the folder first' : undefined)}
      >
        Register it
      </Button>
      {add.problem && <Problem facts={add.problem} />}
    </form>
  );
}

export function AddProjectDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Register a repository" isOpen onOpenChange={onClose}>
      <AddProjectForm onAdded={onClose} />
    </Dialog>
  );
}
