// Builds the documentation into dist/docs and checks links, anchors, files that pages load, and the scripts, files, settings and tests that pages name.
//   npm run docs          builds
//   npm run check:docs    builds and checks; exit code 1 on any problem
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vitepress';
import { read, root } from '../common/root.ts';
import { documents, missingTests, sectionProblems, unnamedSettings, wrongNames } from './docs/names.ts';
import { linkProblems, siteProblems } from './docs/site.ts';
import { testsOf } from './docs/titles.ts';
import { list } from './report.ts';

const CONFIGURATION = 'docs/operating/configuration.md';
const DECISIONS = 'docs/decisions';
const COVERAGE = 'docs/specification-coverage.md';
const testsIn = (file: string) => (existsSync(join(root, file)) ? testsOf(read(file)) : null);

const decisions = readdirSync(join(root, DECISIONS))
  .filter((file) => /^\d/.test(file))
  .sort();

await build(join(root, 'docs')); // stops at a dead link

const problems = [
  ...documents(root).flatMap((file) =>
    wrongNames(read(file), root, dirname(file)).map((problem) => `${file}: ${problem}`),
  ),
  ...unnamedSettings(read(CONFIGURATION), root).map((name) => `${CONFIGURATION} does not name ${name}`),
  ...missingTests(read('docs/architecture.md'), testsIn).map((problem) => `docs/architecture.md: ${problem}`),
  ...[
    ...missingTests(read(COVERAGE), (file) => testsIn(join(dirname(COVERAGE), file))),
    ...sectionProblems(read(COVERAGE)),
  ].map((problem) => `${COVERAGE}: ${problem}`),
  ...decisions
    .filter((file) => !read(`${DECISIONS}/README.md`).includes(`](${file})`))
    .map((file) => `${DECISIONS}: the index does not list ${file}`),
  ...decisions
    .filter((file, i) => decisions[i - 1]?.slice(0, 4) === file.slice(0, 4))
    .map((file) => `${DECISIONS}: ${file} has a number that another decision has`),
  ...siteProblems(join(root, 'dist/docs')),
  ...linkProblems(join(root, 'apps/web/dist/documents')).map(
    (problem) => `documents that the service serves: ${problem}`,
  ),
];
list(problems, 'in the documentation');
