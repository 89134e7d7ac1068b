const { availableParallelism } = require('node:os');

/** Specs that start, kill and restart whole processes or installations, or wait long: CI runs them, `npm test` does not. */
const PROCESSES = [
  'apps/(standalone|operate)/src/main\\.spec\\.ts$',
  'apps/e2e/src/embedded/[^.]+\\.spec\\.ts$',
  'apps/e2e/src/split/ending\\.spec\\.ts$',
  'libs/evaluator/src/evaluator\\.spec\\.ts$',
  'libs/runtime/src/archive/import-archive\\.spec\\.ts$',
];

/** Specs of the HTTP suite that `npm test` runs too: the way of a report and its evidence. */
const FIRST_HTTP = [
  ...['artifacts', 'attestations', 'deployments', 'environments', 'flows'],
  ...['notifications', 'policies', 'reports', 'snapshots', 'trails'],
].map((name) => `/e2e/src/${name}\\.spec\\.ts$`);

/**
 * Specs of the HTTP suite that run on the embedded engine alone: the request alone decides their answers, or other files prove their requests
 * on both engines.
 */
const ONE_ENGINE = [
  ...['attacked-routes', 'bad-input', 'bounds-of-rules', 'demo', 'doc', 'matrix', 'notification-bodies'],
  ...['openid-limits', 'pages', 'published-rules', 'release-workflow', 'unparsed', 'wrong-keys'],
].map((name) => `/e2e/src/${name}\\.spec\\.ts$`);

/**
 * Specs of the HTTP suite that run on both engines before a release alone (`ASSURANCE_TEST_MATRIX=full`): their answers come from code before the
 * engines, or other specs store and read the same documents on both.
 */
const ONE_ENGINE_MOSTLY = [
  ...[
    'answer-types',
    'clock',
    'command-line',
    'compare',
    'fingerprints',
    'fuzz',
    'hostile-sboms',
    'limits',
    'mcp-writing',
  ],
  ...[
    'odd-input',
    'openid-claims',
    'pipeline-gates',
    'rate-limits',
    'report-kinds',
    'reported-forms',
    'request-bounds',
  ],
  ...['sixty-days', 'snapshot-expressions', 'terraform-provider', 'unknown-times', 'vulnerability-dumps', 'wild-input'],
].map((name) => `/e2e/src/${name}\\.spec\\.ts$`);
const ONE_ENGINE_NOW =
  process.env['ASSURANCE_TEST_MATRIX'] === 'full' ? ONE_ENGINE : [...ONE_ENGINE, ...ONE_ENGINE_MOSTLY];

/** One Jest over all projects: sources are run as they stand, only worker threads run what `npm run build` made. */
const common = {
  rootDir: __dirname,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@assurance/source', 'node', 'node-addons'] },
  transform: { '^.+\\.ts$': ['@swc/jest'] },
  modulePathIgnorePatterns: ['/dist/', '/\\.cache/'],
  setupFiles: ['reflect-metadata'],
};

module.exports = {
  testSequencer: '<rootDir>/tools/ci/long-first.mjs',
  projects: [
    {
      ...common,
      displayName: 'node',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '\\.int\\.spec\\.ts$',
        `^(?!.*(?:${FIRST_HTTP.join('|')})).*/e2e/src/`,
        ...PROCESSES,
      ],
      globalSetup: '<rootDir>/apps/e2e/src/support/fixture-server/setup.ts',
      globalTeardown: '<rootDir>/apps/e2e/src/support/fixture-server/teardown.ts',
    },
    {
      ...common,
      // The rest of the HTTP suite on one process with the embedded engine.
      displayName: 'http',
      testMatch: ['<rootDir>/apps/e2e/src/*.spec.ts', '<rootDir>/apps/e2e/src/{ingestion,projection,split}/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$', ...FIRST_HTTP, ...PROCESSES],
      globalSetup: '<rootDir>/apps/e2e/src/support/fixture-server/setup.ts',
      globalTeardown: '<rootDir>/apps/e2e/src/support/fixture-server/teardown.ts',
    },
    {
      ...common,
      displayName: 'processes',
      testRegex: PROCESSES,
      globalSetup: '<rootDir>/apps/e2e/src/support/fixture-server/setup.ts',
      globalTeardown: '<rootDir>/apps/e2e/src/support/fixture-server/teardown.ts',
    },
    {
      ...common,
      displayName: 'engines',
      testMatch: ['**/*.int.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/src/engines/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testing/src/engines/global-teardown.ts',
    },
    {
      ...common,
      // The HTTP suite on pairs of services, on real MongoDB and Kafka. What is in a folder is about something else: `embedded` about its
      // engine's file and single process, `split` about a gateway before services that pretend, `ingestion` and `projection` about parts.
      displayName: 'scaled',
      testMatch: ['<rootDir>/apps/e2e/src/*.spec.ts', '<rootDir>/apps/e2e/src/scaled/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$', ...ONE_ENGINE_NOW],
      setupFiles: [...common.setupFiles, '<rootDir>/apps/e2e/src/support/on-servers.ts'],
      globalSetup: '<rootDir>/apps/e2e/src/support/fixture-server/setup-on-servers.ts',
      globalTeardown: '<rootDir>/apps/e2e/src/support/fixture-server/teardown-on-servers.ts',
    },
    {
      ...common,
      // The pages of built services in a real browser.
      displayName: 'browser',
      testMatch: ['<rootDir>/apps/e2e/src/browser/*.spec.ts'],
      globalSetup: '<rootDir>/apps/e2e/src/browser/setup.ts',
      globalTeardown: '<rootDir>/apps/e2e/src/browser/teardown.ts',
    },
    {
      ...common,
      // Attacks on services that run in processes of their own, one deployment after the other, nothing beside them.
      displayName: 'attacks',
      testMatch: ['<rootDir>/apps/e2e/src/attacks/*.spec.ts'],
      globalSetup: '<rootDir>/apps/e2e/src/attacks/setup.ts',
      globalTeardown: '<rootDir>/apps/e2e/src/attacks/teardown.ts',
    },
    {
      ...common,
      // Services and servers that are killed, away, restored and replaced while clients report. Each file has servers of its own.
      displayName: 'drills',
      testMatch: ['<rootDir>/apps/e2e/src/drills/*.spec.ts'],
    },
    {
      ...common,
      // Charts, rules, dashboards and units: what others install and start the service with.
      displayName: 'deploy',
      testMatch: ['<rootDir>/apps/e2e/src/deploy/*.spec.ts'],
      globalSetup: '<rootDir>/apps/e2e/src/deploy/setup.ts',
    },
  ],
  // A worker waits much of its time for the services that it calls, which run in processes of their own.
  maxWorkers: availableParallelism() + 1,
  testTimeout: 90_000,
};
