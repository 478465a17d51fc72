/** Nothing is registered yet: the two ways to begin. */
import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/field.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useDraft } from '../../state/drafts.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export function FirstProject() {
  const away = useAwayReason();
  const navigate = useNavigate();
  const sample = useAct('project.sample');
  const add = useAct('project.add');
  const [path, setPath] = useDraft('project-path');
  const show = async (made: { readonly name: string } | undefined) => {
    if (made === undefined) return;
    setPath('');
    await navigate({ to: '/projects/$project', params: { project: made.name } });
  };
  return (
    <div className="flex max-w-2xl flex-col gap-8 pt-4">
      <p className="font-serif text-18 leading-relaxed text-ink">
        The hall works in your own git repositories: on branches of its own, with everything that comes out written down
        as Markdown. Your branch and your files are not touched.
      </p>
      <div className="flex flex-col items-start gap-3">
        <h2 className="text-15 font-semibold">Look around first</h2>
        <p className="text-15 text-soft">A small ready project with code, a specification and an open issue.</p>
        <Button
          tone="primary"
          isBusy={sample.isBusy}
          blockedBecause={away}
          onClick={() => inBackground(sample.act({}).then(show))}
        >
          Make the sample project
        </Button>
        {sample.problem && <Problem facts={sample.problem} />}
      </div>
      <form
        className="flex flex-col items-start gap-3 border-t border-line pt-8"
        onSubmit={(event) => {
          event.preventDefault();
          if (away === undefined && path.trim() !== '') inBackground(add.act({ path: path.trim() }).then(show));
        }}
      >
        <h2 className="text-15 font-semibold">Bring a repository of yours</h2>
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
    </div>
  );
}
