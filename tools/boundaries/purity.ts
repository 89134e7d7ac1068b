import { builtinModules } from 'node:module';

type Rules = Readonly<Record<string, readonly ['error', ...object[]]>>;

const clock = [
  { object: 'Date', property: 'now', message: 'Time is an argument: runtime reads the clock.' },
  { object: 'Math', property: 'random', message: 'Random bytes are an argument: runtime makes them.' },
];
const environment = [
  { object: 'process', property: 'env', message: 'runtime reads the environment once and passes settings on.' },
];
const syntax = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
  { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
  {
    selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
    message: 'Write properties and items plainly.',
  },
  {
    selector: 'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo)$/]',
    message: 'Run every test.',
  },
];
const newDate = [
  {
    selector: 'NewExpression[callee.name="Date"][arguments.length=0], CallExpression[callee.name="Date"]',
    message: 'Time is an argument: runtime reads the clock.',
  },
];
const dynamicImport = [{ selector: 'ImportExpression', message: 'A pure module imports statically.' }];

const EFFECTS = [
  'process',
  'console',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
  'performance',
  'crypto',
  'globalThis',
  'global',
  'require',
];

/** The rules for effects of a project. Each block lists all of them, because a later block of ESLint replaces a rule. */
export const rooms = {
  /** Projects that may read clock and environment: runtime, tools, starters of real engines. */
  open: { 'no-restricted-syntax': ['error', ...syntax] } as const satisfies Rules,
  /**
   * Projects that receive the clock as a parameter but may start timers and threads: roles, engines.
   *
   * @param builtins further Node built-ins that the project may use
   */
  shared: (builtins: readonly string[] = []): Rules => ({
    'no-restricted-syntax': ['error', ...syntax, ...newDate],
    'no-restricted-properties': ['error', ...clock, ...environment],
    'no-restricted-imports': [
      'error',
      {
        paths: [
          ...['process', 'node:process'].map((name) => ({ name, message: 'Use the global `process`.' })),
          { name: 'node:sqlite', message: 'libs/storage/sqlite alone opens its files.' },
        ].filter(({ name }) => !builtins.includes(name)),
        patterns: [{ group: ['@assurance/*/testing'], message: 'For specs.' }],
      },
    ],
  }),
  /**
   * Projects of pure functions: no Node built-in, no clock, no randomness, no timers, no output.
   *
   * @param builtins Node built-ins without effects
   */
  pure: (builtins: readonly string[] = []): Rules => ({
    'no-restricted-syntax': ['error', ...syntax, ...newDate, ...dynamicImport],
    'no-restricted-properties': ['error', ...clock, ...environment],
    'no-restricted-globals': ['error', ...EFFECTS.map((name) => ({ name, message: 'A pure module has no effects.' }))],
    'no-restricted-imports': [
      'error',
      {
        paths: builtinModules
          .flatMap((name) => (name.startsWith('node:') ? [name] : [name, `node:${name}`]))
          .filter((name) => !builtins.includes(name))
          .map((name) => ({ name, message: 'A pure module imports no Node built-in.' })),
      },
    ],
  }),
};
