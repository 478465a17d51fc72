import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, type Answered } from '../../../test/help/sign-in.ts';
import { systemClock, systemIds } from '../../kernel/clock/clock.ts';
import type { EventStream } from '../../kernel/events/events.ts';
import { silentLog } from '../../kernel/log/log.ts';
import { createRegistry } from '../../kernel/operations/operations.ts';
import { createApp } from './app.ts';
import { serveApp, type Served } from './serve.ts';

const script = 'console.log("the app");'.repeat(50);
const page = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__" /><style nonce="__CSP_NONCE__"></style>';

let folder: string;
let served: Served;

async function serveFolder(pages: string): Promise<Served> {
  const ctx = { clock: systemClock, log: silentLog, events: undefined as unknown as EventStream };
  const app = createApp(ctx, {
    registry: createRegistry([]),
    aliases: [],
    admissionOf: () => undefined,
    openApi: () => ({}),
    port: () => server.port,
    browser: {
      pages,
      freshNonce: () => systemIds.secret(),
      signIn: async () => ({ token: '', id: '' }),
      refusalOf: () => undefined,
    },
  });
  const server = await serveApp((request) => app.fetch(request), { port: 0 });
  return server;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gh-pages-'));
  const root = join(folder, 'web');
  await mkdir(join(root, 'assets'), { recursive: true });
  await mkdir(join(root, '.vite'));
  await mkdir(join(root, 'folder.js'));
  const files: Readonly<Record<string, string | Buffer>> = {
    'index.html': page,
    'mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'theme.js': '// theme',
    'notes.md': 'hidden',
    '.vite/manifest.json': '{}',
    'assets/app-B1cD2eF3.js': script,
    'assets/app-B1cD2eF3.js.br': brotliCompressSync(script),
    'assets/app-B1cD2eF3.js.gz': gzipSync(script),
    'assets/only-B1cD2eF3.css': 'a{}',
    'assets/only-B1cD2eF3.css.gz': gzipSync('a{}'),
    'assets/plain.js': '// plain',
    '../secret.json': 'secret',
    '../web-other.js': 'secret',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(root, name), content);
  await symlink(join(folder, 'secret.json'), join(root, 'assets/link-B1cD2eF3.json'));
  await symlink(folder, join(root, 'up'));
  served = await serveFolder(root);
});

afterAll(async () => {
  await served.close();
  await rm(folder, { recursive: true, force: true });
});

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answered> =>
  await ask(served.url, { method, path, headers });
const host = (): string => new URL(served.url).host;

function policyOf({ headers }: Answered): Map<string, string> {
  const policy = String(headers['content-security-policy']);
  return new Map(policy.split('; ').map((part) => [part.split(' ')[0]!, part.split(' ').slice(1).join(' ')]));
}

