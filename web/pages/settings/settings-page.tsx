/** What holds for this browser and for the hall: theme, who is signed in, model, settings, health, facts. */
import { Keyboard } from 'lucide-react';
import { useIntent } from '../../app/intents.tsx';
import { Button } from '../../kit/button.tsx';
import { ObjectHead, Page, Section } from '../../kit/layout.tsx';
import { useRead } from '../../state/hall.tsx';
import { About } from './about.tsx';
import { Checks } from './checks.tsx';
import { Model } from './model.tsx';
import { SignIns } from './sign-ins.tsx';
import { ThemeChoice } from './theme-choice.tsx';

export function SettingsPage() {
  const show = useIntent();
  const status = useRead('status', {});
  return (
    <Page
      title="Settings"
      head={
        <ObjectHead
          title="Settings"
          facts={status.data && <span>Guild Hall {status.data.version}</span>}
          actions={
            <Button icon={Keyboard} onClick={() => show({ kind: 'keys' })}>
              Show the keys
            </Button>
          }
        />
      }
    >
      <div className="flex max-w-3xl flex-col gap-10 px-4 py-6 phone:px-8">
        <Section title="Look of this browser">
          <ThemeChoice />
        </Section>
        <SignIns />
        <Model status={status} />
        <Checks />
        <About status={status} />
      </div>
    </Page>
  );
}
