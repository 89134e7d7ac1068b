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
  projects: [
    {
      ...common,
      displayName: 'node',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$'],
    },
    {
      ...common,
      displayName: 'engines',
      testMatch: ['**/*.int.spec.ts'],
      globalSetup: '<rootDir>/libs/testing/engines/src/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testing/engines/src/global-teardown.ts',
    },
    {
      ...common,
      displayName: 'scaled',
      testMatch: ['<rootDir>/apps/e2e/src/**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '\\.int\\.spec\\.ts$'],
      globalSetup: '<rootDir>/libs/testing/engines/src/global-setup.ts',
      globalTeardown: '<rootDir>/libs/testing/engines/src/global-teardown.ts',
    },
  ],
  testTimeout: 20_000,
};
