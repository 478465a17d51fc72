/** The door of browsers: the page posts the secret of a one-time link, and gets a token for its own origin. */
import { z } from 'zod';
import { fail, type ErrorFacts } from '../../kernel/pure/errors.ts';
import { readJsonBody } from './body.ts';

export interface SignInRequest {
  readonly secret: string;
  /** Of the page, which is the hall's own: `http://<host>`, in lower case. */
  readonly origin: string;
  readonly userAgent: string | undefined;
}

/** What the pages need beside the operations. */
export interface BrowserDoor {
  /** Folder of the built web app; it need not be there. */
  readonly pages: string;
  /** Not guessable, in base64url; new at each call. */
  readonly freshNonce: () => string;
  /** @throws HallError `unauthorized` or `limit` */
  readonly signIn: (request: SignInRequest) => Promise<{ readonly token: string; readonly id: string }>;
  /** Why a token that admits nobody does not: what is known beyond that it is wrong. */
  readonly refusalOf: (token: string, origin: string) => ErrorFacts | undefined;
}

const bodySchema = z.strictObject({ secret: z.string().min(1).max(200) });
/** A secret is 43 characters. */
const maxBodyBytes = 4096;

/** @throws HallError `forbidden` for what is not the hall's own page, `invalid`, and what `signIn` throws */
export async function answerSignIn(door: BrowserDoor, request: Request): Promise<Response> {
  const { headers } = request;
  const origin = headers.get('origin');
  // That the origin is the hall's own was looked at before; here it may not be missing, and the browser must agree.
  if (origin === null || headers.get('sec-fetch-site') !== 'same-origin') throw notOurPage();
  const body = bodySchema.safeParse(await readJsonBody(request, maxBodyBytes));
  if (!body.success) {
    throw fail('invalid', 'The sign-in has no secret of a link.', 'Send {"secret": "…"}: what stands behind the #.');
  }
  const userAgent = headers.get('user-agent') ?? undefined;
  const made = await door.signIn({ secret: body.data.secret, origin: origin.toLowerCase(), userAgent });
  return Response.json({ token: made.token, id: made.id });
}

function notOurPage() {
  return fail(
    'forbidden',
    'A sign-in comes from the hall’s own page alone; this request does not say that it does.',
    'Open a link in a browser: guild-hall open. Programs use the token of the file `token` in the hall’s home.',
  );
}
