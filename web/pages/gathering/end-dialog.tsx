/** Ending a gathering before its rounds are over: what is kept, what is not. */
import type { GatheringView } from '../../../src/features/gatherings/contract/gathering-views.ts';
import { Button } from '../../kit/button.tsx';
import { harvesterOf } from '../../kit/gathering-words.ts';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Problem } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason } from '../../state/hall.tsx';

export interface EndGatheringDialogProps {
  readonly view: GatheringView;
  readonly onClose: () => void;
}

export function EndGatheringDialog({ view, onClose }: EndGatheringDialogProps) {
  const { gathering, kept } = view;
  const { id, rhythm, seats } = gathering;
  const away = useAwayReason();
  const ending = useAct('gathering.end');
  const harvester = harvesterOf(gathering);
  const spawned = seats.filter(({ isSpawned, state }) => isSpawned && state === 'here').length;
  const run = async () => {
    if ((await ending.act({ id })) !== undefined) onClose();
  };
  return (
    <Dialog
      title="End the gathering"
      description={
        <div className="flex flex-col gap-2">
          <p>
            Nobody gets another turn.{' '}
            {harvester?.state === 'here'
              ? `${harvester.name} is asked for the harvest of what was said so far.`
              : 'The hall writes the harvest from what was said so far.'}
          </p>
          <p>
            Kept: the harvest, its entry in <code className="font-mono text-13">.lore/gatherings/{rhythm}.md</code>, and
            for 30 days all that was said.{' '}
            {spawned > 0 &&
              `${spawned === 1 ? 'One terminal was' : `${spawned} terminals were`} started for it and ${spawned === 1 ? 'ends' : 'end'} with it; the others go on.`}
          </p>
          {kept.length > 0 && <p>Lost: what you kept for your turn. It goes to nobody.</p>}
        </div>
      }
      isOpen
      onOpenChange={onClose}
    >
      {ending.problem && <Problem facts={ending.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Let it go on</Button>
        <Button tone="danger" isBusy={ending.isBusy} blockedBecause={away} onClick={() => inBackground(run())}>
          End and harvest
        </Button>
      </DialogActions>
    </Dialog>
  );
}
