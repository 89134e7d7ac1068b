import nx from '@nx/eslint-plugin';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { features } from './tools/boundaries/features.ts';
import { projects } from './tools/boundaries/projects.ts';
import { rooms } from './tools/boundaries/purity.ts';
import { boundaries, OWN_PACKAGES } from './tools/boundaries/table.ts';

const BOUNDARIES = '@nx/enforce-module-boundaries';
/** Specs, and what only specs import. */
const SPECS = ['**/*.spec.ts', '**/src/testing/*.ts', 'libs/features/**/testing/*.ts', 'libs/testing/**/*.ts'];
const OPEN = ['runtime', 'tool', 'web', 'testing'];
const OPEN_FOLDERS = ['apps/e2e'];
/** Pure functions: facts, rules, and views, which get what they read as parameters. */
const PURE = [
  'libs/kernel/src/{*,shown/*}.ts',
  'libs/contracts/src/events/*.ts',
  'libs/contracts/src/*/{events,documents,refusals}.ts',
  'libs/features/*/{domain,lookups}/**/*.ts',
  'libs/features/*/read/*/**/*.ts',
  'libs/event-sourcing/src/projection/days/*.ts',
];

const room = ({ path, type }) => {
  if (OPEN.includes(type) || OPEN_FOLDERS.includes(path)) return rooms.open;
  return rooms.shared(path === 'libs/storage/sqlite' ? ['node:sqlite'] : []);
};

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      '**/dist/',
      '.nx/',
      '.cache/',
      'coverage/',
      'data/',
      'tools/boundaries/planted/',
      'apps/web/generated/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  ...tseslint.configs.recommended,
  {
    plugins: { '@nx': nx },
    rules: { eqeqeq: ['error', 'always', { null: 'ignore' }], 'no-var': 'error', 'prefer-const': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      // With a `default` the type check decides: it hands the value to `unreachable`, which takes only `never`.
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'max-lines': ['error', { max: 400 }],
    },
  },
  { rules: { [BOUNDARIES]: ['error', boundaries()] } },
  ...projects().map((project) => ({ files: [`${project.path}/**/*.{ts,tsx}`], rules: room(project) })),
  { files: PURE, rules: rooms.pure() },
  { files: ['libs/kernel/src/*.ts'], rules: rooms.pure(['node:crypto']) },
  { files: ['libs/**/*.ts'], plugins: { features }, rules: { 'features/order': 'error' } },
  ...Object.entries(OWN_PACKAGES).map(([path, own]) => ({
    files: [`${path}/**/*.ts`],
    rules: { [BOUNDARIES]: ['error', boundaries({ own })] },
  })),
  {
    files: ['apps/web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^@assurance/(?!kernel/shown/)', message: 'Pages share only how texts are shown.' }] },
      ],
      // Text from outside is rendered as text; what leads to another site goes through SafeLink.
      'no-restricted-syntax': [
        'error',
        ...rooms.open['no-restricted-syntax'].slice(1),
        { selector: 'JSXAttribute[name.name="dangerouslySetInnerHTML"]', message: 'Render text as text.' },
        { selector: 'JSXAttribute[name.name="target"]', message: 'Use SafeLink: it takes web addresses alone.' },
      ],
    },
  },
  { files: ['apps/web/src/ui/SafeLink.tsx'], rules: { 'no-restricted-syntax': rooms.open['no-restricted-syntax'] } },
  // Node runs tools as they are and leaves types out, so there is nothing to write but types.
  {
    files: ['tools/**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-restricted-syntax': [
        'error',
        ...rooms.open['no-restricted-syntax'].slice(1),
        ...['TSParameterProperty', 'TSModuleDeclaration', 'TSImportEqualsDeclaration', 'TSExportAssignment'].map(
          (selector) => ({ selector, message: 'Node leaves out types alone.' }),
        ),
      ],
    },
  },
  // A program of its own, which starts no role and so needs no runtime.
  { files: ['apps/reporter/src/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: SPECS,
    rules: {
      ...rooms.open,
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': 'off',
      'max-lines': 'off',
      'features/order': 'off',
      [BOUNDARIES]: ['error', boundaries({ spec: true })],
    },
  },
  ...Object.entries(OWN_PACKAGES).map(([path, own]) => ({
    files: SPECS.map((spec) => `${path}/${spec}`),
    rules: { [BOUNDARIES]: ['error', boundaries({ own, spec: true })] },
  })),
  {
    files: ['**/*.js'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
