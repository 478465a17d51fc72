/** Builds the web app into `dist/web`, which the hall serves; `npm run dev:web` does so again at every change. */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const web = dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  root: web,
  base: '/app/',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: join(web, '..', 'dist', 'web'),
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // A data: URL would want a wider policy for what pages may load.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
