import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The service that `npx vite apps/web` passes requests of the API on to. */
const SERVICE = 'http://localhost:8001';

/** Writes what the gateway sends to browsers that take it compressed: `.br` and `.gz` beside each file with a hash in its name. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets');
    for (const name of readdirSync(assets).filter((file) => /\.(js|css)$/.test(file))) {
      const file = join(assets, name);
      const bytes = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(bytes));
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    }
  },
});

/** Puts the licence of the pages beside them; Vite writes those of their packages. */
const licence = (): Plugin => ({
  name: 'licence',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(join(import.meta.dirname, '../../LICENSE'));
    this.emitFile({ type: 'asset', fileName: 'LICENSE.txt', source });
  },
});

const config = defineConfig({
  // Relative: the entry page's <base> says where the pages are.
  base: './',
  plugins: [react(), licence(), compressed()],
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    license: { fileName: 'NOTICES.txt' },
    modulePreload: { polyfill: false },
    // Nothing inlined: the pages' policy takes fonts and images from files alone.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // What three or more pages share is one file: each further file costs its headers, and many small ones compress badly. What pages of
    // components share is no part of it: no other page loads it.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'common', test: /apps\/web\/src\/(?!parts\/components\/)/, minShareCount: 3 }],
        },
      },
    },
  },
  server: { proxy: { '/api': SERVICE } },
});

// Vite takes the default export alone.
// eslint-disable-next-line no-restricted-syntax
export default config;
