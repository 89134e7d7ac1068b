import type * as Start from './start';

/** Loads the thousand files of a service only for specs that start one in their own process. */
export const inThisProcess = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would have to name the extension of what was built
  require('./start') as typeof Start;
