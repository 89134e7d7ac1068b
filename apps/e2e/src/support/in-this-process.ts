import type * as Start from './start';

/** What a service is made of, some thousand files, is loaded by those alone who start one in their own process. */
export const inThisProcess = () =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` would have to name the extension of what was built
  require('./start') as typeof Start;
