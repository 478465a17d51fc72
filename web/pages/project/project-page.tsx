import { Page } from '../../kit/layout.tsx';

export function ProjectPage() {
  return (
    <Page title="project" head={<h1 className="font-serif text-24 font-semibold">project</h1>}>
      {null}
    </Page>
  );
}
