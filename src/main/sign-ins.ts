/** Joins the sign-ins of browsers to the hall: the feature, and what the HTTP face asks of it. */
import { emptyBook, type SignInsContext } from '../features/signins/context.ts';
import { recoverSignIns } from '../features/signins/keeping.ts';
import { bindSignIns } from '../features/signins/operations.ts';
import { redeemLink, refusalOfToken, signInOfToken } from '../features/signins/signing-in.ts';
import type { Admission, RequestPlace } from '../interfaces/http/admission.ts';
import type { BrowserDoor } from '../interfaces/http/sign-in.ts';
import { personCaller } from '../kernel/operations/operations.ts';
import type { SignInId } from '../kernel/pure/ids.ts';
import type { HallContext } from './context.ts';
import type { HallFeature } from './feature.ts';
import { webRoot } from './package.ts';

export function createSignIns(
  ctx: HallContext,
  { address, endConnections }: { readonly address: string; readonly endConnections: (id: SignInId) => void },
): SignInsContext {
  return { ...ctx, book: emptyBook(), address, endConnections };
}

export function joinSignIns(ctx: SignInsContext): HallFeature {
  return { name: 'sign-ins', operations: bindSignIns(ctx), recover: () => recoverSignIns(ctx) };
}

/** Whom a browser's token admits. */
export function admissionOfBrowser(
  ctx: SignInsContext,
  token: string | undefined,
  { host }: RequestPlace,
): Admission | undefined {
  const signIn = token === undefined ? undefined : signInOfToken(ctx, token, `http://${host}`);
  return signIn && { caller: personCaller, signIn };
}

export function browserDoor(ctx: SignInsContext): BrowserDoor {
  return {
    pages: webRoot(),
    freshNonce: () => ctx.ids.secret(),
    signIn: (request) => redeemLink(ctx, request),
    refusalOf: (token, origin) => refusalOfToken(ctx, token, origin),
  };
}
