/**
 * The web app's files: public, since no data is in them, and read from one folder alone. Each answer of the page itself
 * says what the page may load and run; styles that scripts add bear a nonce that is new each time.
 */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { resolveInside } from '../../kernel/artifacts/paths.ts';
import { hasErrorCode } from '../../kernel/artifacts/write.ts';
import { fail, HallError } from '../../kernel/pure/errors.ts';

export interface PageRequest {
  /** As it stands in the request: percent-encoded, without the query. */
  readonly path: string;
  /** The header `Host`, which is one of the hall's own. */
  readonly host: string;
  readonly acceptEncoding: string | undefined;
}

const mount = '/app/';

/** What a browser is given as a file; every other address below `/app/` is one of the app itself. */
const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
};

/** The content is in the name: such a file never changes. */
const hashedName = /^assets\/(?:.*\/)?[^/]+-[\w-]{8,}\.[a-z0-9]+$/;

/** Whatever a page never needs, no script in it can ask for either. */
const permissions = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'hid', 'magnetometer']
  .concat(['microphone', 'midi', 'payment', 'serial', 'usb', 'xr-spatial-tracking'])
  .map((name) => `${name}=()`)
  .join(', ');

/** What the page may load, run and reach. @param host the one it was loaded from: its socket is there */
export function pagePolicy(host: string, nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // Not every browser takes a socket to the same host for 'self'.
    `connect-src 'self' ws://${host}`,
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Answers an address below `/app/`.
 * @param root folder of the built app; it need not be there
 * @param nonce not guessable, in base64url
 * @throws HallError `not_found` for a file that the app does not have
 */
export async function answerPage(root: string, nonce: string, request: PageRequest): Promise<Response> {
  const name = fileNameOf(request.path);
  if (name === undefined) return await answerIndex(root, nonce, request.host);
  const file = await readAsset(root, name, request.acceptEncoding);
  if (file === undefined) throw noSuchFile(request.path);
  return new Response(new Uint8Array(file.content), {
    headers: {
      'content-type': contentTypes[extname(name)]!,
      'content-length': String(file.content.length),
      'cache-control': hashedName.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
      ...(file.encoding === undefined ? {} : { 'content-encoding': file.encoding }),
    },
  });
}

/**
 * The file that an address asks for, relative to the app's folder; undefined for an address of the app itself, such as
 * `/app/projects/shop/artifacts/.lore/plan.md`.
 */
function fileNameOf(path: string): string | undefined {
  const whole = decoded(path);
  if (!whole.startsWith(mount)) throw noSuchFile(path);
  const name = whole.slice(mount.length);
  const isFile = name.startsWith('assets/') || extname(name) in contentTypes;
  if (!isFile) return undefined;
  const isPlain = extname(name) in contentTypes && !name.split('/').some((part) => part === '' || part.startsWith('.'));
  if (!isPlain) throw noSuchFile(path);
  return name;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // No such encoding is in an address that the app made.
    throw noSuchFile(path);
  }
}

async function answerIndex(root: string, nonce: string, host: string): Promise<Response> {
  const page = await contentOf(join(root, 'index.html'));
  const html = page === undefined ? notBuilt : page.toString('utf8').replaceAll('__CSP_NONCE__', nonce);
  return new Response(html, {
    status: page === undefined ? 503 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-length': String(Buffer.byteLength(html)),
      'content-security-policy': pagePolicy(host, nonce),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': permissions,
      'cache-control': 'no-store',
    },
  });
}

interface Asset {
  readonly content: Buffer;
  readonly encoding?: 'br' | 'gzip';
}

/** The smallest form that lies there and that the browser takes. */
async function readAsset(root: string, name: string, acceptEncoding: string | undefined): Promise<Asset | undefined> {
  const path = await pathOf(root, name);
  if (path === undefined) return undefined;
  for (const [encoding, ending] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    const smaller = takesEncoding(acceptEncoding, encoding) ? await pathOf(root, `${name}${ending}`) : undefined;
    const content = smaller === undefined ? undefined : await contentOf(smaller);
    if (content !== undefined) return { content, encoding };
  }
  const content = await contentOf(path);
  return content && { content };
}

/** Undefined for what does not lie in the folder, a link that leads out of it included. */
async function pathOf(root: string, name: string): Promise<string | undefined> {
  try {
    return await resolveInside(root, name);
  } catch (error) {
    if (error instanceof HallError || hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return undefined;
    throw error;
  }
}

/** `gzip;q=0` is a no. */
function takesEncoding(header: string | undefined, encoding: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...facts] = part.split(';').map((word) => word.trim().toLowerCase());
    return name === encoding && !facts.some((fact) => /^q=0(?:\.0*)?$/.test(fact));
  });
}

function noSuchFile(path: string): HallError {
  return fail(
    'not_found',
    `There is nothing at ${path.slice(0, 100)}.`,
    'A page from before the last build asks for old files: load it anew.',
  );
}

const notBuilt = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Guild Hall</title></head>
  <body>
    <h1>Guild Hall runs, but its pages are not built</h1>
    <p>In the folder of the program, type:</p>
    <pre>npm run build</pre>
    <p>Then load this page anew. The command line works meanwhile: <code>guild-hall --help</code></p>
  </body>
</html>
`;
