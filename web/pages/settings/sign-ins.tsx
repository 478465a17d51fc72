/** The browsers that were let in. Each can be signed out, this one too. */
import { Link2, MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Section } from '../../kit/layout.tsx';
import { Dialog, DialogActions } from '../../kit/overlay.tsx';
import { Rows, RowText } from '../../kit/rows.tsx';
import { StateMark } from '../../kit/state-mark.tsx';
import { Problem, Skeleton } from '../../kit/states.tsx';
import { TimeAgo } from '../../kit/time.tsx';
import { inBackground } from '../../state/background.ts';
import { useAct, useAwayReason, useRead } from '../../state/hall.tsx';
import type { OutputOf } from '../../state/operations.ts';
import { readSignInId } from '../../state/session.ts';
import { LinkDialog } from './link-dialog.tsx';

type SignIn = OutputOf<'signin.list'>['signIns'][number];

export function SignIns() {
  const away = useAwayReason();
  const { data, problem } = useRead('signin.list', {});
  const [leaving, setLeaving] = useState<SignIn>();
  const [isLinking, setLinking] = useState(false);
  const own = readSignInId();
  const all = data?.signIns.toSorted((a, b) => Number(b.id === own) - Number(a.id === own));
  return (
    <Section
      title="Signed-in browsers"
      count={data?.signIns.length}
      action={
        <Button tone="quiet" icon={Link2} blockedBecause={away} onClick={() => setLinking(true)}>
          Let in another
        </Button>
      }
    >
      {problem && <Problem facts={problem} />}
      {all === undefined && problem === undefined && <Skeleton lines={2} />}
      {all && (
        <Rows label="Signed-in browsers">
          {all.map((signIn) => (
            <li key={signIn.id} className="flex min-h-14 items-center gap-3 py-2">
              <RowText
                mark={<MonitorSmartphone aria-hidden size={18} className="mx-[3px] shrink-0 text-faint" />}
                title={signIn.browser}
                detail={
                  <>
                    since <TimeAgo at={signIn.madeAt} />
                    {signIn.lastUsedAt > signIn.madeAt && (
                      <>
                        , last used <TimeAgo at={signIn.lastUsedAt} />
                      </>
                    )}
                    {signIn.origin !== location.origin && ` · ${signIn.origin}`}
                  </>
                }
                facts={signIn.id === own ? <StateMark kind="active" word="This browser" /> : undefined}
              />
              <Button
                tone="quiet"
                aria-label={`Sign out ${signIn.browser}${signIn.id === own ? ', this browser' : ''}`}
                blockedBecause={away}
                onClick={() => setLeaving(signIn)}
                data-row
              >
                Sign out
              </Button>
            </li>
          ))}
        </Rows>
      )}
      {leaving && <Revoke signIn={leaving} isOwn={leaving.id === own} onClose={() => setLeaving(undefined)} />}
      {isLinking && <LinkDialog onClose={() => setLinking(false)} />}
    </Section>
  );
}

interface RevokeProps {
  readonly signIn: SignIn;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function Revoke({ signIn, isOwn, onClose }: RevokeProps) {
  const revoke = useAct('signin.revoke', { isRepeatable: true });
  const away = useAwayReason();
  const leave = async () => {
    if ((await revoke.act({ id: signIn.id })) !== undefined) onClose();
  };
  return (
    <Dialog
      title={isOwn ? 'Sign out this browser' : `Sign out ${signIn.browser}`}
      description={
        <p>
          Its windows stop at once, and links that nobody has opened yet become worthless. Meetings go on. What was
          written there and not sent stays in that browser. To come back it needs a new link.
        </p>
      }
      isOpen
      onOpenChange={onClose}
    >
      {revoke.problem && <Problem facts={revoke.problem} />}
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button tone="danger" isBusy={revoke.isBusy} blockedBecause={away} onClick={() => inBackground(leave())}>
          Sign out
        </Button>
      </DialogActions>
    </Dialog>
  );
}
