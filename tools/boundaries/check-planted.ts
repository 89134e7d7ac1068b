// Lints every file of `planted/` as if it were in the project that its first line names, with the real configuration. Prints the reported and
// the expected violations as JSON. The spec beside this file compares them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { makeGraph } from './graph.ts';
import { root } from '../common/root.ts';
import { projects } from './projects.ts';
import { TYPES } from './table.ts';

const RULE = '@nx/enforce-module-boundaries';

/** Allows cycles, because the rule checks cycles before tags and most violations would close a cycle. */
function withCycles(block: Linter.Config): Linter.Config {
  const [level, options] = (block.rules?.[RULE] ?? []) as [Linter.Severity?, object?];
  if (level === undefined || options === undefined) return block;
  return {
    ...block,
    rules: { ...block.rules, [RULE]: [level, { ...options, ignoredCircularDependencies: [['*', '*']] }] },
  };
}

makeGraph();
const { default: config } = (await import(pathToFileURL(join(root, 'eslint.config.mjs')).href)) as {
  default: Linter.Config[];
};
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  // Planted files belong to no TypeScript program. One of them gets a program; the others run without the rules that need types.
  overrideConfig: [
    ...config.map(withCycles),
    { files: ['**/planted.ts', '**/planted.spec.ts'], ...tseslint.configs.disableTypeChecked },
    {
      files: ['**/typed.planted.ts'],
      languageOptions: {
        parserOptions: {
          projectService: {
            allowDefaultProject: ['libs/features/*/*/typed.planted.ts'],
            defaultProject: 'tsconfig.json',
          },
        },
      },
    },
  ],
});

const folder = join(root, 'tools/boundaries/planted');
const types = new Map(projects().map(({ path, type }) => [path, type]));
const files = [];
for (const name of readdirSync(folder).sort()) {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, path = '', as = 'planted.ts'] = /^\/\/ lies in (\S+)(?: as (\S+))?\n/.exec(text) ?? [];
  const [result] = await eslint.lintText(text, { filePath: join(root, path, as) });
  const lines = text.split('\n').map((line, at) => ({
    line: line.replace(/ *\/\/ .*/, ''),
    expected: (line.split('// refused: ')[1] ?? '').split('; ').filter(Boolean),
    refused: (result?.messages ?? [])
      .filter((message) => message.line === at + 1)
      .map(({ ruleId, message }) => `${ruleId} ${message}`),
  }));
  const type = [...types].findLast(([folder]) => path === folder || path.startsWith(`${folder}/`))?.[1];
  files.push({ name, type, lines: lines.filter(({ line }) => line !== '') });
}
process.stdout.write(JSON.stringify({ types: Object.keys(TYPES), files }));
