import { Page } from '../../kit/layout.tsx';

export function ArtifactPage() {
  return (
    <Page title="artifact" head={<h1 className="font-serif text-24 font-semibold">artifact</h1>}>
      {null}
    </Page>
  );
}
