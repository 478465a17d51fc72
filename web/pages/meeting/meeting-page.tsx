import { Page } from '../../kit/layout.tsx';

export function MeetingPage() {
  return (
    <Page title="meeting" head={<h1 className="font-serif text-24 font-semibold">meeting</h1>}>
      {null}
    </Page>
  );
}
