/** Nothing is registered yet: the two ways to begin. */
import { useNavigate } from '@tanstack/react-router';
import { AddProjectForm } from '../../app/add-project.tsx';
import { Button } from '../../kit/button.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export function FirstProject() {
  const away = useAwayReason();
  const navigate = useNavigate();
  const sample = useAct('project.sample');
  const show = async (made: { readonly name: string } | undefined) => {
    if (made === undefined) return;
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
      <div className="flex flex-col gap-3 border-t border-line pt-8">
        <h2 className="text-15 font-semibold">Bring a repository of yours</h2>
        <AddProjectForm />
      </div>
    </div>
  );
}
