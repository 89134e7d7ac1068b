import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

/** The service to which `npx vite apps/web` forwards requests to the API. */
const SERVICE = 'http://localhost:8001';

/** The part of a schema that says which types of targets there are. */
interface TargetSchema {
  readonly anyOf?: readonly TargetSchema[];
  readonly properties?: { readonly type: { readonly enum: readonly string[] } };
}

/** Defines `CHANNELS` for the pages: the channels that targets may have, by the OpenAPI document of the built contracts. */
const channels = (): Plugin => ({
  name: 'channels',
  config() {
    const { openApiDocument } = createRequire(import.meta.url)('../../libs/contracts/dist/http/openapi.js') as {
      openApiDocument(site: object): { components: { schemas: { ChannelTarget: TargetSchema } } };
    };
    const typesIn = ({ anyOf = [], properties }: TargetSchema): readonly string[] => [
      ...(properties?.type.enum ?? []),
      ...anyOf.flatMap(typesIn),
    ];
    const { schemas } = openApiDocument({ publicUrl: 'http://localhost', region: null }).components;
    return { define: { CHANNELS: JSON.stringify(typesIn(schemas.ChannelTarget)) } };
  },
});

/**
 * Writes compressed files for browsers that accept them: a `.br` and a `.gz` file beside each file with a hash in its name. The gateway sends them.
 */
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

/** Copies the licence of the pages beside them. Vite writes the licences of their packages. */
const licence = (): Plugin => ({
  name: 'licence',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(join(import.meta.dirname, '../../LICENSE'));
    this.emitFile({ type: 'asset', fileName: 'LICENSE.txt', source });
  },
});

const config = defineConfig({
  // The addresses are relative. The `<base>` of the entry page sets their base.
  base: './',
  plugins: [react(), channels(), licence(), compressed()],
  resolve: { conditions: ['@assurance/source', ...defaultClientConditions] },
  build: {
    target: ['chrome123', 'firefox121', 'safari17.5'],
    license: { fileName: 'NOTICES.txt' },
    modulePreload: { polyfill: false },
    // Nothing is inlined, because the pages' policy allows fonts and images only from files.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    // Code that three or more pages share is one file, and packages that many pages share are another: each further file costs its headers, and many
    // small files compress badly. Code that the pages of components share is not part of it, because no other page loads it.
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'common',
              test: /apps\/web\/src\/(?!parts\/components\/)|libs\/kernel\/src\/shown\//,
              minShareCount: 3,
            },
            { name: 'packages', test: /node_modules\//, minShareCount: 6 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': SERVICE } },
});

// Vite takes the default export alone.
// eslint-disable-next-line no-restricted-syntax
export default config;
