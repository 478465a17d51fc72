/** An address that leads nowhere, and a page that failed. */
import { Link } from '@tanstack/react-router';
import { Empty, Problem } from '../kit/states.tsx';
import { Page } from '../kit/layout.tsx';
import { Button } from '../kit/button.tsx';
import { factsOf } from '../state/session.ts';

export function Lost() {
  return (
    <Page title="Not found" head={<h1 className="font-serif text-24 font-semibold">Nothing lives at this address</h1>}>
      <div className="px-4 py-4 phone:px-8">
        <Empty
          action={
            <Link to="/" className="text-13 font-medium text-ember-strong underline">
              To the hall
            </Link>
          }
        >
          The address may have been shortened, or what it named was removed.
        </Empty>
      </div>
    </Page>
  );
}

export function PageFault({ error, reset }: { readonly error: unknown; readonly reset: () => void }) {
  return (
    <Page title="A fault" head={<h1 className="font-serif text-24 font-semibold">This page failed</h1>}>
      <div className="max-w-2xl px-4 py-6 phone:px-8">
        <Problem
          facts={factsOf(error)}
          action={
            <Button className="mt-2 self-start" onClick={reset}>
              Draw the page again
            </Button>
          }
        />
      </div>
    </Page>
  );
}