describe('the page', () => {
  test('says what it may load and run: own files alone, no frame, no form, a nonce that is new each time [SEC-CSP]', async () => {
    const [first, second] = [await get('/app/'), await get('/app/')];
    expect(first).toMatchObject({ status: 200 });
    const nonce = /nonce="([\w-]{43})"/.exec(first.body.toString())?.[1];
    expect(first.body.toString()).toBe(page.replaceAll('__CSP_NONCE__', nonce!));
    expect(Object.fromEntries(policyOf(first))).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': `'self' 'nonce-${nonce}'`,
      'img-src': "'self' data: blob:",
      'font-src': "'self'",
      'connect-src': `'self' ws://${host()}`,
      'manifest-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
    });
    expect(second.body.toString()).not.toContain(nonce);
    expect(policyOf(second).get('style-src')).not.toBe(policyOf(first).get('style-src'));
  });

  test('is kept by nobody, shared with no window, and may use no device [SEC-CSP]', async () => {
    const { headers } = await get('/app/');
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toMatch(/camera=\(\).*microphone=\(\)/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('names the host by which it was asked for, so that its socket goes there', async () => {
    const name = `localhost:${served.port}`;
    expect(policyOf(await get('/app/', { host: name })).get('connect-src')).toBe(`'self' ws://${name}`);
  });

  test.each([
    '/app/',
    '/app/sign-in',
    '/app/projects/shop/meetings/researcher-20260314-092011-k3f9',
    '/app/projects/shop/artifacts/.lore/notes/plan.md',
    '/app/projects/shop/artifacts/.lore/100%25%20plan.md',
    '/app/index.html',
    '/app/notes.md',
    '/app/settings?tab=signins#x',
  ])('stands at %s', async (path) => {
    const { status, headers, body } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body.toString()).toContain('csp-nonce');
  });

  test.each(['/', '/app'])('%s leads to it', async (path) => {
    expect(await get(path)).toMatchObject({ status: 302, headers: { location: '/app/' } });
  });

  test('that is not built says what to type', async () => {
    const empty = await serveFolder(join(folder, 'nothing'));
    const { status, headers, body } = await ask(empty.url, { path: '/app/' });
    const asset = await ask(empty.url, { path: '/app/assets/app-B1cD2eF3.js' });
    await empty.close();
    expect([status, headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(body.toString()).toContain('npm run build');
    expect(asset.status).toBe(404);
  });
});

describe('files', () => {
  test.each([
    ['/app/assets/app-B1cD2eF3.js', 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/app/assets/only-B1cD2eF3.css', 'text/css; charset=utf-8', 'public, max-age=31536000, immutable'],
    ['/app/assets/plain.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/app/theme.js', 'text/javascript; charset=utf-8', 'no-cache'],
    ['/app/mark.svg', 'image/svg+xml', 'no-cache'],
  ])('%s', async (path, type, caching) => {
    const { status, headers } = await get(path);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, caching]);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, BR;q=0.5', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0, gzip;q=0', undefined],
    ['identity', undefined],
    ['brotli, x-gzip', undefined],
    ['', undefined],
  ])('to a browser that takes "%s" come as %s', async (accepted, encoding) => {
    const { headers, body } = await get('/app/assets/app-B1cD2eF3.js', { 'accept-encoding': accepted });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('accept-encoding');
    expect(Number(headers['content-length'])).toBe(body.length);
    const plain = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body;
    expect(plain.toString()).toBe(script);
  });

  test('of which one form only lies there come in that', async () => {
    const { headers } = await get('/app/assets/only-B1cD2eF3.css', { 'accept-encoding': 'br, gzip' });
    expect(headers['content-encoding']).toBe('gzip');
  });

  test.each(['/app/', '/app/assets/app-B1cD2eF3.js', '/app/theme.js'])(
    'HEAD of %s is GET without body',
    async (path) => {
      const [head, whole] = [await get(path, {}, 'HEAD'), await get(path)];
      expect([head.status, head.body.length]).toEqual([200, 0]);
      for (const name of ['content-type', 'content-length', 'cache-control']) {
        expect([name, head.headers[name]]).toEqual([name, whole.headers[name]]);
      }
    },
  );

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('nothing is there for %s', async (method) => {
    expect((await get('/app/theme.js', {}, method)).status).toBe(401);
  });
});

describe('nothing outside the folder is read [SEC-PATHS]', () => {
  test.each([
    '/app/../secret.json',
    '/app/..%2fsecret.json',
    '/app/%2e%2e/secret.json',
    '/app/%2e%2e%2fsecret.json',
    '/app/assets/..%2f..%2fsecret.json',
    '/app/assets/..%5c..%5csecret.json',
    '/app/assets/%252e%252e/secret.json',
    '/app//etc/hostname.txt',
    '/app/%2fetc%2fhostname.txt',
    '/app/assets/link-B1cD2eF3.json',
    '/app/up/secret.json',
    '/app/up/web-other.js',
    '/app/.vite/manifest.json',
    '/app/theme.js%00.svg',
    '/app/folder.js',
    '/app/assets/app-B1cD2eF3.js.br',
    '/app/assets/app-B1cD2eF3.js/x.js',
    '/app/assets/',
    '/app/assets/nothing',
    '/app/assets/gone-B1cD2eF3.js',
    '/app/%ff.js',
    '/app/%.js',
    `/app/${'x'.repeat(300)}.js`,
    `/app/${'a/'.repeat(3000)}x.js`,
  ])('%s', async (path) => {
    const { status, headers, body } = await get(path);
    expect([401, 404]).toContain(status);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(headers['cache-control']).toBe('no-store');
    expect(body.toString()).not.toMatch(/^secret/);
  });

  test('a backslash is no part of an address', async () => {
    const { status, body } = await get('/app/..\\secret.json');
    expect([status, body.toString()]).toEqual([400, '']);
  });

  test('and no other name of the hall is served', async () => {
    for (const name of ['evil.example', `evil.example:${served.port}`, `127.0.0.1:${served.port + 1}`]) {
      expect((await get('/app/', { host: name })).status).toBe(403);
    }
    expect((await get('/app/', { origin: 'http://evil.example' })).status).toBe(403);
  });
});
