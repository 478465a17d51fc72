/**
 * Who may ask at all. Pure: what a request says about itself → a refusal, or nothing. Order: the host asked for
 * (a page that rebinds its name to loopback), then the page that asks, then the token.
 */
import type { ErrorFacts } from '../../kernel/pure/errors.ts';

export interface RequestFacts {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/** The values of `Host` that mean this hall. @param port the hall's own */
export function ownHosts(port: number): string[] {
  return loopbackNames.flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

/** Why a request may not come in, whatever its token; undefined when it may. */
export function refusalOfPlace(request: RequestFacts, port: number): ErrorFacts | undefined {
  const host = request.host?.toLowerCase();
  if (host === undefined || !ownHosts(port).includes(host)) {
    return {
      code: 'forbidden',
      message: `The request asks for the host "${(request.host ?? '').slice(0, 80)}", which is not this hall.`,
      hint: `Use http://127.0.0.1:${port} or http://localhost:${port}.`,
    };
  }
  if (request.origin !== undefined && request.origin.toLowerCase() !== `http://${host}`) {
    return {
      code: 'forbidden',
      message: `The request comes from a page of "${request.origin.slice(0, 80)}"; only the hall's own pages may ask.`,
      hint: `Open http://${host} itself, or use the command line.`,
    };
  }
  if (isChange(request.method) && !['same-origin', 'none', undefined].includes(request.fetchSite)) {
    return {
      code: 'forbidden',
      message:
        'The browser says that another site sent this request; changes are taken from the hall’s own pages only.',
      hint: `Open http://${host} itself, or use the command line.`,
    };
  }
  return undefined;
}

export function isChange(method: string): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(method.toUpperCase());
}

export const missingToken: ErrorFacts = {
  code: 'unauthorized',
  message: 'The request bears no token of this hall, or a wrong one.',
  hint: 'Send `Authorization: Bearer <token>` with the text of the file `token` in the hall’s home; a browser: guild-hall open',
};

/** The token of an `Authorization` header; undefined for any other scheme. */
export function bearerTokenOf(header: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/=-]{1,512})$/i.exec(header ?? '')?.[1];
}
