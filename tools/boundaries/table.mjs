// Which project may import which. Every project carries two tags in its package.json, `type:*` and `step:*`; an import must be allowed by both.
// A change of a row needs a page in docs/decisions and a violation in `planted/`.

const NEST = ['@nestjs/*', 'reflect-metadata', 'rxjs'];
const FASTIFY = ['fastify', '@fastify/*'];
const TEST_TOOLS = [
  ...[
    'fast-check',
    'supertest',
    'autocannon',
    'testcontainers',
    'ajv',
    'ajv/*',
    'ajv-formats',
    'smtp-server',
    'oidc-provider',
    'pdfjs-dist/*',
  ],
  '@seriousme/openapi-schema-validator/*',
];
const CONTRACTS = ['contracts-events', 'contracts-http'];

/**
 * `imports`: types of projects; `specs`: further types that specs may import; `packages`: packages from outside the repository. If `imports` or
 * `packages` is missing, everything is allowed.
 */
export const TYPES = {
  app: { imports: ['role', 'runtime'], packages: [] },
  e2e: {},
  // The pages know the service only through its API.
  web: {
    imports: [],
    packages: [
      ...['react', 'react-dom', 'react-dom/*', 'react-router', 'react-router/*', 'react-aria-components/*'],
      ...['@tanstack/react-query', 'openapi-fetch', 'openapi-react-query', 'd3-scale', 'd3-shape', 'diff'],
      ...['vite', '@vitejs/plugin-react'],
    ],
  },
  tool: {},
  role: {
    imports: ['domain', 'model', 'view', 'reader', 'adapter', 'port', 'http', ...CONTRACTS, 'kernel'],
    // Specs of handlers run on the embedded engine.
    specs: ['engine'],
    packages: [...NEST, ...FASTIFY],
  },
  http: {
    imports: ['model', 'port', ...CONTRACTS, 'kernel'],
    packages: [...NEST, ...FASTIFY, 'ajv', 'ajv-formats', 'secure-json-parse'],
  },
  runtime: {
    imports: ['engine', 'port', 'http', ...CONTRACTS, 'kernel'],
    packages: [...NEST, ...FASTIFY, 'pino', 'prom-client', 'yaml', '@opentelemetry/*'],
  },
  // Specs of an engine may open another engine, because an engine of one port may store its records in another.
  engine: { imports: ['port', 'contracts-events', 'kernel'], specs: ['engine'], packages: [] },
  adapter: { imports: ['port', 'model', ...CONTRACTS, 'kernel'], packages: [] },
  domain: { imports: ['model', 'contracts-events', 'kernel'], packages: [] },
  view: { imports: ['model', 'reader', 'port', ...CONTRACTS, 'kernel'], packages: [] },
  reader: { imports: ['model', 'port', 'contracts-events', 'kernel'], packages: [] },
  model: { imports: ['contracts-events', 'kernel'], packages: [] },
  port: { imports: ['port', 'contracts-events', 'kernel'], packages: [] },
  'contracts-http': {
    imports: ['contracts-events', 'kernel'],
    packages: ['class-validator', 'class-transformer', 'class-validator-jsonschema', 'reflect-metadata'],
  },
  'contracts-events': { imports: ['kernel'], packages: [] },
  kernel: { imports: [], packages: [] },
  testing: { imports: ['port', 'model', ...CONTRACTS, 'kernel'], packages: TEST_TOOLS },
};

/** Packages that one project may use in addition to those of its type, by folder: the driver of an engine, the libraries of a channel. */
export const OWN_PACKAGES = {
  'libs/kernel': ['lru-cache'],
  'libs/gateway/role': ['undici', 'cookie', 'openid-client', '@modelcontextprotocol/sdk/*', 'zod/*'],
  'libs/evaluator': ['ajv', 'ajv/*', 'ajv-formats', 'jq-wasm', 're2js', 'yaml'],
  'libs/model': ['re2js'],
  'libs/notification/channels': ['undici', 'nodemailer', 'ipaddr.js'],
  'libs/audit-package/package': ['pdfkit', 'fontkit', 'bidi-js', 'dejavu-fonts-ttf/*', '@fontsource-variable/*'],
  'libs/storage/mongodb': ['mongodb', 'mongoose'],
  'libs/storage/kafka': ['kafkajs', 'kafkajs/*', 'cloudevents'],
  'libs/storage/records': ['lru-cache'],
  'libs/storage/s3': ['@aws-sdk/*'],
  'libs/tar': ['tar-stream'],
  'libs/testing/engines': ['mongodb', 'kafkajs'],
};

/** A step of a report's way may import itself and shared projects. Only apps, the end-to-end suite and tools may import every step. */
const STEPS = ['gateway', 'ingestion', 'projection', 'notification', 'audit-package'];

/**
 * The options of `@nx/enforce-module-boundaries`.
 *
 * @param {{ own?: string[], spec?: boolean }} where `own`: further packages; `spec`: a spec file, which may also use testing
 *   projects and test tools
 */
export function boundaries({ own = [], spec = false } = {}) {
  const types = Object.entries(TYPES).map(([type, { imports, specs = [], packages }]) => ({
    sourceTag: `type:${type}`,
    ...(imports && {
      onlyDependOnLibsWithTags: [...imports, ...(spec ? ['testing', ...specs] : [])].map((to) => `type:${to}`),
    }),
    ...(packages && { allowedExternalImports: [...packages, ...own, ...(spec ? TEST_TOOLS : [])] }),
  }));
  const steps = STEPS.map((step) => ({
    sourceTag: `step:${step}`,
    onlyDependOnLibsWithTags: [`step:${step}`, 'step:shared'],
  }));
  const shared = { sourceTag: 'step:shared', onlyDependOnLibsWithTags: ['step:shared'] };
  return { banTransitiveDependencies: true, depConstraints: [...types, ...steps, shared] };
}
