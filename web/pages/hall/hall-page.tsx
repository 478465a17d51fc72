import { Page } from '../../kit/layout.tsx';

export function HallPage() {
  return (
    <Page title="hall" head={<h1 className="font-serif text-24 font-semibold">hall</h1>}>
      {null}
    </Page>
  );
}
