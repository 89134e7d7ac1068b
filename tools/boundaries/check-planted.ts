// Lints every file of `planted/` as if it were in the project that its first line names, with the real configuration. Prints the reported and
// the expected violations as JSON. The spec beside this file compares them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { must } from '../common/command.ts';
import { root } from '../common/root.ts';

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

// Without the project graph, which nx writes, the rule would skip itself.
must(join(root, 'node_modules/.bin/nx'), ['show', 'projects'], { cwd: root });
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
  files.push({ name, lines: lines.filter(({ line }) => line !== '') });
}
process.stdout.write(JSON.stringify(files));
