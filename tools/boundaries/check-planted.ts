// Lints every file of `planted/` as if it were in the project that its first line names, with the real configuration, and compares what is refused
// with what each line expects: for each violation, the end of the rule's name and a part of its message. `npm run lint` runs it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ESLint, type Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { list } from '../ci/report.ts';
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

/** Whether a reported violation is the expected one. */
function agrees({ ruleId, message }: Linter.LintMessage, expectation: string): boolean {
  const [rule = '', ...words] = expectation.split(' ');
  return ruleId?.endsWith(rule) === true && message.includes(words.join(' '));
}

const folder = join(root, 'tools/boundaries/planted');
const problems: string[] = [];
let lines = 0;
for (const name of readdirSync(folder)) {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, path = '', as = 'planted.ts'] = /^\/\/ lies in (\S+)(?: as (\S+))?\n/.exec(text) ?? [];
  const [result] = await eslint.lintText(text, { filePath: join(root, path, as) });
  for (const [at, line] of text.split('\n').entries()) {
    const expected = (line.split('// refused: ')[1] ?? '').split('; ').filter(Boolean);
    const refused = (result?.messages ?? []).filter((message) => message.line === at + 1);
    const all = expected.every((expectation) => refused.some((message) => agrees(message, expectation)));
    if (!all || refused.length !== expected.length)
      problems.push(`${name}:${at + 1}: ${line}\n  is refused by: ${refused.map(({ message }) => message).join('; ')}`);
    lines += 1;
  }
}
list(problems, `of boundaries in ${lines} planted lines`);
