// Which project may import which, and which npm packages. Every project carries a tag `type:*` in its package.json. What parts of a feature may import
// of other features is in features.ts. A change of a row needs a page in docs/decisions, a new rule a violation in `planted/`.

const NEST = ['@nestjs/*', 'reflect-metadata', 'rxjs'];
const FASTIFY = ['fastify', '@fastify/*'];
const TEST_TOOLS = [
  'fast-check',
  'testcontainers',
  'ajv',
  'ajv/*',
  'ajv-formats',
  'smtp-server',
  'oidc-provider',
  'pdfjs-dist/*',
  '@seriousme/openapi-schema-validator/*',
];

interface Rule {
  /** Types of projects that it may import; all unless given. */
  readonly imports?: readonly string[];
  /** Further types that its specs may import. */
  readonly specs?: readonly string[];
  /** Packages from outside the repository; all unless given. */
  readonly packages?: readonly string[];
}

const TYPES: Readonly<Record<string, Rule>> = {
  // The app of a service names the modules that it loads. Standalone loads those of all.
  app: {
    imports: ['app', 'feature', 'http', 'event-sourcing', 'runtime', 'contracts', 'port', 'kernel'],
    specs: ['engine'],
    packages: [...NEST, ...FASTIFY],
  },
  e2e: {},
  // The pages know the service only through its API. They share what decides how texts are shown (eslint.config.mjs).
  web: {
    imports: ['kernel'],
    packages: [
      'react',
      'react/*',
      'react-dom',
      'react-dom/*',
      'react-router',
      'react-router/*',
      'react-aria-components/*',
      '@tanstack/react-query',
      'openapi-fetch',
      'openapi-react-query',
      'd3-scale',
      'd3-shape',
      'diff',
      'vite',
      '@vitejs/plugin-react',
    ],
  },
  tool: {},
  feature: {
    imports: ['feature', 'http', 'event-sourcing', 'evaluator', 'contracts', 'port', 'kernel'],
    specs: ['engine'],
    packages: [...NEST, ...FASTIFY],
  },
  http: {
    imports: ['event-sourcing', 'port', 'contracts', 'kernel'],
    packages: [...NEST, ...FASTIFY, 'ajv', 'ajv-formats', 'secure-json-parse'],
  },
  runtime: {
    imports: ['engine', 'port', 'http', 'event-sourcing', 'contracts', 'kernel'],
    packages: [...NEST, ...FASTIFY, 'pino', 'prom-client', 'yaml', '@opentelemetry/*'],
  },
  // Specs of an engine may open another engine, because an engine of one port may store its records in another.
  engine: { imports: ['port', 'event-sourcing', 'contracts', 'kernel'], specs: ['engine'], packages: [] },
  // Threads of the evaluator run pure functions of features.
  evaluator: { imports: ['feature', 'contracts', 'kernel'], packages: [] },
  'event-sourcing': {
    imports: ['event-sourcing', 'port', 'contracts', 'kernel'],
    specs: ['engine'],
    packages: [...NEST, 'lru-cache'],
  },
  port: { imports: ['contracts', 'kernel'], packages: [] },
  contracts: {
    imports: ['contracts', 'kernel'],
    packages: ['class-validator'],
  },
  kernel: { imports: [], packages: ['lru-cache', 'tar-stream'] },
  testing: {
    imports: ['port', 'event-sourcing', 'feature', 'contracts', 'kernel'],
    packages: [...TEST_TOOLS, 'mongodb', 'kafkajs'],
  },
};

/** Packages that one project may use in addition to those of its type, by folder: the driver of an engine, the libraries of a channel. */
export const OWN_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  // A program of its own, which is copied to machines as one file.
  'apps/reporter': ['@aws-sdk/*', 'prom-client', 'yaml'],
  'libs/features/access': ['cookie', 'openid-client', 'undici'],
  'libs/features/evidence': ['@socketregistry/packageurl-js'],
  'libs/features/policies': ['re2js'],
  'libs/features/components': ['semver'],
  'libs/features/vulnerabilities': ['ae-cvss-calculator', 'yauzl'],
  'libs/features/notifications': ['undici', 'nodemailer'],
  'libs/features/audit': ['pdfkit', 'fontkit', 'bidi-js', 'dejavu-fonts-ttf/*', '@fontsource-variable/*'],
  'libs/http': ['undici', 'ipaddr.js', '@modelcontextprotocol/sdk/*', 'zod/*'],
  'libs/evaluator': ['ajv', 'ajv/*', 'ajv-formats', 'jq-wasm', 're2js', 'sax', 'yaml'],
  'libs/storage/mongodb': ['mongodb', 'mongoose'],
  'libs/storage/kafka': ['kafkajs', 'kafkajs/*', 'cloudevents'],
  'libs/storage/s3': ['@aws-sdk/*'],
};

/** Projects with a way back, by their parts: features start threads of the evaluator, and these run the `domain` of features. */
const BOTH_WAYS = ['access', 'flows', 'evidence', 'policies', 'environments'].map((feature) => [
  '@assurance/evaluator',
  `@assurance/${feature}`,
]);

/** What apps, the end-to-end suite and tools may import of apps. Libraries may not: features.ts. */
const OF_APPS = [
  ...['gateway', 'ingestion', 'projection', 'notification-dispatcher', 'audit-package'].map(
    (app) => `@assurance/${app}/role`,
  ),
  '@assurance/projection/views',
  // The demo, which pages and `npm run demo` make alike, and its requests.
  '@assurance/web/demo',
  '@assurance/web/made-up',
  '@assurance/web/requests',
  // The commands of the first steps, which specs run.
  '@assurance/web/ways',
];

interface Where {
  /** Further packages. */
  readonly own?: readonly string[];
  /** Whether it is a spec, which may also use testing projects and test tools. */
  readonly spec?: boolean;
}

/** The options of `@nx/enforce-module-boundaries`. */
export function boundaries({ own = [], spec = false }: Where = {}) {
  const types = Object.entries(TYPES).map(([type, { imports, specs = [], packages }]) => ({
    sourceTag: `type:${type}`,
    ...(imports && {
      onlyDependOnLibsWithTags: [...imports, ...(spec ? ['testing', ...specs] : [])].map((to) => `type:${to}`),
    }),
    ...(packages && { allowedExternalImports: [...packages, ...own, ...(spec ? TEST_TOOLS : [])] }),
  }));
  return {
    allow: OF_APPS,
    banTransitiveDependencies: true,
    ignoredCircularDependencies: BOTH_WAYS,
    depConstraints: types,
  };
}
