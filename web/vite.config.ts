/** Builds the web app into `dist/web`, which the hall serves; `npm run dev:web` does so again at every change. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const web = dirname(fileURLToPath(import.meta.url));

/** Contracts are imported for their types: what checks shapes is heavy, and tries `eval`, which the page's policy forbids. */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === 'zod') this.error(`${importer} would bring zod into the page: import its types alone (import type).`);
  },
};

/**
 * xterm makes style elements and style attributes, which the page's policy refuses: the elements get the page's nonce,
 * and the attributes become assignments, which are no attributes to the policy. Its text is that of one exact version.
 */
const terminalUnderPolicy: Plugin = {
  name: 'terminal-under-policy',
  enforce: 'pre',
  transform(code, id) {
    if (!/[\\/]@xterm[\\/]xterm[\\/]lib[\\/]xterm\.mjs$/.test(id)) return undefined;
    const elements = /[\w$.]+\.createElement\("style"\)/g;
    const attribute = /(\w+)\.setAttribute\("style",(`[^`]*`)\)/g;
    const found = [code.match(elements)?.length, code.match(attribute)?.length, code.match(/"style"/g)?.length];
    if (found.join() !== '3,1,5') this.error(`xterm makes styles in other places than were known: ${found.join()}`);
    const nonce = `document.querySelector('meta[property="csp-nonce"]')?.nonce??""`;
    return code
      .replaceAll(elements, (made) => `Object.assign(${made},{nonce:${nonce}})`)
      .replaceAll(attribute, '$1.style.cssText=$2');
  },
};

export default defineConfig({
  root: web,
  base: '/app/',
  plugins: [react(), tailwindcss(), withoutSchemas, terminalUnderPolicy],
  build: {
    outDir: join(web, '..', 'dist', 'web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // The first versions that know `light-dark()`, early 2024.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A data: URL would want a wider policy for what pages may load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // What a page may load at first is held by the budget, not by the size of one part.
    chunkSizeWarningLimit: 1000,
  },
});
