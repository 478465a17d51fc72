/** One project: its meetings, its artifacts, how far its branches are apart; the manager always at hand. */
import { useParams } from '@tanstack/react-router';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { useIntent } from '../../app/intents.tsx';
import { useShortcut } from '../../app/keyboard.tsx';
import { Briefing } from '../../kit/briefing.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { ObjectHead, Page, Section } from '../../kit/layout.tsx';
import { Menu } from '../../kit/overlay.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import { ArtifactList } from './artifact-list.tsx';
import { CommissionList } from './commission-list.tsx';
import { BranchFacts, SyncOutcome } from './branches.tsx';
import { GatheringList } from './gathering-list.tsx';
import { MeetingList } from './meeting-list.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { SessionList } from './session-list.tsx';

export function ProjectPage() {
  const { project } = useParams({ from: '/projects/$project' });
  const show = useIntent();
  const away = useAwayReason();
  const shown = useRead('project.show', { project });
  const meetings = useRead('meeting.list', { project });
  const running = useRead('overview', { project }).data?.running;
  const sync = useAct('project.sync');
  const [lastSync, setLastSync] = useState<Awaited<ReturnType<typeof sync.act>>>();
  const [isRemoving, setRemoving] = useState(false);
  const meet = (worker?: string) => show({ kind: 'meeting', project, worker });
  const bringIn = () => inBackground(sync.act({ project }).then(setLastSync));
  useShortcut('m', 'Meet the manager', () => meet('manager'));
  if (shown.problem?.code === 'not_found') {
    return (
      <Page title={project} head={<ObjectHead title={project} />}>
        <div className="max-w-2xl px-4 py-6 phone:px-8">
          <Problem facts={shown.problem} />
        </div>
      </Page>
    );
  }
  return (
    <Page
      title={project}
      contextLabel="Branches and folder"
      context={shown.data && <BranchFacts project={shown.data} />}
      head={
        <ObjectHead
          title={project}
          facts={
            shown.data && (
              <>
                <span className="font-mono text-12">{shown.data.integrationBranch}</span>
                {(shown.data.behind ?? 0) > 0 && (
                  <span>
                    {shown.data.behind} new on {shown.data.personBranch}
                  </span>
                )}
              </>
            )
          }
          actions={
            <>
              <Button blockedBecause={away} onClick={() => meet('manager')}>
                Meet the manager
              </Button>
              <Button tone="primary" icon={Plus} blockedBecause={away} onClick={() => meet()}>
                Open a meeting
              </Button>
              <Menu
                trigger={<IconButton icon={Ellipsis} label="More" />}
                items={[
                  {
                    label: 'Write a commission',
                    onSelect: () => show({ kind: 'commission', project }),
                    blockedBecause: away,
                  },
                  {
                    label: 'Begin a gathering',
                    onSelect: () => show({ kind: 'gathering', project }),
                    blockedBecause: away,
                  },
                  { label: 'Bring in my branch', onSelect: bringIn, blockedBecause: away },
                  {
                    label: 'Remove from the hall…',
                    onSelect: () => setRemoving(true),
                    isDanger: true,
                    blockedBecause: away,
                  },
                ]}
              />
            </>
          }
        />
      }
    >
      <div className="flex flex-col gap-10 px-4 py-6 phone:px-8">
        {shown.problem && <Problem facts={shown.problem} />}
        {shown.data?.problems.map((problem) => (
          <Problem key={problem} facts={{ code: 'conflict', message: problem, hint: '' }} />
        ))}
        {sync.isBusy && <p className="text-13 text-soft">Bringing in your branch</p>}
        {sync.problem && <Problem facts={sync.problem} />}
        {lastSync && !sync.problem && <SyncOutcome outcome={lastSync} />}
        <Briefing project={project} />
        <Section title="Meetings" count={meetings.data?.meetings.length}>
          {meetings.problem && <Problem facts={meetings.problem} />}
          {meetings.isLoading && !meetings.problem && <Skeleton lines={3} />}
          {meetings.data && (
            <MeetingList project={project} list={meetings.data} running={running} onOpen={() => meet()} />
          )}
        </Section>
        <CommissionList project={project} />
        <SessionList project={project} />
        <GatheringList project={project} />
        <ArtifactList project={project} />
      </div>
      <RemoveDialog project={project} isOpen={isRemoving} onOpenChange={setRemoving} />
    </Page>
  );
}
