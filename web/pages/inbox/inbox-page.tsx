import { Page } from '../../kit/layout.tsx';

export function InboxPage() {
  return (
    <Page title="inbox" head={<h1 className="font-serif text-24 font-semibold">inbox</h1>}>
      {null}
    </Page>
  );
}
