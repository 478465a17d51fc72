import { Page } from '../../kit/layout.tsx';

export function SettingsPage() {
  return (
    <Page title="settings" head={<h1 className="font-serif text-24 font-semibold">settings</h1>}>
      {null}
    </Page>
  );
}
